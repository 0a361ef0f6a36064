"""What a calibration keeps, and that one without results is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocm_perf_lab.contracts.profiling.roofline import Ceiling
from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.profiling.calibration.calibrate import MeasuredRates, calibration_of
from rocm_perf_lab.profiling.calibration.rates import Reached
from rocm_perf_lab.rocpd.rows import Agent

MI300X = Agent(index=0, name="gfx942", product_name="AMD Instinct MI300X", cu_count=304, clock_mhz=2100)
HBM = Reached(
    Ceiling(
        name="hbm",
        figure="hbm",
        kind="memory",
        value=4100,
        unit="GB/s",
        origin="measured",
        source="microkernel copy",
    ),
    0.001,
)


@pytest.mark.parametrize(
    ("virtual", "origin"), [(True, "simulated"), (False, "measured"), (None, "measured")]
)
def test_origin_is_that_of_the_device(virtual: bool | None, origin: str) -> None:
    agent = replace(MI300X, virtual=virtual)
    document, _ = calibration_of(MeasuredRates([HBM], {"lds": "hipcc failed"}, agent), "1.0")
    assert document.origin == origin
    assert [one.origin for one in document.ceilings] == [origin]
    assert document.not_measured == {"lds": "hipcc failed"}
    assert document.tools == {"rocprofv3": "1.0"}


def test_what_one_kernel_measured_is_not_missing() -> None:
    document, _ = calibration_of(MeasuredRates([HBM], {"hbm": "triad is not in the trace"}, MI300X), "1.0")
    assert document.not_measured == {}


@pytest.mark.parametrize("agent", [None, MI300X])
def test_nothing_measured_is_an_error_with_all_reasons(agent: Agent | None) -> None:
    with pytest.raises(EnvironmentProblem, match="first; second"):
        calibration_of(
            MeasuredRates([], {"hbm": "first", "lds": "second", "valu f32": "first"}, agent), "1.0"
        )


def test_impossible_results_are_an_error_where_there_are_no_others() -> None:
    impossible = Reached(replace(HBM.ceiling, value=9000.0), 0.001)
    with pytest.raises(EnvironmentProblem, match="above the data sheet's 5300"):
        calibration_of(MeasuredRates([impossible], {}, MI300X), "1.0")
