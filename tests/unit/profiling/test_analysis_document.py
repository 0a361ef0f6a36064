"""analysis.json: made from a profile alone, and with what the other documents of a run say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocm_perf_lab.analysis.stability import stability
from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.contracts.profiling.analysis import AnalysisDocument, Criticality
from rocm_perf_lab.contracts.profiling.gpu import Gpu
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile, LaunchGroup
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument, Setting
from rocm_perf_lab.contracts.profiling.resources import Resources
from rocm_perf_lab.profiling.documents.analysis import analysis_document, idle_before_launches
from rocm_perf_lab.rocpd.rows import KernelResources, Launches, LaunchKey, Trace

NO = "not looked at"


def trace(**launches: tuple[int, int, int]) -> Trace:
    """Kernel -> idle time, of how many launches it is the sum, and how many there are."""
    return Trace(
        ("x.db",),
        (),
        (),
        tuple(
            Launches(
                LaunchKey(name, 0, (64, 1, 1), (64, 1, 1), 0, 0),
                KernelResources(8, 0, 16, 0, 0),
                count,
                total_ns=30 * count,
                min_ns=30,
                max_ns=30,
                median_ns=None,
                idle_ns=idle,
                preceded=preceded,
            )
            for name, (idle, preceded, count) in launches.items()
        ),
        0,
        1000,
    )


@pytest.mark.parametrize(
    ("traces", "idle"),
    [
        ([trace(a=(10, 2, 3))], {"a": 5}),
        ([trace(a=(10, 2, 3)), trace(a=(20, 2, 3))], {"a": 7.5}),
        ([trace(a=(0, 1, 2), b=(40, 2, 2))], {"a": 0, "b": 20}),
        ([trace(a=(0, 0, 1))], {}),  # one dispatch has nothing before it
        ([], {}),
    ],
)
def test_idle_time(traces: list[Trace], idle: dict[str, float]) -> None:
    assert idle_before_launches(traces) == idle


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
    document = analysis_document(profile(), idle_ns={"k()": 6000.0})
    assert from_json(AnalysisDocument, to_json(document), "analysis.json") == document
    (kernel,) = document.kernels
    assert kernel.bottleneck.label == "launch bound"
    assert kernel.bottleneck.certainty == "low"
    assert kernel.headroom
    assert kernel.headroom.time_ms == pytest.approx(0.2 + 100 * 0.006)
    assert kernel.headroom.speedup == pytest.approx(4)
    assert set(kernel.missing) >= {"roofline", "criticality", "att", "achieved_occupancy"}
    assert document.thresholds["outside"] == 0.5


def test_each_kernel_has_its_own_idle_time() -> None:
    """That of another kernel makes none launch bound."""
    whole = profile()
    both = replace(whole, kernels=(whole.kernels[0], replace(whole.kernels[0], name="other()")))
    document = analysis_document(both, idle_ns={"k()": 100.0, "other()": 6000.0})
    assert [kernel.bottleneck.label for kernel in document.kernels] == ["unknown", "launch bound"]
    assert document.kernels[0].figures.outside == pytest.approx(100 / 2100)


def test_with_the_critical_path() -> None:
    critical = Criticality(on_path_ms=0.1, weight=0.5, least_slack_ms=0.0, gain_at_2x_ms=None)
    document = analysis_document(profile(), criticality={"k()": critical}, att={})
    (kernel,) = document.kernels
    assert kernel.criticality == critical
    assert "other kernels" in kernel.missing["att"]
    to_json(document)
    assert kernel.bottleneck.label == "unknown"
    assert kernel.headroom is None
