"""FLAT, GLOBAL and MUBUF loads and stores: all kinds of data, shapes of addresses and masks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import access_cases as cases
import numpy as np
import pytest
from bare_wave import LANE, Memory, Wave, assemble
from memory_reference import LOADS, STORES
from tests.table_rows import rows

ARCHES = ["gfx942", "gfx90a"]
SIZE = 16384
DATA = 8  # first data register


@dataclass(frozen=True)
class Form:
    """One way of writing an address; {d} is the data register, in front for loads."""

    load: str
    store: str
    offset: int


FORMS = {
    "global vaddr": Form(
        "global_{n} {d}, v[2:3], off offset:{o}", "global_{n} v[2:3], {d}, off offset:{o}", -32
    ),
    "global saddr": Form(
        "global_{n} {d}, v2, s[32:33] offset:{o}", "global_{n} v2, {d}, s[32:33] offset:{o}", -16
    ),
    "flat": Form("flat_{n} {d}, v[2:3] offset:{o}", "flat_{n} v[2:3], {d} offset:{o}", 16),
    "buffer": Form(
        "buffer_{n} {d}, v2, s[36:39], s40 offen offset:{o}",
        "buffer_{n} {d}, v2, s[36:39], s40 offen offset:{o}",
        20,
    ),
}


def registers(bytes_per_lane: int, first: int = DATA) -> str:
    count = max(1, bytes_per_lane // 4)
    return f"v{first}" if count == 1 else f"v[{first}:{first + count - 1}]"


@cache
def code(arch: str) -> dict[tuple[str, str], bytes]:
    texts = {}
    for form_name, form in FORMS.items():
        for name, kind in (LOADS | STORES).items():
            text = form.load if name in LOADS else form.store
            texts[form_name, name] = text.format(n=name, d=registers(kind.bytes), o=form.offset)
    return dict(zip(texts, assemble(arch, list(texts.values())), strict=True))


def prepare(arch: str, form: str, shape: np.ndarray, mask: int, seed: int) -> tuple[Wave, int]:
    """A wave whose lanes point `shape` bytes past a place in fresh memory, and that place."""
    memory = Memory(cases.random_words(SIZE // 4, seed))
    wave = Wave(arch, memory)
    start = 4096
    base = memory.address + start - FORMS[form].offset
    if form in ("global vaddr", "flat"):
        wave.set_v64(2, base + shape)
    else:
        wave.v[2] = (shape + 512).astype(np.uint32)
        wave.set_s64(32, base - 512)
    if form == "buffer":
        wave.set_s64(36, memory.address + 100)
        wave.s[38] = SIZE
        wave.s[40] = start - FORMS[form].offset - 512 - 100
    for register in range(4):
        wave.v[DATA + register] = cases.random_words(64, seed + register + 1)
    wave.exec = mask
    return wave, start


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("arch", ARCHES)
@rows("name", LOADS)
def test_loads(arch: str, name: str, form: str) -> None:
    load = LOADS[name]
    count = max(1, load.bytes // 4)
    for seed, (shape_name, shape) in enumerate(cases.offsets(load.bytes, 7).items()):
        if arch == "gfx90a" and seed % 3:  # same code underneath: a sample will do
            continue
        for mask_name, mask in cases.masks(seed).items():
            wave, start = prepare(arch, form, shape, mask, seed)
            assert wave.memory is not None
            expected = wave.v.copy()
            for lane in cases.lanes(mask):
                at = start + int(shape[lane])
                raw = wave.memory.bytes[at : at + load.bytes].tobytes()
                expected[DATA : DATA + count, lane] = load.to_registers(raw)
            assert wave.run(code(arch)[form, name]) == 0, wave.message
            assert np.array_equal(wave.v, expected), (shape_name, mask_name)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("arch", ARCHES)
@rows("name", STORES)
def test_stores(arch: str, name: str, form: str) -> None:
    store = STORES[name]
    for seed, (shape_name, shape) in enumerate(cases.offsets(store.bytes, 11).items()):
        if arch == "gfx90a" and seed % 3:  # same code underneath: a sample will do
            continue
        for mask_name, mask in cases.masks(seed).items():
            wave, start = prepare(arch, form, shape, mask, seed)
            assert wave.memory is not None
            expected = wave.memory.bytes.copy()
            for lane in cases.lanes(mask):
                at = start + int(shape[lane])
                raw = store.from_registers([int(wave.v[DATA + r, lane]) for r in range(4)])
                expected[at : at + store.bytes] = np.frombuffer(raw, dtype=np.uint8)
            assert wave.run(code(arch)[form, name]) == 0, wave.message
            assert np.array_equal(wave.memory.bytes, expected), (shape_name, mask_name)


@pytest.mark.parametrize(
    "text", ["global_load_dwordx2 v[2:3], v[2:3], off", "flat_load_dwordx4 v[2:5], v[2:3]"]
)
def test_result_may_replace_the_address(text: str) -> None:
    (program,) = assemble("gfx942", [text])
    for shape in cases.offsets(16, 3).values():
        memory = Memory(cases.random_words(SIZE // 4, 5))
        wave = Wave(memory=memory)
        wave.set_v64(2, memory.address + shape)
        assert wave.run(program) == 0
        for lane in range(64):
            words = memory.bytes[int(shape[lane]) : int(shape[lane]) + 8].tobytes()
            assert [int(wave.v[2, lane]), int(wave.v[3, lane])] == [
                int.from_bytes(words[:4], "little"),
                int.from_bytes(words[4:], "little"),
            ]


def test_accumulation_registers_hold_data() -> None:
    program, back = assemble(
        "gfx942", ["global_load_dwordx2 a[8:9], v2, s[32:33]", "global_store_dword v2, a8, s[32:33]"]
    )
    memory = Memory(cases.random_words(1024, 1))
    wave = Wave(memory=memory)
    wave.v[2] = LANE * 8
    wave.set_s64(32, memory.address)
    assert wave.run(program) == 0
    words = memory.view(np.uint32)[:128].reshape(64, 2)
    assert np.array_equal(wave.v[256 + 8], words[:, 0])
    assert np.array_equal(wave.v[256 + 9], words[:, 1])
    wave.v[256 + 8] = 5
    assert wave.run(back) == 0
    assert np.all(memory.view(np.uint32)[:128:2] == 5)


def test_offset_register_is_unsigned() -> None:
    """The 32-bit offset beside a scalar base counts up to 4 GiB, not to minus 2."""
    (program,) = assemble("gfx942", ["global_load_dword v8, v2, s[32:33]"])
    memory = Memory(cases.random_words(256, 2))
    for first in (0x80000000, 0xFFFFFF00, 0xFFFFFF10):
        wave = Wave(memory=memory)
        wave.v[2] = (first + LANE * 4).astype(np.uint32)
        wave.set_s64(32, (memory.address - 0x80000000) & (1 << 64) - 1)
        fits = first == 0x80000000
        assert (wave.run(program) == 0) == fits
        if fits:
            assert np.array_equal(wave.v[8], memory.view(np.uint32)[:64])
