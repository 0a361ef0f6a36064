"""rocm-perf optimize --via replay: variants are timed by replays, and the winner in the application, too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from rocm_perf_lab.vrocm import prefix

SOURCE = """#include <hip/hip_runtime.h>
__global__ void row_sums(const float* in, float* out, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* x = in + row * columns;
    float sum = 0;
    for (int j = 0; j < columns; ++j) sum += expf(x[j]);
    out[row] = sum;
}
int main() {
    const int rows = 128, columns = 64;
    float *in, *out;
    (void)hipMalloc(&in, rows * columns * 4);
    (void)hipMalloc(&out, rows * 4);
    (void)hipMemset(in, 0, rows * columns * 4);
    row_sums<<<2, 64>>>(in, out, rows, columns);
    row_sums<<<1, 64>>>(in, out, rows / 2, columns);
    row_sums<<<2, 64>>>(in, out, rows, columns);
    float first = 0;
    (void)hipMemcpy(&first, out, 4, hipMemcpyDeviceToHost);
    (void)hipFree(in);
    (void)hipFree(out);
    return first != columns;
}
"""
SECONDS = 500


def test_timed_by_replays_and_confirmed_in_the_application(tmp_path: Path) -> None:
    (tmp_path / "sums.hip").write_text(SOURCE)
    environment = {**os.environ, **prefix.environment()}
    environment.pop("VROCM_TIMING", None)
    words = ("sums.hip", sys.executable, "--via", "replay", "--max-iters", "1", "--max-trials", "2", "--yes")
    done = subprocess.run(
        [sys.executable, "-m", "rocm_perf_lab", "optimize", *words, "--json"],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["via"] == "replay"
    (change,) = document["accepted"]
    taken = document["tried"][change["trial"]]
    assert taken["replays"].startswith("dispatch 0 for 2 launches, ")
    assert "dispatch 1 for 1 launch, " in taken["replays"]
    for time in (taken["replay_time"], taken["kernel_time"], taken["whole_time"], taken["process_time"]):
        assert time["after_ms"] < time["before_ms"]
    assert taken["process_time"]["before_ms"] > taken["whole_time"]["before_ms"]
    # Replays rank only where they take about as long as the program does.
    assert abs(taken["replay_time"]["before_ms"] / taken["kernel_time"]["before_ms"] - 1) < 0.1
    assert "#pragma unroll" in (tmp_path / "sums.hip").read_text()
    for tried in document["tried"]:
        won = tried["replay_time"] is not None and tried["replay_time"]["verdict"] == "win"
        lower = [one["code"] for one in tried["refusals"]] == ["replays-rank-lower"]
        assert (tried["kernel_time"] is not None) == (won and not lower)
