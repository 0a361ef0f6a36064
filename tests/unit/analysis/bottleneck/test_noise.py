"""Labels under noise: a label without contenders stays; near a boundary it can only become a contender."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocm_perf_lab.analysis.bottleneck import LABELS, THRESHOLDS, BottleneckShares, classify
from rocm_perf_lab.analysis.bottleneck.figures import NAMES
from rocm_perf_lab.contracts.profiling.bottleneck import Label

from .known_kernels import KNOWN

# A figure is often a ratio of two counters: each wrong by 1 % makes it wrong by 2 %.
NOISE_OF_A_FIGURE = 0.02

shares = st.floats(0, 1)
factors = st.floats(1 - NOISE_OF_A_FIGURE, 1 + NOISE_OF_A_FIGURE)


@st.composite
def near_thresholds(draw: st.DrawFn) -> dict[str, float]:
    """Anywhere, or within a twentieth of a threshold, where labels change."""
    values = {}
    for name in NAMES:
        at = getattr(THRESHOLDS, name)
        values[name] = draw(st.one_of(shares, st.floats(at - 0.05, at + 0.05)))
    return values


def label_of(figures: BottleneckShares, previous: Label | None = None) -> Label:
    return classify(figures, previous=previous, changes=False).label


def noisy(values: dict[str, float], by: dict[str, float]) -> BottleneckShares:
    return BottleneckShares(**{name: min(1.0, value * by[name]) for name, value in values.items()})


@settings(max_examples=300)
@given(near_thresholds(), st.fixed_dictionaries(dict.fromkeys(NAMES, factors)))
def test_noise_leads_to_contenders_only(values: dict[str, float], by: dict[str, float]) -> None:
    clean = classify(BottleneckShares(**values), changes=False)
    assert label_of(noisy(values, by)) in (clean.label, *clean.contenders)
    if clean.contenders:
        assert clean.certainty == "low"


@settings(max_examples=200)
@given(near_thresholds(), st.fixed_dictionaries(dict.fromkeys(NAMES, factors)))
def test_an_earlier_label_is_kept(values: dict[str, float], by: dict[str, float]) -> None:
    """Hysteresis: a run that differs by noise alone keeps the label of the run before it."""
    earlier = label_of(BottleneckShares(**values))
    assert label_of(noisy(values, by), earlier) == earlier


def test_an_earlier_label_is_not_kept_for_ever() -> None:
    assert classify(KNOWN["LDS bound"], previous="latency bound").label == "LDS bound"


@pytest.mark.parametrize("label", LABELS)
def test_the_examples_do_not_flip(label: Label) -> None:
    chance = random.Random(1)
    values = KNOWN[label].known
    for _ in range(300):
        by = {name: chance.uniform(0.99, 1.01) for name in NAMES}
        assert label_of(noisy(values, by)) == label


@settings(max_examples=100)
@given(near_thresholds())
def test_same_figures_same_label(values: dict[str, float]) -> None:
    figures = BottleneckShares(**values)
    assert classify(figures) == classify(replace(figures))
    found = classify(figures)
    assert 0 <= found.confidence <= 1
    assert 0 <= found.score <= 1
    assert {found.label, *(one.label for one in found.runners_up)} == set(LABELS)
