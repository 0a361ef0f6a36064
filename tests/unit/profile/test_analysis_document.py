"""analysis.json: made from a profile alone, and with what the other documents of a run say."""

from __future__ import annotations

import pytest

from rocm_perf_lab.analysis.stability import stability
from rocm_perf_lab.contracts.analysis import AnalysisDocument, Criticality
from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.contracts.gpu import Gpu
from rocm_perf_lab.contracts.kernel import KernelProfile, LaunchGroup
from rocm_perf_lab.contracts.profile import ProfileDocument, Setting
from rocm_perf_lab.contracts.resources import Resources
from rocm_perf_lab.profile.analysis_document import analysis_document, idle_between_dispatches
from rocm_perf_lab.rocpd.rows import KernelResources, Launches, LaunchKey, Trace

NO = "not looked at"


def trace(begin: int | None, end: int | None, *durations: int) -> Trace:
    key = LaunchKey("k()", 0, (64, 1, 1), (64, 1, 1), 0, 0)
    launches = Launches(
        key,
        KernelResources(8, 0, 16, 0, 0),
        len(durations),
        sum(durations),
        min(durations),
        max(durations),
        None,
    )
    return Trace(("x.db",), (), (), (launches,), begin, end)


@pytest.mark.parametrize(
    ("traces", "idle"),
    [
        ([trace(0, 100, 30, 30, 30)], 5),
        ([trace(0, 100, 30, 30, 30), trace(0, 110, 30, 30, 30)], 7.5),
        ([trace(0, 50, 30, 30)], 0),  # they overlap
        ([trace(0, 30, 30)], None),  # one dispatch has nothing before it
        ([trace(None, None, 30, 30)], None),
        ([], None),
    ],
)
def test_idle_time(traces: list[Trace], idle: float | None) -> None:
    assert idle_between_dispatches(traces) == idle


def profile(gpu: Gpu | None = None) -> ProfileDocument:
    group = LaunchGroup(
        origin="measured",
        missing=dict.fromkeys(("median_ms", "occupancy", "roofline"), NO),
        gpu=0,
        grid=(64, 1, 1),
        block=(64, 1, 1),
        lds_bytes=0,
        launches=100,
        total_ms=0.2,
        mean_ms=0.002,
        median_ms=None,
        min_ms=0.002,
        max_ms=0.002,
        occupancy=None,
        roofline=None,
    )
    kernel = KernelProfile(
        origin="measured",
        missing=group.missing,
        name="k()",
        launches=100,
        total_ms=0.2,
        share=1.0,
        mean_ms=0.002,
        median_ms=None,
        min_ms=0.002,
        max_ms=0.002,
        stability=stability([0.2], "measured"),
        resources=Resources(
            origin="spec",
            arch_vgprs=8,
            accum_vgprs=0,
            sgprs=16,
            lds_static_bytes=0,
            lds_dynamic_bytes=0,
            scratch_bytes_per_lane=0,
            vgpr_spills=0,
            sgpr_spills=0,
            code_bytes=64,
        ),
        occupancy=None,
        roofline=None,
        groups=(group,),
    )
    return ProfileDocument(
        origin="measured",
        missing={"gpu": "the trace does not describe it"},
        kernel=None,
        gpu=gpu,
        gpus=(),
        runtime_ms=0.2,
        stability=stability([0.2], "measured"),
        resources=None,
        occupancy=None,
        roofline=None,
        kernels=(kernel,),
        wall_ms=None,
        passes=(),
        setting=Setting(
            command=("./app",),
            working_directory=None,
            started=None,
            host={},
            tools={},
            prefix=None,
            gpu_state={},
        ),
        warnings=(),
    )


def test_of_a_bare_trace() -> None:
    """Nothing known but times: short launches with longer gaps are seen, and every null says why."""
    document = analysis_document(profile(), idle_ns=6000.0)
    assert from_json(AnalysisDocument, to_json(document), "analysis.json") == document
    (kernel,) = document.kernels
    assert kernel.bottleneck.label == "launch bound"
    assert kernel.bottleneck.certainty == "low"
    assert kernel.headroom
    assert kernel.headroom.time_ms == pytest.approx(0.2 + 100 * 0.006)
    assert kernel.headroom.speedup == pytest.approx(4)
    assert set(kernel.missing) >= {"roofline", "criticality", "att", "achieved_occupancy"}
    assert document.thresholds["outside"] == 0.5


def test_with_the_critical_path() -> None:
    critical = Criticality(on_path_ms=0.1, weight=0.5, least_slack_ms=0.0, gain_at_2x_ms=None)
    document = analysis_document(profile(), criticality={"k()": critical}, att={})
    (kernel,) = document.kernels
    assert kernel.criticality == critical
    assert "other kernels" in kernel.missing["att"]
    to_json(document)
    assert kernel.bottleneck.label == "unknown"
    assert kernel.headroom is None
