"""The roofline of a copy that was measured on an MI300X."""

from __future__ import annotations

import csv
from collections import defaultdict

import pytest
from tests.saved_data import MEASURED_COPY

from rocm_perf_lab.analysis.roofline import TimedLaunches, roofline
from rocm_perf_lab.contracts.documents import to_json
from rocm_perf_lab.contracts.profiling.roofline import Roofline

from .kernels import COPY_NS, MI300X, ROOFS, all_counters, launches, place


def test_figures_worked_out_by_hand() -> None:
    result = place(all_counters())
    memory = next(one for one in result.traffic if one.level == "hbm")
    assert memory.read_bytes == 65536 * 128 + 168 * 64 == 8_399_360
    assert memory.write_bytes == 131072 * 64 == 8_388_608
    assert result.bytes == 16_787_968
    assert result.achieved_gbps == pytest.approx(2494.497, abs=0.001)  # 16787968 bytes in 6730 ns
    assert memory.share_of_ceiling == pytest.approx(2494.497 / 5300, abs=1e-6)
    assert (result.flops, result.achieved_gflops, result.arithmetic_intensity) == (0, 0, 0)
    assert (result.bound, result.bound_by) == ("memory", "hbm")
    second = next(one for one in result.traffic if one.level == "l2")
    assert (second.read_bytes, second.write_bytes) == (8_388_608, 8_388_608)
    assert result.suspects == ()
    assert to_json(result)


@pytest.mark.skipif(not MEASURED_COPY.is_file(), reason="the measurement is not part of the source")
def test_all_counters_of_the_measurement() -> None:
    """Three launches, and every check holds on what hardware counted."""
    sums: dict[str, float] = defaultdict(float)
    spans: dict[str, int] = {}
    with MEASURED_COPY.open(newline="") as file:
        for row in csv.DictReader(file):
            sums[row["Counter_Name"]] += float(row["Counter_Value"])
            spans[row["Dispatch_ID"]] = int(row["End_Timestamp"]) - int(row["Start_Timestamp"])
    count = len(spans)
    result = roofline(
        [[launches(dict(sums), count)]],
        TimedLaunches(count * COPY_NS, count),
        MI300X,
        ROOFS,
        origin="measured",
    )
    assert isinstance(result, Roofline)
    assert count == 3
    memory = next(one for one in result.traffic if one.level == "hbm")
    assert memory.read_bytes == pytest.approx(3 * 8_399_360, rel=1e-3)
    assert memory.write_bytes == pytest.approx(3 * 8_388_608, rel=1e-3)
    assert result.achieved_gbps == pytest.approx(2494.5, rel=1e-3)
    assert result.suspects == ()
    assert (result.bound, result.bound_by) == ("memory", "hbm")
    assert result.active_lane_share == 1
