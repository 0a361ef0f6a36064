"""Changed inputs of captures: what changes, what stays, and that the changed capture is one."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from rocm_perf_lab.capturing.element_layout import layout_of
from rocm_perf_lab.capturing.folder import Capture, open_capture, verify
from rocm_perf_lab.replaying.memory.byte_ranges import ByteRanges
from rocm_perf_lab.replaying.memory.captured_buffers import captured_buffers
from rocm_perf_lab.replaying.memory.memory_state import CapturedMemory
from rocm_perf_lab.replaying.proof.changed_capture import write_changed
from rocm_perf_lab.replaying.proof.changed_inputs import change_inputs, changed_elements, other_grid

from .made import IN, OUT, MadeCapture, Region, argument

COUNT = 40_000
EVERY = frozenset({"values", "order", "arguments", "fewer groups", "more groups"})


def elements(values: np.ndarray, type_name: str, parts=EVERY, seed: int = 1):
    layout = layout_of(type_name)
    assert layout is not None
    changed, done = changed_elements(layout, values.view(np.uint8).reshape(-1), parts, seed)
    return changed.view(values.dtype), done


def test_floating_point_values_shrink_and_keep_their_sign() -> None:
    before = np.array([1, -2, 0, np.inf, -np.inf, np.nan, 3e38, -1e-30] * 100, "<f4")
    after, done = elements(before, "float")
    assert done == {"values"}
    plain = np.isfinite(before) & (before != 0)
    ratio = after[plain].astype("f8") / before[plain]
    assert ratio.min() >= 0.5 - 1e-6
    assert ratio.max() <= 1
    assert len(np.unique(ratio)) > 100
    assert (after[before == 0] > 0).all()
    odd = ~np.isfinite(before)
    assert (after[odd].view("u4") == before[odd].view("u4")).all()


@pytest.mark.parametrize("type_name", ["double", "__half", "__hip_bfloat16"])
def test_every_size_of_floating_point_number(type_name: str) -> None:
    layout = layout_of(type_name)
    assert layout is not None
    ones = {"double": np.ones(64, "<f8"), "__half": np.ones(64, "<f2")}
    raw = ones.get(type_name, np.full(64, 0x3F80, "<u2"))
    after, _ = elements(raw, type_name)
    wide = type_name == "__hip_bfloat16"
    values = (after.astype("<u4") << 16).view("<f4") if wide else after
    assert ((values >= 0.49) & (values <= 1)).all()
    assert len(np.unique(values)) > 10


def test_integers_change_places_and_nothing_else() -> None:
    before = np.arange(1000, dtype="<i4")
    after, done = elements(before, "int")
    assert done == {"order"}
    assert (np.sort(after) == before).all()
    assert (after != before).any()
    same, done = elements(np.full(1000, 7, "<i4"), "int")
    assert (done, set(same.tolist())) == (set(), {7})


def test_pointers_and_unknown_bytes_stay() -> None:
    for type_name in ("float*", "void*"):
        before = np.arange(64, dtype="<u8")
        after, done = elements(before, type_name)
        assert (done, after.tolist()) == (set(), before.tolist())


@pytest.fixture
def capture(tmp_path: Path) -> Capture:
    x = np.linspace(1, 2, COUNT, dtype="<f4")
    out = np.zeros(COUNT, "<f4")
    made = MadeCapture(
        symbol="_Z1kPKfPfij",
        demangled="k(float const*, float*, int, unsigned int)",
        arguments=[
            argument(0, 0, struct.pack("<Q", IN), "global_buffer", name="x", region=hex(IN)),
            argument(1, 8, struct.pack("<Q", OUT), "global_buffer", name="out", region=hex(OUT)),
            argument(2, 16, struct.pack("<i", COUNT), "by_value", name="n"),
            argument(3, 20, struct.pack("<I", 1), "by_value", name="flag"),
        ],
        regions=[
            Region(IN, x.tobytes()),
            Region(OUT, out.tobytes(), (2 * x).tobytes()),
            Region(0x7F0000400000, b"\7" * 100, None, "host", "kernarg", None),
        ],
    ).write(tmp_path / "capture")
    return open_capture(made)


def changed(capture: Capture, folder: Path, parts, read: ByteRanges | None = None) -> Capture:
    with CapturedMemory(capture) as memory:
        inputs = change_inputs(capture, memory, captured_buffers(capture), read, frozenset(parts), 1)
    assert inputs.parts <= frozenset(parts)
    write_changed(capture, inputs, folder)
    made = open_capture(folder)
    verify(made)
    return made


def memory_of(capture: Capture, base: int) -> np.ndarray:
    with CapturedMemory(capture) as memory:
        return memory.regions[base].before(base, base + 4 * COUNT).view("<f4").copy()


def test_a_changed_capture_is_a_capture(capture: Capture, tmp_path: Path) -> None:
    read = ByteRanges(((IN, IN + 4 * COUNT),))
    made = changed(capture, tmp_path / "changed", EVERY - {"more groups"}, read)
    before, after = memory_of(capture, IN), memory_of(made, IN)
    assert (after < before).all()
    assert (memory_of(made, OUT) == memory_of(capture, OUT)).all()
    assert struct.unpack_from("<iI", made.kernarg(), 16) == (COUNT - 1, 1)
    geometry = capture.dispatch.geometry
    assert made.dispatch.geometry.grid[0] == geometry.grid[0] - geometry.workgroup[0]
    assert memory_of(capture, IN)[0] == 1  # the first one is what it was


def test_what_the_kernel_does_not_read_stays(capture: Capture, tmp_path: Path) -> None:
    made = changed(capture, tmp_path / "changed", {"values"}, ByteRanges(((IN + 400, IN + 800),)))
    same = memory_of(capture, IN) == memory_of(made, IN)
    assert np.flatnonzero(~same).tolist() == list(range(100, 200))
    assert made.kernarg() == capture.kernarg()


def test_one_workgroup_more(capture: Capture, tmp_path: Path) -> None:
    made = changed(capture, tmp_path / "changed", {"more groups"})
    grid, size = capture.dispatch.geometry.grid, capture.dispatch.geometry.workgroup
    assert made.dispatch.geometry.grid == other_grid(capture, 1)
    assert made.dispatch.geometry.grid[0] == grid[0] + size[0]
    assert struct.unpack_from("<3I", bytes.fromhex(made.dispatch.packet.bytes), 12) == (
        made.dispatch.geometry.grid
    )
