"""Inspection: buffers of arguments, bytes that changed (against brute force), resources, the screen."""

from __future__ import annotations

import itertools
import json
import random
import struct
from pathlib import Path

import pytest

from rocm_perf_lab.capturing.region_file import PAGE, RegionFile
from rocm_perf_lab.contracts.captures.inspection import InspectionDocument
from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.replaying.inspection import inspect_capture
from rocm_perf_lab.replaying.memory.changed_bytes import changes_between
from rocm_perf_lab.reporting.terminal.inspection import render

from .made_captures import IN, OUT, MadeCapture, Region, argument, differing, nonzero, region_file


def test_the_whole_document(tmp_path: Path) -> None:
    folder = MadeCapture().write(tmp_path / "c")
    document = inspect_capture(folder)
    assert from_json(InspectionDocument, to_json(document), "x") == document
    assert document.origin == "simulated"
    assert document.verified
    assert (
        document.capture.kernel
        == "void ns::scale<float, 4>(float const*, float*, float, Params, unsigned int)"
    )
    source, target = document.arguments[0].buffer, document.arguments[1].buffer
    assert source is not None
    assert target is not None
    assert (source.kind, source.offset, source.bytes, source.elements) == ("device", 0, 120000, 30000)
    assert source.changes is not None
    assert source.changes.bytes == 0
    assert target.changes is not None
    assert target.changes.bytes == document.capture.changed_bytes > 80000
    assert [one.bytes for one in target.changes.ranges] == [119993]  # from the first byte that is not 0
    assert [region.arguments for region in document.regions] == [(0,), (1,), ()]
    assert document.resources is not None
    assert (document.resources.arch_vgprs, document.resources.lds_dynamic_bytes) == (24, 512)
    assert document.occupancy is not None
    assert document.occupancy.theoretical == 1.0  # 24 VGPRs, 1536 bytes of LDS, 4 waves a group: 8 of 8 slots
    assert document.occupancy.missing["achieved"].startswith("a capture has no counters")
    assert document.capture.in_app_ms == pytest.approx(0.00634)


