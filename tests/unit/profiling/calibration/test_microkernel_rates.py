"""Rates of microkernels from traces."""

from __future__ import annotations

import pytest

from rocm_perf_lab.arch.device import peaks
from rocm_perf_lab.contracts.profiling.roofline import Ceiling
from rocm_perf_lab.profiling.calibration.microkernel import (
    FOLDER,
    MICROKERNELS,
    Microkernel,
    microkernels_for,
)
from rocm_perf_lab.profiling.calibration.rates import Reached, best_possible, rate_reached
from rocm_perf_lab.rocpd.rows import KernelResources, Launches, LaunchKey, Trace

FMA = Microkernel("vector", "fma_f32", "valu f32", "valu f32", "GFLOP/s")
COPY = Microkernel("memory", "copy", "hbm", "hbm", "GB/s")


def _launches(kernel: str, times: list[int]) -> Launches:
    key = LaunchKey(kernel, 0, (1, 1, 1), (256, 1, 1), 0, 0)
    resources = KernelResources(None, None, None, None, None)
    return Launches(key, resources, len(times), sum(times), min(times), max(times), None)


def _trace(**times: list[int]) -> Trace:
    """Launches by kernel and kind: fma_f32_1 is the short one."""
    launches = tuple(
        _launches(f"void {name[:-2]}<(Launch){name[-1]}>(void*, long)", spans)
        for name, spans in times.items()
    )
    return Trace((), (), (), launches, 0, 0)


def test_rounds_count_by_the_difference_of_the_shortest() -> None:
    trace = _trace(fma_f32_0=[9000], fma_f32_1=[3000, 2000], fma_f32_2=[4000, 5000])
    found = rate_reached(FMA, trace, {"fma_f32": (10_000, 40_000)})
    assert isinstance(found, Reached)
    assert found.ceiling.value == 30_000 / 2000
    assert found.resolution == 20 / 2000
    assert "fma_f32" in found.ceiling.source
    assert "30000" in found.ceiling.source


def test_streams_count_by_the_mean() -> None:
    found = rate_reached(COPY, _trace(copy_0=[1], copy_2=[3000, 5000]), {"copy": (0, 8000)})
    assert isinstance(found, Reached)
    assert found.ceiling.value == 2


def test_kernels_of_similar_names_are_told_apart() -> None:
    trace = _trace(fma_f32_1=[1000], fma_f32_2=[2000], fma_f32_packed_1=[1], fma_f32_packed_2=[2])
    found = rate_reached(FMA, trace, {"fma_f32": (0.5, 1000.5)})
    assert isinstance(found, Reached)
    assert found.ceiling.value == 1


@pytest.mark.parametrize(
    ("times", "work", "why"),
    [
        ({}, {}, "did not run"),
        ({}, {"fma_f32": (1.0, 4.0)}, "not in the trace"),
        ({"fma_f32_1": [5]}, {"fma_f32": (1.0, 4.0)}, "not in the trace"),
        ({"fma_f32_1": [5], "fma_f32_2": [5]}, {"fma_f32": (1.0, 4.0)}, "took no longer"),
    ],
)
def test_no_rate_has_a_reason(
    times: dict[str, list[int]], work: dict[str, tuple[float, float]], why: str
) -> None:
    found = rate_reached(FMA, _trace(**times), work)
    assert isinstance(found, str)
    assert why in found


def _reached(name: str, value: float, resolution: float = 0.01) -> Reached:
    ceiling = Ceiling(
        name=name, figure="hbm", kind="memory", value=value, unit="GB/s", origin="measured", source="copy"
    )
    return Reached(ceiling, resolution)


def test_best_of_several_and_nothing_impossible() -> None:
    sheet = [_reached("hbm", 100).ceiling]
    rates = [_reached("hbm", 50), _reached("hbm", 70), _reached("hbm", 60), _reached("hbm", 102)]
    best, impossible = best_possible(rates, sheet)
    assert [one.value for one in best] == [70]
    assert "above the data sheet" in impossible["hbm"]


def test_what_the_clock_cannot_resolve_is_not_impossible() -> None:
    best, impossible = best_possible([_reached("hbm", 100.9)], [_reached("hbm", 100).ceiling])
    assert [one.value for one in best] == [100.9]  # as measured
    assert not impossible


def test_partition_may_draw_more_than_its_share() -> None:
    sheet = [_reached("hbm", 100).ceiling, _reached("hbm (at most)", 800).ceiling]
    best, impossible = best_possible([_reached("hbm", 300)], sheet)
    assert best
    assert not impossible


def test_every_microkernel_has_a_source_that_names_it() -> None:
    for one in MICROKERNELS:
        assert f"{one.kernel}" in (FOLDER / f"{one.program}.hip").read_text()


@pytest.mark.parametrize("architecture", ["gfx90a", "gfx942", "gfx950", "gfx1100"])
def test_only_instructions_that_exist_are_measured(architecture: str) -> None:
    rates = peaks(architecture, "")
    assert rates is not None
    names = {one.ceiling for one in microkernels_for(rates)}
    assert {"hbm", "lds", "valu f32", "valu f64", "valu f16"} <= names
    assert ("mfma xf32" in names) == (architecture == "gfx942")
    assert ("mfma f8" in names) == (architecture in ("gfx942", "gfx950"))
    assert ("valu f32 packed" in names) == (architecture != "gfx1100")
    assert {"hbm", "lds", "valu f32"} <= {one.ceiling for one in microkernels_for(None)}
