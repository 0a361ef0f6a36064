"""From traces to documents: sums, shares, means over runs, origins, reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument, Setting
from rocm_perf_lab.contracts.profiling.roofline_document import RooflineDocument
from rocm_perf_lab.errors import NoKernels
from rocm_perf_lab.profiling.documents.assemble import UNKNOWN_DEVICE, Circumstances, assemble
from rocm_perf_lab.rocpd.rows import Agent, KernelResources, Launches, LaunchKey, Trace

MI300X = Agent(
    index=1,
    name="gfx942",
    product_name="AMD Instinct MI300X",
    cu_count=304,
    xcd_count=8,
    simd_per_cu=4,
    wave_size=64,
    max_waves_per_simd=8,
    max_waves_per_cu=32,
    lds_bytes=65536,
    clock_mhz=2100.0,
    virtual=False,
)
RESOURCES = KernelResources(arch_vgprs=96, accum_vgprs=0, sgprs=32, lds_static_bytes=512, scratch_bytes=0)
SETTING = Setting(
    command=("./app",), working_directory=None, started=None, host={}, tools={}, prefix=None, gpu_state={}
)


def launches(
    kernel: str, *durations: int, grid: int = 1024, lds: int = 512, agent: int = 1, **counters: float
) -> Launches:
    """Launches of these durations in ns."""
    ordered = sorted(durations)
    middle = len(ordered) // 2
    median = ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    return Launches(
        key=LaunchKey(kernel, agent, (grid, 1, 1), (256, 1, 1), lds, 0),
        resources=RESOURCES,
        count=len(durations),
        total_ns=sum(durations),
        min_ns=min(durations),
        max_ns=max(durations),
        median_ns=median,
        counters=counters,
    )


def trace(*groups: Launches, agents: Sequence[Agent] = (MI300X,)) -> Trace:
    return Trace(
        sources=("a.db",),
        agents=tuple(agents),
        processes=(),
        launches=groups,
        begin_ns=0,
        end_ns=sum(group.total_ns for group in groups),
    )


def test_figures_by_hand() -> None:
    first = trace(launches("a", 100, 300), launches("a", 1000, grid=2048), launches("b", 600))
    second = trace(launches("a", 200, 400), launches("a", 1400, grid=2048), launches("b", 400))
    document, roofline = assemble([first, second], [], SETTING)
    assert document.runtime_ms == pytest.approx((2000 + 2400) / 2 / 1e6)
    assert document.stability is not None
    assert document.stability.samples_ms == pytest.approx((0.002, 0.0024))
    a, b = document.kernels
    assert (a.name, b.name) == ("a", "b")
    assert (a.launches, b.launches) == (3, 1)
    assert a.total_ms == pytest.approx((1400 + 2000) / 2 / 1e6)
    assert a.share == pytest.approx(3400 / 4400)
    assert a.mean_ms == pytest.approx(3400 / 6 / 1e6)
    assert (a.min_ms, a.max_ms) == (0.0001, 0.0014)
    assert a.median_ms is None  # launches of two sizes
    assert b.median_ms == pytest.approx(0.0005)
    large, small = a.groups
    assert (large.grid[0], small.grid[0]) == (2048, 1024)
    assert small.launches == 2
    assert small.median_ms == pytest.approx((200 + 300) / 2 / 1e6)
    assert document.kernel is not None
    assert document.kernel.name == "a"
    assert document.origin == "measured"
    assert a.occupancy is not None
    assert a.occupancy.theoretical == 0.625  # 96 VGPRs: 5 of 8 waves
    assert [kernel.name for kernel in roofline.kernels] == ["a", "b"]


def test_documents_are_valid_and_explain_every_null() -> None:
    document, roofline = assemble([trace(launches("a", 5))], [], SETTING)
    assert from_json(ProfileDocument, to_json(document), "profile.json") == document
    assert from_json(RooflineDocument, to_json(roofline), "roofline.json") == roofline
    assert set(document.missing) == {"roofline", "wall_ms"}


def test_only_timing_traces_tell_time() -> None:
    slow = trace(launches("a", 9_000_000, SQ_WAVE_CYCLES=1.0, GRBM_GUI_ACTIVE=8.0))
    document, _ = assemble([trace(launches("a", 1000))], [slow], SETTING)
    assert document.runtime_ms == 0.001
    assert document.kernels[0].total_ms == 0.001
    assert document.occupancy is not None
    assert document.occupancy.achieved == pytest.approx(4 / (304 * 32))


def test_dynamic_lds_is_what_is_not_static() -> None:
    document, _ = assemble([trace(launches("a", 1, lds=4608))], [], SETTING)
    assert document.resources is not None
    assert (document.resources.lds_static_bytes, document.resources.lds_dynamic_bytes) == (512, 4096)


def test_runs_that_differ_are_told() -> None:
    document, _ = assemble([trace(launches("a", 1, 1)), trace(launches("b", 5))], [], SETTING)
    assert any("did not launch the same" in warning for warning in document.warnings)
    assert document.kernels[0].stability.samples_ms == (0.0, pytest.approx(5e-6))
    same, _ = assemble([trace(launches("a", 1)), trace(launches("a", 2))], [], SETTING)
    assert same.warnings == ()


@pytest.mark.parametrize(
    ("virtual", "origin", "warned"),
    [(True, "simulated", False), (False, "measured", False), (None, "measured", True)],
)
def test_origins(virtual: bool | None, origin: str, warned: bool) -> None:
    made = trace(launches("a", 1), agents=[replace(MI300X, virtual=virtual)])
    document, roofline = assemble([made], [], SETTING)
    assert {document.origin, roofline.origin, document.kernels[0].origin} == {origin}
    assert (UNKNOWN_DEVICE in document.warnings) is warned


def test_chosen_kernels_keep_their_share_of_all() -> None:
    made = trace(launches("copy", 300), launches("add", 100))
    document, _ = assemble([made], [], SETTING, Circumstances(kernel_filter="^a"))
    assert [kernel.name for kernel in document.kernels] == ["add"]
    assert document.runtime_ms == 0.0001
    assert document.kernels[0].share == 0.25


@pytest.mark.parametrize("made", [[], [trace()]])
def test_nothing_was_launched(made: list[Trace]) -> None:
    with pytest.raises(NoKernels):
        assemble(made, [], SETTING)


def test_a_gpu_nobody_knows() -> None:
    agent = replace(MI300X, name="gfx777", product_name="new", cu_count=None, clock_mhz=None)
    document, roofline = assemble([trace(launches("a", 1), agents=[agent])], [], SETTING)
    assert document.occupancy is None
    assert "gfx777" in document.missing["occupancy"]
    to_json(document)
    to_json(roofline)


def test_launches_on_two_gpus() -> None:
    agents = [MI300X, replace(MI300X, index=2)]
    made = trace(launches("a", 10), launches("a", 30, agent=2), agents=agents)
    document, _ = assemble([made], [], SETTING)
    (kernel,) = document.kernels
    assert [group.gpu for group in kernel.groups] == [1, 0]
    assert len(document.gpus) == 2


def test_a_run_without_time() -> None:
    document, _ = assemble([trace(launches("a", 0)), trace(launches("a", 0))], [], SETTING)
    assert (document.runtime_ms, document.kernels[0].share) == (0, 0)
    to_json(document)
