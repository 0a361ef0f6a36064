"""Large captures: what a stateless iteration costs, and more regions than a process may open files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from native_tool import Compile, Replay, made

X = 0x210000200000
MIB = 1 << 20
SIZE = 256 * MIB


def test_an_iteration_restores_what_was_dirtied(compiled: Compile, replay: Replay, tmp_path: Path) -> None:
    hsaco = compiled(
        """extern "C" __global__ void touch(unsigned* x) {
            unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
            for (unsigned k = 0; k < 16; ++k) x[i + k * 16384] = x[i + k * 16384] * 3 + 1;
        }"""
    )
    at = SIZE // 2
    maker = made(hsaco, "touch", X + at, grid=(16384, 1, 1), workgroup=(256, 1, 1))
    before = np.arange(SIZE // 4, dtype=np.uint32)
    after = before.copy()
    after[at // 4 : (at + MIB) // 4] = before[at // 4 : (at + MIB) // 4] * np.uint32(3) + np.uint32(1)
    maker.device(X, before, after)
    done = replay("full-vm", maker.write(tmp_path / "capture"), "--iterations", "4")
    assert done.code == 0, done.document
    restore = done.document["restore"]
    assert [one["differing_bytes"] for one in done.document["agreement"]] == [0] * 4
    assert restore["dirty_pages"] == 256
    assert restore["bytes"] >= SIZE
    assert restore["iteration_seconds"] < 0.05 * restore["full_seconds"], restore


def test_more_regions_than_files(compiled: Compile, replay: Replay, tmp_path: Path) -> None:
    # A list with a node in each region, through real pointers.
    hsaco = compiled(
        """struct Node { Node* next; long value; };
        extern "C" __global__ void walk(Node* node, long* sum) {
            for (; node; node = node->next) *sum += node->value++;
        }"""
    )
    count, step = 1500, 8192
    maker = made(hsaco, "walk", X, X + count * step, grid=(1, 1, 1), workgroup=(1, 1, 1))
    for number in range(count):
        following = X + (number + 1) * step if number + 1 < count else 0
        node = np.array([following, number], np.uint64)
        maker.device(X + number * step, node, node + np.array([0, 1], np.uint64))
    total = np.array([count * (count - 1) // 2], np.int64)
    maker.device(X + count * step, np.zeros(1, np.int64), total)
    few_files = ("sh", "-c", 'ulimit -n 400; exec "$0" "$@"')
    done = replay("full-vm", maker.write(tmp_path / "capture"), "--iterations", "2", wrapper=few_files)
    assert done.code == 0, done.document
    assert done.document["addresses"]["exact"] == count + 2
    assert [one["differing_bytes"] for one in done.document["agreement"]] == [0, 0]
