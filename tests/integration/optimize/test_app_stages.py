"""The loop with a real program on the virtual GPU: an improvement that is proven, and what is not."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

import vrocm
from rocm_perf_lab.optimizing import proved_captures
from rocm_perf_lab.optimizing.app_stages import AppStages
from rocm_perf_lab.optimizing.building.build import BuildPlan
from rocm_perf_lab.optimizing.loop import LoopSettings, OptimizationLoop
from rocm_perf_lab.optimizing.proposers.rules import RulesProposer
from rocm_perf_lab.optimizing.records.journal import OptimizationJournal, read_journal
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.stages import Replays

SOURCE = """#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>
__global__ void row_sums(const float* in, float* out, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* x = in + size_t(row) * columns;
    float sum = 0;
    for (int j = 0; j < columns; ++j) sum += expf(x[j]);
    out[row] = sum;
}
int main() {
    const int rows = 256, columns = 128;
    std::vector<float> in(rows * columns, 0.25f), out(rows);
    float *din, *dout;
    hipMalloc(&din, in.size() * 4);
    hipMalloc(&dout, rows * 4);
    hipMemcpy(din, in.data(), in.size() * 4, hipMemcpyHostToDevice);
    row_sums<<<1, 64>>>(din, dout, 64, columns / 2);
    row_sums<<<rows / 64, 64>>>(din, dout, rows, columns);
    hipMemcpy(out.data(), dout, rows * 4, hipMemcpyDeviceToHost);
    hipFree(din);
    hipFree(dout);
    return !(out[17] > 164.0f && out[17] < 165.0f) && out[17] != 0;
}
"""
LOOP = "for (int j = 0; j < columns; ++j) sum += expf(x[j]);"


@pytest.fixture
def stages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppStages:
    for name, value in vrocm.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("VROCM_TIMING", raising=False)
    project = tmp_path / "project"
    project.mkdir()
    (project / "sums.hip").write_text(SOURCE)
    plan = BuildPlan("hipcc -O3 {source} -o {output}", project / "sums.hip", project)
    return AppStages(plan, (), tmp_path / "work", deep=False, timeout_s=600)


def test_an_improvement_that_is_proven(stages: AppStages, tmp_path: Path) -> None:
    settings = LoopSettings(iterations=1, trials=2)
    source = stages.plan.original
    with OptimizationJournal(tmp_path / "journal") as journal:
        outcome = OptimizationLoop(
            source, stages, RulesProposer(), journal, tmp_path / "records", settings, time.monotonic
        ).run()
    (tried,) = outcome.accepted
    assert tried.attempt.proposal.transform == "unroll"
    assert tried.kernel is not None
    assert tried.whole is not None
    assert tried.kernel.exact
    assert tried.kernel.verdict == "win"
    assert tried.whole.high is not None
    assert tried.whole.high < 1
    assert tried.equality is not None
    assert "byte for byte" in tried.equality.statement
    pragma = f"#pragma unroll {tried.attempt.proposal.factor}"
    assert source.read_text() == SOURCE.replace(f"    {LOOP}", f"    {pragma}\n    {LOOP}")
    assert [entry.event for entry in read_journal(tmp_path / "journal")][-3:] == [
        "accepting",
        "accepted",
        "end",
    ]


def test_a_proof_serves_for_all_variants(stages: AppStages, monkeypatch: pytest.MonkeyPatch) -> None:
    baseline = stages.build(SOURCE.encode(), "baseline")
    kernel = stages.profile(baseline).profile.kernels[0]
    made: list[int] = []
    proving = proved_captures.prove_capture
    monkeypatch.setattr(proved_captures, "prove_capture", lambda *given: made.append(1) or proving(*given))
    variant = stages.build(SOURCE.replace("j < columns", "j < columns / 2").encode(), "less-work")
    for _ in range(2):
        with pytest.raises(Refused) as caught:
            stages.compare(baseline, variant, kernel)
        assert caught.value.refusal.code == "outputs-differ"
        assert caught.value.refusal.detail.startswith("dispatch 0: variant: ")
    assert "byte for byte" in stages.compare(baseline, baseline, kernel).statement
    assert len(made) == 2  # one for each of the two launch geometries
    stages.via = "replay"
    replays = stages.replays(baseline, kernel)
    assert isinstance(replays, Replays), replays
    assert re.match(r"dispatch 0 for 1 launch, .* program; dispatch 1 for 1 launch, ", replays.how)
    assert replays.sample(baseline) == pytest.approx(kernel.total_ms, rel=0.1)
    assert replays.sample(variant) < replays.sample(baseline)
    crashing = stages.build(SOURCE.replace("x[j]);", "x[j + 100000000]);").encode(), "crashing")
    with pytest.raises(Refused) as caught:
        stages.time(crashing)
    assert caught.value.refusal.code == "run-failed"
