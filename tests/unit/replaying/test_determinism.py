"""Labels: deterministic, order-dependent, racy."""

from __future__ import annotations

import random
import struct

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rocm_perf_lab.capturing.element_layout import layout_of
from rocm_perf_lab.replaying.memory.determinism import Label, Spread, worst
from rocm_perf_lab.replaying.memory.tolerance import Tolerance
from rocm_perf_lab.replaying.proof.self_replay import widest


def label(type_name: str, runs: list[bytes], work_items: int) -> Label:
    layout = layout_of(type_name)
    assert layout is not None
    spread = Spread(layout)
    spread.add([np.frombuffer(run, np.uint8) for run in runs])
    return spread.label(work_items)


@settings(max_examples=30)
@given(st.integers(2, 3000), st.booleans(), st.integers(0, 1 << 30))
def test_reordered_sums_are_order_dependent(terms: int, cancel: bool, seed: int) -> None:
    choose = random.Random(seed)
    sums = []
    columns = [[choose.random() - (0.5 if cancel else 0) for _ in range(terms)] for _ in range(6)]
    for _ in range(4):
        totals = []
        for column in columns:
            total = np.float32(0)
            for value in choose.sample(column, terms):
                total += np.float32(value)
            totals.append(total)
        sums.append(np.array(totals, "<f4").tobytes())
    expected = "deterministic" if len(set(sums)) == 1 else "order-dependent"
    found = label("float", sums, terms)
    # Terms that cancel hide how large they were: the sum alone cannot always tell it from a race.
    assert found == expected or (cancel and found == "racy")
    if not cancel:
        assert found == expected


def test_a_lost_update_is_a_race() -> None:
    whole, lost = struct.pack("<f", 1000.0), struct.pack("<f", 999.0)
    assert label("float", [whole, whole, lost], 1000) == "racy"


def test_integers_never_depend_on_order() -> None:
    assert label("int", [struct.pack("<i", 1), struct.pack("<i", 2)], 1 << 20) == "racy"


def test_nan_that_comes_and_goes_is_a_race() -> None:
    assert label("float", [struct.pack("<f", 1.0), struct.pack("<f", float("nan"))], 1 << 20) == "racy"


def test_nan_that_stays_is_no_spread() -> None:
    quiet, other = b"\x00\x00\xc0\x7f", b"\x01\x00\xc0\x7f"
    assert label("float", [quiet, other], 64) == "order-dependent"
    assert label("float", [quiet, quiet], 64) == "deterministic"


def test_worst() -> None:
    assert worst([]) == "deterministic"
    assert worst(["deterministic", "racy", "order-dependent"]) == "racy"


def test_what_is_learned_is_at_least_one_rounding() -> None:
    layout = layout_of("float")
    assert layout is not None
    spread = Spread(layout)
    quiet, other = b"\x00\x00\xc0\x7f", b"\x01\x00\xc0\x7f"  # NaN, in two ways
    spread.add([np.frombuffer(run, np.uint8) for run in (quiet, other)])
    assert widest(spread.lines) == Tolerance(2.0**-23, 0.0)
