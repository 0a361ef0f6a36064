"""A minimised capture: what is kept is the same, what is not is zero, and the documents agree with it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from rocm_perf_lab.capturing.folder import open_capture, verify
from rocm_perf_lab.capturing.region_file import PAGE
from rocm_perf_lab.replaying.memory.byte_ranges import ByteRanges
from rocm_perf_lab.replaying.memory.memory_state import CapturedMemory
from rocm_perf_lab.replaying.minimise import kept_bytes, size_of, write_minimised
from rocm_perf_lab.replaying.native_tool.access_set import AccessSet, read_access_set

from .made import IN, OUT, MadeCapture, Region, write_manifest

OTHER, KERNARG = 0x7F0000300000, 0x7F0000400000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    full = np.full(20 * PAGE, 7, np.uint8)
    changed = full.copy()
    changed[3 * PAGE : 5 * PAGE] = 9
    item = {"what": "region", "name": None, "outcome": "captured", "reason": None, "bytes": None}
    return MadeCapture(
        regions=[
            Region(IN, full.tobytes()),
            Region(OUT, full.tobytes(), changed.tobytes()),
            Region(OTHER, full.tobytes()),
            Region(KERNARG, b"\7" * 100, None, "host", "kernarg", None),
        ],
        items=[{**item, "address": hex(base)} for base in (IN, OUT, OTHER, KERNARG)],
    ).write(tmp_path / "capture")


def at(base: int, first: int, last: int) -> tuple[int, int]:
    return base + first * PAGE, base + last * PAGE


def test_what_is_kept(folder: Path, tmp_path: Path) -> None:
    capture = open_capture(folder)
    read = ByteRanges.of([at(IN, 1, 2), (IN + 18 * PAGE + 5, IN + 18 * PAGE + 6)])
    seen = AccessSet(read, ByteRanges.of([at(OUT, 4, 6)]), read)
    target = tmp_path / "small"
    target.mkdir()
    write_minimised(capture, kept_bytes(capture, seen), target)
    small = open_capture(target)
    verify(small)
    assert [region.base for region in small.memory.regions] == [hex(IN), hex(OUT), hex(KERNARG)]
    out = small.memory.regions[1]
    assert (out.changed_pages, out.changed_bytes) == (1, PAGE)
    with CapturedMemory(capture) as whole, CapturedMemory(small) as part:
        for base, pages in ((IN, {1, 18}), (OUT, {4, 5})):
            for page in range(20):
                for state in ("before", "after"):
                    there = getattr(whole.regions[base], state)(*at(base, page, page + 1))
                    here = getattr(part.regions[base], state)(*at(base, page, page + 1))
                    assert (here == (there if page in pages else 0)).all(), (base, page, state)
        assert (part.regions[KERNARG].before(KERNARG, KERNARG + 64) == 7).all()
    outcomes = {item.address: item.outcome for item in small.dispatch.verdict.items}
    assert outcomes[hex(OTHER)] == "left out"
    assert outcomes[hex(IN)] == "captured"
    assert size_of(small).pages < size_of(capture).pages
    assert small.bytes_on_disk == size_of(small).bytes_on_disk


def test_memory_that_is_mapped_twice(folder: Path) -> None:
    """The kernel goes through the second mapping; pages are kept where they are stored."""
    file = folder / "memory_regions.json"
    memory = json.loads(file.read_text())
    memory["regions"][1].update(kind="vmem", handle=5, handle_offset=0)
    memory["regions"][2].update(
        kind="vmem", handle=5, handle_offset=2 * PAGE, file=None, after=None, size=4 * PAGE
    )
    file.write_text(json.dumps(memory))
    (folder / "memory" / f"region_{OTHER:016x}.bin").unlink()
    write_manifest(folder)
    capture = open_capture(folder)
    touched = ByteRanges.of([at(OTHER, 1, 2)])
    kept = kept_bytes(capture, AccessSet(touched, ByteRanges(), touched))
    assert ByteRanges.of([at(OUT, 3, 4)]).difference(kept) == ByteRanges()
    assert not kept.intersection(ByteRanges.of([at(OUT, 4, 20), at(OUT, 0, 3)]))


def test_access_sets(tmp_path: Path) -> None:
    path = tmp_path / "set"
    line = {"dispatch": 1, "kernel": "k(int*)", "complete": True, "read": [["0x1000", 8]]}
    line |= {"written": [["0x2000", 16], ["0x3000", 1]], "read_before_written": [["0x2008", 4]]}
    path.write_text(json.dumps({**line, "kernel": "fill()"}) + "\n" + json.dumps(line) + "\n")
    found = read_access_set(path, "k(int*)")
    assert found is not None
    assert found.only_written.ranges == ((0x2000, 0x2008), (0x200C, 0x2010), (0x3000, 0x3001))
    assert read_access_set(path, "other()") is None
    assert read_access_set(tmp_path / "none", "k(int*)") is None
    path.write_text(json.dumps({**line, "complete": False}))
    assert read_access_set(path, "k(int*)") is None
