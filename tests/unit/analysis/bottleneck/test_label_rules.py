"""Nothing of a label is missing: test, evidence, ceiling, advice, documentation, example and colour."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from tests.doc_blocks import ROOT

from rocm_perf_lab.analysis.bottleneck import LABELS, RULES, THRESHOLDS, UNKNOWN, classify, headroom
from rocm_perf_lab.analysis.bottleneck.figures import NAMES
from rocm_perf_lab.analysis.bottleneck.held_figures import HeldFigures
from rocm_perf_lab.analysis.bottleneck.label_rule import Colour
from rocm_perf_lab.contracts.profiling.bottleneck import Headroom, Label
from rocm_perf_lab.optimizing.transforms.catalogue import TRANSFORMS

from .known_kernels import KNOWN

# Without what says which variant of it is made.
KINDS = {"unroll" if name.startswith("unroll") else name for name in TRANSFORMS}


def test_labels_of_the_contract() -> None:
    """In the same order: it decides equal scores, and is that of the schema."""
    assert get_args(Label) == LABELS
    assert all(rule.label == label for label, rule in RULES.items())


@pytest.mark.parametrize("label", LABELS)
def test_test_and_evidence(label: Label) -> None:
    rule, figures = RULES[label], KNOWN[label]
    assert rule.evidence
    assert set(rule.evidence) <= set(NAMES)
    score = rule.test(HeldFigures(figures.known, THRESHOLDS))
    assert score is not None
    assert 0 < score <= 1
    assert tuple(one.figure for one in classify(figures).evidence) == rule.evidence
    # It is about what it shows: without those figures it has no score, except where nothing is known.
    nothing = replace(figures, **dict.fromkeys(NAMES))
    assert (rule.test(HeldFigures(nothing.known, THRESHOLDS)) is None) == (rule is not UNKNOWN)


@pytest.mark.parametrize("label", LABELS)
def test_ceiling(label: Label) -> None:
    found = headroom(label, KNOWN[label], 1.0, ceilings={}, origin="measured")
    assert isinstance(found, Headroom) == (label != UNKNOWN.label)


@pytest.mark.parametrize("label", LABELS)
def test_advice(label: Label) -> None:
    helped_by = RULES[label].helped_by
    assert helped_by
    assert set(helped_by) <= KINDS
    assert all(0 < weight < 1 for weight in helped_by.values())
    assert f"`{label}`" in (ROOT / "agent-skill/references/profiling.md").read_text() or label == "unknown"


@pytest.mark.parametrize("label", LABELS)
def test_documentation_and_example(label: Label) -> None:
    rule = RULES[label]
    page, _, anchor = rule.documentation.partition("#")
    section = (ROOT / page).read_text().partition(f"\n## {anchor.capitalize()}\n")[2].partition("\n## ")[0]
    (row,) = [line for line in section.splitlines() if line.startswith(f"| {label} |")]
    assert row.startswith(f"| {label} | {rule.when} | ")
    if rule.example is None:
        assert rule is UNKNOWN
    else:
        assert row.endswith(f" `{rule.example}` |")
        assert (ROOT / "examples" / "bottlenecks" / rule.example).is_file()


def test_words_and_colour() -> None:
    shorts = [rule.short for rule in RULES.values()]
    assert len(set(shorts)) == len(shorts)
    assert all(rule.short and rule.when for rule in RULES.values())
    assert all(rule.colour in get_args(Colour) for rule in RULES.values())
    assert [rule.label for rule in RULES.values() if rule.colour == "grey"] == ["unknown"]
