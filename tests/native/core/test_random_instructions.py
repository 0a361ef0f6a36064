"""Whatever a wave is told to do with whatever is in its registers, it ends or faults."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest
from bare_wave import BAD_BRANCH, EXEC, M0, VCC, Memory, Wave, assemble
from isa.generated import cases
from isa.table import ARCHS

SEED = 20261120
PROGRAMS = int(os.environ.get("VROCM_RANDOM_PROGRAMS", "300"))
LENGTH = 12
MUTATED = 0.03  # most changed instructions are illegal, and end the program
BLOCK = 1 << 16
MASKS = (0, 1, 1 << 63, (1 << 64) - 1, 0x5555_5555_5555_5555, 0xFFFF_0000_FFFF_0000)
EDGES = (0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x10000, 0x3F80_0000, 0x7F80_0000, 0x7FC0_0000, 0x8000_0000)


def set_registers(wave: Wave, numbers: np.random.Generator, chance: random.Random) -> None:
    """Random bits, edges of formats, and addresses around the block of memory that the wave may touch."""
    assert wave.memory
    kinds = numbers.integers(0, 3, wave.v.shape)
    wave.v[:] = np.where(kinds == 0, numbers.integers(0, 1 << 32, wave.v.shape, dtype=np.uint32), 0)
    wave.v[kinds == 1] = numbers.choice(np.array(EDGES, np.uint32), int((kinds == 1).sum()))
    wave.v[kinds == 2] = numbers.integers(0, BLOCK + 64, int((kinds == 2).sum()), dtype=np.uint32)
    wave.s[:] = numbers.choice(np.array([*EDGES, *numbers.integers(0, 1 << 32, 16)], np.uint32), wave.s.shape)
    places = wave.memory.address + numbers.integers(-64, BLOCK, (64, wave.v.shape[1]))
    for pair, place in zip(range(0, wave.v.shape[0] - 1, 8), places, strict=True):
        wave.set_v64(pair, place)
    for pair in range(0, 100, 4):
        wave.set_s64(pair, int(places[pair % 64, 0]))
        wave.s[pair + 2 : pair + 4] = BLOCK, 0x27000  # behind the address: the rest of a buffer's descriptor
    wave.exec = chance.choice((*MASKS, chance.getrandbits(64)))
    wave.set_s64(VCC, chance.choice((*MASKS, chance.getrandbits(64))))
    wave.s[M0] = chance.choice((*EDGES, chance.getrandbits(32)))
    wave.scc = chance.getrandbits(1)
    wave.mode = chance.getrandbits(10)


def random_program(chance: random.Random, valid: list[bytes], end: bytes) -> bytes:
    code = b""
    for one in chance.choices(valid, k=LENGTH):
        changed = bytearray(one)
        if chance.random() < MUTATED:
            place = chance.randrange(len(one) * 8)
            changed[place // 8] ^= 1 << place % 8
        code += bytes(changed)
    return code + end * 4


@pytest.mark.parametrize("arch", ARCHS)
def test_random_instructions_end_or_fault(arch: str) -> None:
    chance, numbers = random.Random(SEED), np.random.default_rng(SEED)
    valid = [case.assembled.code for case in cases(arch)]
    (end,) = assemble(arch, [""])
    memory = Memory(numbers.integers(0, 256, BLOCK, dtype=np.uint8))
    kinds = set()
    wave = Wave(arch, memory)
    for number in range(PROGRAMS):
        if number % 16 == 0 or wave.s64(EXEC) == 0:
            set_registers(wave, numbers, chance)
        kinds.add(wave.run(random_program(chance, valid, end), limit=1000))
    assert kinds <= set(range(BAD_BRANCH + 1))
    assert len(kinds) > 2