@pytest.mark.parametrize("seed", range(6))
def test_changed_bytes_by_brute_force(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randrange(1, 200_000)
    before = bytearray(size)
    before[: size // 2] = rng.randbytes(size // 2)
    after = bytearray(before)
    for _ in range(rng.randrange(1, 30)):
        at, length = rng.randrange(size), rng.choice([1, 4, 100, 5000])
        after[at : at + length] = rng.randbytes(len(after[at : at + length]))
    cuts = sorted(rng.sample(range(1, size), min(3, size - 1)))
    files = []
    for state, pages in (("before", nonzero(bytes(before))), ("after", differing(before, after))):
        path = tmp_path / state
        path.write_bytes(region_file(state, 0x1000, size, pages))
        files.append(RegionFile(path, state))  # type: ignore[arg-type]
    found = changes_between(files[0], files[1], cuts)
    bounds = [0, *cuts, size]
    for part, (start, end) in zip(found, itertools.pairwise(bounds), strict=True):
        different = [at - start for at in range(start, end) if before[at] != after[at]]
        assert part.bytes == len(different)
        ranges: list[list[int]] = []
        for at in different:
            if ranges and at - ranges[-1][1] <= PAGE:
                ranges[-1][1] = at
            else:
                ranges.append([at, at])
        assert part.ranges_in_all == len(ranges)
        expected = [(first, last - first + 1) for first, last in ranges[:16]]
        assert [(one.offset, one.bytes) for one in part.ranges] == expected


def test_two_arguments_in_one_region(tmp_path: Path) -> None:
    """A pool that the program divides by itself: each argument has what lies up to the next."""
    before = bytes(3 * PAGE)
    after = bytearray(before)
    after[100:108] = b"12345678"
    after[2 * PAGE + 5] = 1
    made = MadeCapture(
        symbol="_Z1kPiPdS_",
        demangled="k(int*, double*, int*)",
        regions=[Region(IN, before, bytes(after))],
        arguments=[
            argument(0, 0, struct.pack("<Q", IN), "global_buffer"),
            argument(1, 8, struct.pack("<Q", IN + 2 * PAGE), "global_buffer"),
            argument(2, 16, struct.pack("<Q", IN), "global_buffer"),
        ],
    )
    document = inspect_capture(made.write(tmp_path / "c"))
    buffers = [one.buffer for one in document.arguments]
    assert [one and (one.offset, one.bytes, one.elements) for one in buffers] == [
        (0, 2 * PAGE, 2048),
        (2 * PAGE, PAGE, 512),
        (0, 2 * PAGE, 2048),
    ]
    assert [one and one.changes and one.changes.bytes for one in buffers] == [8, 1, 8]
    (region,) = document.regions
    assert region.arguments == (0, 1, 2)
    assert region.changes is not None
    assert [(one.offset, one.bytes) for one in region.changes.ranges] == [(100, 8), (2 * PAGE + 5, 1)]


def test_pointers_that_lead_nowhere(tmp_path: Path) -> None:
    made = MadeCapture(
        symbol="_Z1kPiPv",
        demangled="k(int*, void*)",
        arguments=[
            argument(0, 0, bytes(8), "global_buffer"),
            argument(1, 8, struct.pack("<Q", 0xDEAD000), "global_buffer"),
        ],
    )
    first, second = inspect_capture(made.write(tmp_path / "c")).arguments
    assert first.missing["buffer"] == "a null pointer"
    assert second.missing["buffer"] == "0xdead000 is in no region that was captured"
    assert second.missing["element_bytes"] == "its type does not tell its size"


def test_a_second_mapping(tmp_path: Path) -> None:
    folder = MadeCapture().write(tmp_path / "c")
    from .made_captures import write_manifest

    path = folder / "memory_regions.json"
    plain = json.loads(path.read_text())
    plain["regions"][0] |= {"kind": "vmem", "handle": 7, "handle_offset": 0}
    alias = {**plain["regions"][0], "base": "0x7f0000300000", "file": None, "stored_bytes": 0}
    plain["regions"].insert(2, alias)
    path.write_text(json.dumps(plain))
    write_manifest(folder)
    document = inspect_capture(folder)
    assert document.regions[2].changes is None
    assert "another mapping" in document.regions[2].missing["changes"]
    assert "alias" in render(document)


def test_verification_can_be_left_out(tmp_path: Path) -> None:
    folder = MadeCapture().write(tmp_path / "c")
    file = folder / f"memory/region_{IN:016x}.bin"
    content = bytearray(file.read_bytes())
    content[5000] ^= 1
    file.write_bytes(content)
    with pytest.raises(BadInput):
        inspect_capture(folder)
    assert not inspect_capture(folder, verifying=False).verified


def test_the_screen(tmp_path: Path) -> None:
    refused = {
        "what": "hidden argument",
        "name": "hidden_hostcall_buffer",
        "outcome": "refused",
        "reason": "the kernel may print or allocate through the host",
        "address": "0x7f0000900000",
        "bytes": 4096,
    }
    made = MadeCapture(complete=False, items=[refused], build="1.18")
    text = render(inspect_capture(made.write(tmp_path / "c")))
    assert all(len(line) <= 80 for line in text.splitlines())
    assert text.startswith("captured on AMD Instinct MI300X")
    assert "NOT COMPLETE" in text
    assert "refused: hidden argument hidden_hostcall_buffer at 0x7f0000900000" in text
    assert "float const* = 0x7f0000000000" in text
    assert "117.2 KiB = 30000 float; 86.61 KiB changed" in text
    assert "hidden: hostcall_buffer 0x0\n" in text
    assert f"{hex(OUT)}  GPU memory" in text


def test_hostile_names_do_not_steer_the_terminal(tmp_path: Path) -> None:
    made = MadeCapture(demangled="\x1b[2Jk\u202e(int)")
    assert "\x1b" not in render(inspect_capture(made.write(tmp_path / "c")))
