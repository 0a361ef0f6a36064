"""The access set of a dispatch against a brute force over what the kernels are known to do."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from tests.commands import SECONDS

COUNT, BLOCK = 5000, 256
BLOCKS = -(-COUNT // BLOCK)


def words(indices):
    return {4 * i + byte for i in indices for byte in range(4)}


WHICH = [i * 37 % 101 for i in range(COUNT)]
SWAPPED = words(range(COUNT // BLOCK * BLOCK))
# kernel: what it reads and writes of each buffer, and what it may read before it is written.
EXPECTED = {
    "strided": {
        "read": {"in": words(COUNT - 1 - i for i in range(0, COUNT, 3))},
        "written": {"out": words(range(0, COUNT, 3))},
    },
    "bytes": {"read": {}, "written": {"out": {i for i in range(COUNT) if i % 7 != 3}}},
    "atomics": {
        "read": {"out": words(2 * w for w in WHICH), "which": set(range(COUNT))},
        "written": {"out": words(2 * w for w in WHICH)},
    },
    "scalar": {
        "read": {"in": words(i * BLOCKS for i in range(0, 20, 2))},
        "written": {"out": words(range(BLOCKS))},
    },
    "fill": {"read": {}, "written": {"out": set(range(COUNT * 4))}},
    "in_out": {"read": {"out": set(range(COUNT * 4))}, "written": {"out": set(range(COUNT * 4))}},
    "own_writes": {
        "read": {"out": set(range(COUNT * 4))},
        "written": {"out": set(range(COUNT * 4))},
        "read_before_written": {"out": words(range(COUNT // 2, COUNT))},
    },
    "through_memory": {
        "read": {"in": SWAPPED},
        "written": {"in": SWAPPED, "out": SWAPPED},
    },
    "joined": {"read": {}, "written": {"out": words(range(256))}},
    "nothing": {"read": {}, "written": {}},
}


GENERATIONS = {"gfx942": "MI300X", "gfx90a": "MI250X"}


@pytest.fixture(scope="module")
def observed(vrocm, hip_program, tmp_path_factory):
    """Runs the program: where its buffers lie, and the lines that were written."""
    folder = tmp_path_factory.mktemp("sets")

    def run(threads: str = "1", arch: str = "gfx942") -> tuple[dict[str, int], str]:
        program = hip_program("access_set.hip", f"--offload-arch={arch}")
        path = folder / f"{threads}-{arch}.jsonl"
        path.unlink(missing_ok=True)
        asked = {"VROCM_ACCESS_SET": str(path), "VROCM_THREADS": threads, "VROCM_DEVICE": GENERATIONS[arch]}
        done = subprocess.run(
            [str(program)], env={**vrocm, **asked}, capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode == 0, done.stdout + done.stderr
        bases = {name: int(base, 16) for name, base in map(str.split, done.stdout.splitlines())}
        return bases, path.read_text()

    return run


def lines(text: str) -> dict[str, dict[str, Any]]:
    rows = [json.loads(row) for row in text.splitlines()]
    return {row["kernel"].split("(")[0]: row for row in rows}


def within(ranges: list[list[Any]], base: int, size: int) -> set[int]:
    """The bytes of a buffer that ranges cover, from its base."""
    found = set()
    for begin, count in ranges:
        first = int(begin, 16)
        found |= {at - base for at in range(first, first + count) if 0 <= at - base < size}
    return found


@pytest.mark.parametrize("arch", GENERATIONS)
def test_sets_are_those_of_the_kernels(observed, arch: str) -> None:
    bases, text = observed(arch=arch)
    rows = lines(text)
    for kernel, expected in EXPECTED.items():
        row = rows[kernel]
        assert row["complete"] is True
        for part in ("read", "written", "read_before_written"):
            want = expected.get(part, expected["read"] if part == "read_before_written" else None)
            for name, size in (("in", COUNT * 4), ("out", COUNT * 4), ("which", COUNT)):
                assert within(row[part], bases[name], size) == want.get(name, set()), (kernel, part, name)


def test_nothing_besides_the_buffers_is_written(observed) -> None:
    bases, text = observed()
    for row in map(json.loads, text.splitlines()):
        for begin, count in row["written"]:
            at = int(begin, 16)
            inside = (base <= at and at + count <= base + COUNT * 4 for base in bases.values())
            assert any(inside), row["kernel"]


def test_ranges_are_sorted_merged_and_not_empty(observed) -> None:
    _, text = observed()
    rows = [json.loads(row) for row in text.splitlines()]
    assert [row["dispatch"] for row in rows] == sorted({row["dispatch"] for row in rows})
    for row in rows:
        for part in ("read", "written", "read_before_written"):
            ends = 0
            for begin, count in row[part]:
                assert count > 0
                assert int(begin, 16) > ends, (row["kernel"], part)
                ends = int(begin, 16) + count


@pytest.mark.parametrize("threads", ["4", "3"])
def test_any_number_of_threads_gives_the_same_bytes(observed, threads: str) -> None:
    assert observed(threads)[1] == observed()[1]


def test_pointers_lead_into_their_allocations(observed) -> None:
    bases, text = observed()
    rows = lines(text)
    for kernel, names in (("strided", ["in", "out"]), ("fill", ["out"]), ("atomics", ["out", "which"])):
        own = [one for one in rows[kernel]["pointers"] if one["kind"] == "device"]
        assert sorted(int(one["allocation"], 16) for one in own) == sorted(bases[name] for name in names)
        assert all(one["value"] == one["allocation"] and one["bytes"] >= COUNT for one in own)
