"""Stands for rocm-perf-replay in tests: kernels are Python functions over the memory of a made capture.

The kernel's name is in the variable PRETEND_KERNEL of the tool; a variant's is the text of its file.
"""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from rocm_perf_lab.capturing.addresses import number
from rocm_perf_lab.capturing.folder import open_capture
from rocm_perf_lab.capturing.region_file import CHUNK, PAGE, PAGES_PER_CHUNK
from rocm_perf_lab.errors import ProgramFailed
from rocm_perf_lab.replaying.memory.memory_state import CapturedMemory
from rocm_perf_lab.replaying.memory.region_writer import RegionWriter
from rocm_perf_lab.replaying.native_tool.run_tool import ReplayRequest
from rocm_perf_lab.replaying.native_tool.tool import Tool
from rocm_perf_lab.replaying.proof.poison_pattern import pattern

IN, OUT = 0x7F0000000000, 0x7F0000200000
_SEEDS = itertools.count(1)


def scale(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    out[:] = 2 * x


def scale_wrongly(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    out[:] = 2 * x
    out[17] += 1


def scale_first_half(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    out[: len(out) // 2] = 2 * x[: len(out) // 2]


def in_place(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    out[:] = out * 2 + 1


def shift(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    """Element 0 is overwritten, but what it held goes to element 1."""
    out[1] = out[0]
    out[0] = 5


def add_up(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    """A float sum in an order that nobody promises."""
    order = np.array(choose.sample(range(1, 4001), 4000))
    total = np.float32(0)
    for term in np.float32(1) / order.astype(np.float32):
        total += term
    out[0] = total


def lose_updates(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    out[0] = choose.randrange(1000)


def read_clock(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    out[0] = 4711


def follow_index(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    """Takes an index from memory: poisoned, it leads outside."""
    at = float(x[0])
    if not (0 <= at < len(out)):
        raise ProgramFailed("the kernel faulted")
    out[:] = x + out[int(at)] * 0 + 1


def fault(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    raise ProgramFailed("the kernel faulted")


def nothing(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    pass


KERNELS = {
    function.__name__: function
    for function in (
        scale,
        scale_wrongly,
        scale_first_half,
        in_place,
        shift,
        add_up,
        lose_updates,
        read_clock,
        follow_index,
        fault,
        nothing,
    )
}


def replay(
    tool: Tool, request: ReplayRequest, variables: object = None, tick: object = None
) -> dict[str, Any]:
    """In the place of rocm_perf_lab.replaying.native_tool.run_tool.replay."""
    kernel = tool.environment["PRETEND_KERNEL"] if request.hsaco is None else request.hsaco.read_text()
    assert request.observe is not None
    with CapturedMemory(open_capture(request.capture)) as memory:
        state = {base: one.before(base, base + one.size) for base, one in memory.regions.items()}
        if request.poison is not None:
            poison = json.loads(request.poison.read_text())
            for one in poison["ranges"]:
                start, size = number(one["base"]), one["size"]
                region = next(base for base, held in state.items() if base <= start < base + len(held))
                assert start + size <= region + len(state[region])
                state[region][start - region : start - region + size] = pattern(start, size, poison["seed"])
        choose = random.Random(next(_SEEDS))
        with np.errstate(all="ignore"):
            KERNELS[kernel](state[IN].view("<f4"), state[OUT].view("<f4"), choose)
        pages, differing = write_differences(state, memory, request.observe / "iteration_0")
    return {
        "addresses": {"regions": 3, "exact": 3, "kernarg_exact": True, "code_exact": True},
        "agreement": [{"iteration": 0, "differing_pages": pages, "differing_bytes": differing}],
        "environment": {"gpu_agent": "gfx942", "gpu_index": 0, "pid": 1},
        "canaries": {"checked_bytes": 100, "damaged": []},
        "timing": {"values": [1.0]},
        "notes": [],
    }


def write_differences(state: dict[int, np.ndarray], memory: CapturedMemory, folder: Path) -> tuple[int, int]:
    folder.mkdir(parents=True)
    pages = differing = 0
    for base, got in state.items():
        expected = memory.regions[base].after(base, base + len(got))
        wrong = np.flatnonzero(got != expected)
        if not len(wrong):
            continue
        differing += len(wrong)
        numbers = sorted({int(one) // PAGE for one in wrong})
        pages += len(numbers)
        padded = np.zeros(-(-len(got) // CHUNK) * CHUNK, np.uint8)
        padded[: len(got)] = got
        with RegionWriter(folder / f"after_{base:016x}.bin", "after", base, len(got)) as writer:
            for chunk in sorted({one // PAGES_PER_CHUNK for one in numbers}):
                held = [one % PAGES_PER_CHUNK for one in numbers if one // PAGES_PER_CHUNK == chunk]
                rows = padded[chunk * CHUNK : (chunk + 1) * CHUNK].reshape(PAGES_PER_CHUNK, PAGE)
                writer.add(chunk, held, rows[held])
    return pages, differing
