"""Every label can be had, says why, and names what would change it."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from rocm_perf_lab.analysis.bottleneck import LABELS, THRESHOLDS, BottleneckShares, classify
from rocm_perf_lab.contracts.profiling.bottleneck import Label

from .known_kernels import KNOWN


def test_every_label_has_a_kernel() -> None:
    assert set(KNOWN) == set(get_args(Label)) == set(LABELS)


@pytest.mark.parametrize("label", LABELS)
def test_label(label: Label) -> None:
    found = classify(KNOWN[label])
    assert found.label == label
    assert found.certainty in ("high", "medium")
    assert found.contenders == ()
    assert found.evidence
    assert found.not_assessed == ()
    assert [one.score for one in found.runners_up] == sorted(
        (o.score for o in found.runners_up), reverse=True
    )
    assert found.margin == pytest.approx(found.score - found.runners_up[0].score)


@pytest.mark.parametrize("label", LABELS)
def test_what_would_change_it_does(label: Label) -> None:
    figures = KNOWN[label]
    changes = classify(figures).changes
    assert changes
    for change in changes:
        step = 0.002 if change.at > change.now else -0.002
        beyond = min(1.0, max(0.0, change.at + step))
        assert classify(replace(figures, **{change.figure: beyond})).label != label
        before = change.at - step if abs(change.at - change.now) > abs(step) else change.now
        assert classify(replace(figures, **{change.figure: before})).label == label
        assert change.label != label


@pytest.mark.parametrize("unit", ["memory", "compute", "lds", "issue"])
def test_a_unit_binds_from_its_threshold_on(unit: str) -> None:
    idle = BottleneckShares(
        memory=0.0, compute=0.0, lanes=1.0, lds=0.0, issue=0.0, occupied=0.9, waiting=0.9, outside=0.0
    )
    at = getattr(THRESHOLDS, unit)
    assert classify(replace(idle, **{unit: at - 0.01})).label == "latency bound"
    above = classify(replace(idle, **{unit: at + 0.01}))
    assert above.label != "latency bound"
    assert above.evidence[0].figure == unit
    assert above.evidence[0].comparison == "at least"


def test_few_waves_are_not_latency() -> None:
    waits = KNOWN["latency bound"]
    assert classify(replace(waits, occupied=0.29)).label == "under-occupied"
    assert classify(replace(waits, occupied=0.31)).label == "latency bound"


def test_trace_alone() -> None:
    """Without counters: too few waves and launches are seen, all else is not guessed."""
    assert classify(BottleneckShares(occupied=0.02, outside=0.1), depth="trace").label == "under-occupied"
    assert classify(BottleneckShares(occupied=0.9, outside=0.8), depth="trace").label == "launch bound"
    unseen = classify(
        BottleneckShares(occupied=0.9, outside=0.1), depth="trace", estimates=("occupied", "outside")
    )
    assert unseen.label == "unknown"
    assert unseen.certainty == "low"
    assert set(unseen.not_assessed) >= {"memory-bandwidth bound", "latency bound", "LDS bound"}
    nothing = classify(BottleneckShares(), depth="trace")
    assert (nothing.label, nothing.confidence, nothing.evidence) == ("unknown", 0.0, ())


def test_missing_figures_lower_the_confidence() -> None:
    figures = KNOWN["memory-bandwidth bound"]
    whole = classify(figures)
    part = classify(replace(figures, lds=None, issue=None))
    assert part.label == whole.label
    assert part.confidence == pytest.approx(whole.confidence * 6 / 8)
    guessed = classify(figures, estimates=("memory", "occupied"))
    assert guessed.confidence == pytest.approx(whole.confidence * 7 / 8)


def test_shares_only() -> None:
    with pytest.raises(ValueError, match="memory"):
        BottleneckShares(memory=1.2)
