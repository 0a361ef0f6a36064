"""What holds for every kernel: rates do not depend on how often it ran; nothing follows from a suspect."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocm_perf_lab.analysis.roofline import wanted_counters
from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.contracts.profiling.roofline import Roofline

from .kernels import COPY_NS, place

COUNTERS = wanted_counters("gfx942")
some_counters = st.dictionaries(st.sampled_from(COUNTERS), st.integers(0, 10**7).map(float), min_size=1)
all_of_them = st.fixed_dictionaries(dict.fromkeys(COUNTERS, st.integers(0, 10**6).map(float)))


@settings(max_examples=150)
@given(counters=all_of_them, factor=st.integers(2, 1000))
def test_rates_do_not_depend_on_the_number_of_launches(counters: dict[str, float], factor: int) -> None:
    once = place(counters)
    often = place(
        {name: factor * value for name, value in counters.items()}, ns=factor * COPY_NS, count=factor
    )
    assert often.achieved_gbps == pytest.approx(once.achieved_gbps)
    assert often.achieved_gflops == pytest.approx(once.achieved_gflops)
    assert often.arithmetic_intensity == pytest.approx(once.arithmetic_intensity)
    assert often.active_lane_share == pytest.approx(once.active_lane_share)
    assert (often.bound, often.bound_by) == (once.bound, once.bound_by)
    assert [one.figure for one in often.suspects] == [one.figure for one in once.suspects]


@settings(max_examples=300)
@given(counters=some_counters, ns=st.floats(1, 1e9))
def test_nothing_follows_from_suspects_and_no_share_is_above_one(
    counters: dict[str, float], ns: float
) -> None:
    result = place(counters, ns=ns)
    figures = {one.figure for one in result.suspects}
    shares = [one.share_of_ceiling for one in (*result.work, *result.traffic)] + [result.share_of_roof]
    assert all(share is None or share <= 1 for share in shares)
    if any(figure == "traffic hbm" or figure.startswith("work") for figure in figures):
        assert result.bound is None
    if result.bound_by in ("lds", "l2"):
        assert f"traffic {result.bound_by}" not in figures
    assert result.bound_by is None or not result.bound_by.startswith("l1")


@settings(max_examples=150)
@given(counters=some_counters)
def test_every_null_has_a_reason_and_documents_survive(counters: dict[str, float]) -> None:
    result = place(counters)
    assert from_json(Roofline, to_json(result), "roofline") == result
