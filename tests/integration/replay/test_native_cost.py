"""What a stateless iteration costs when a large capture changes little."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from native_tool import Compile, Replay, made

X = 0x210000200000
GIB, MIB = 1 << 30, 1 << 20


def test_an_iteration_restores_what_was_dirtied(compiled: Compile, replay: Replay, tmp_path: Path) -> None:
    hsaco = compiled(
        """extern "C" __global__ void touch(unsigned* x) {
            unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
            for (unsigned k = 0; k < 16; ++k) x[i + k * 16384] = x[i + k * 16384] * 3 + 1;
        }"""
    )
    at = GIB // 2
    maker = made(hsaco, "touch", X + at, grid=(16384, 1, 1), workgroup=(256, 1, 1))
    before = np.arange(GIB // 4, dtype=np.uint32)
    after = before.copy()
    after[at // 4 : (at + MIB) // 4] = before[at // 4 : (at + MIB) // 4] * np.uint32(3) + np.uint32(1)
    maker.device(X, before, after)
    done = replay("full-vm", maker.write(tmp_path / "capture"), "--iterations", "4")
    assert done.code == 0, done.document
    restore = done.document["restore"]
    assert [one["differing_bytes"] for one in done.document["agreement"]] == [0] * 4
    assert restore["dirty_pages"] == 256
    assert restore["bytes"] >= GIB
    assert restore["iteration_seconds"] < 0.05 * restore["full_seconds"], restore
