"""From scores to a label with its evidence, its confidence and what would change it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rocm_perf_lab.contracts.profiling.bottleneck import (
    Bottleneck,
    Certainty,
    Depth,
    Label,
    LabelChange,
    RunnerUp,
)

from .evidence import evidence
from .figures import NAMES, BottleneckShares
from .held_figures import HeldFigures
from .labels import LABELS, RULES
from .thresholds import THRESHOLDS, Thresholds

Scores = dict[Label, float]

# How finely the way of a figure from 0 to 1 is searched for another label, and how exactly it is found.
STEPS = 24
EXACT = 1e-4


def classify(
    figures: BottleneckShares,
    *,
    depth: Depth = "counters",
    estimates: Collection[str] = (),
    previous: Label | None = None,
    changes: bool = True,
    thresholds: Thresholds = THRESHOLDS,
) -> Bottleneck:
    """``previous``: the label of an earlier run, kept as long as noise could explain the difference;
    ``changes``: whether to look for what would change the label, which takes milliseconds."""
    known = figures.known
    found = scores(known, thresholds)
    ranked = _ranked(found)
    near = [label for label in ranked if found[ranked[0]] - found[label] < thresholds.noise_margin]
    label = previous if previous in near else ranked[0]
    others = [one for one in ranked if one != label]
    margin = max(0.0, found[label] - found[others[0]]) if others else found[label]
    completeness = sum(0.5 if name in estimates else 1.0 for name in known) / len(NAMES)
    confidence = min(1.0, margin / thresholds.clear_margin) * completeness
    return Bottleneck(
        label=label,
        score=found[label],
        depth=depth,
        confidence=confidence,
        certainty=_certainty(confidence, len(near) > 1, thresholds),
        margin=margin,
        completeness=completeness,
        contenders=tuple(one for one in near if one != label),
        evidence=evidence(label, figures, thresholds),
        runners_up=tuple(RunnerUp(label=one, score=found[one]) for one in others),
        not_assessed=tuple(one for one in LABELS if one not in found),
        changes=tuple(_changes(known, ranked[0], thresholds)) if changes else (),
    )


def scores(known: Mapping[str, float], thresholds: Thresholds) -> Scores:
    """Of all labels whose figures there are; the highest one names the kernel."""
    held = HeldFigures(known, thresholds)
    found = {label: rule.test(held) for label, rule in RULES.items()}
    return {label: score for label, score in found.items() if score is not None}


def _ranked(found: Scores) -> list[Label]:
    """Highest first; of equals the one that comes first in the table."""
    return sorted(found, key=lambda label: (-found[label], LABELS.index(label)))


def _certainty(confidence: float, close: bool, thresholds: Thresholds) -> Certainty:
    if close or confidence < thresholds.medium:
        return "low"
    return "high" if confidence >= thresholds.high else "medium"


def _top(known: Mapping[str, float], thresholds: Thresholds) -> Label:
    found = scores(known, thresholds)
    highest = max(found.values())
    return next(label for label in LABELS if found.get(label) == highest)


def _changes(known: Mapping[str, float], label: Label, thresholds: Thresholds) -> list[LabelChange]:
    """For each figure the nearest value with another label; nearest figures first."""
    changes = []
    for name, now in known.items():
        found = [
            change
            for end in (0.0, 1.0)
            if (change := _towards(known, name, now, end, label, thresholds)) is not None
        ]
        if found:
            changes.append(min(found, key=lambda change: abs(change.at - now)))
    return sorted(changes, key=lambda change: abs(change.at - change.now))


def _towards(
    known: Mapping[str, float], name: str, now: float, end: float, label: Label, thresholds: Thresholds
) -> LabelChange | None:
    def at(value: float) -> Label:
        return _top({**known, name: value}, thresholds)

    same = now
    for step in range(1, STEPS + 1):
        other = now + (end - now) * step / STEPS
        if at(other) != label:
            break
        same = other
    else:
        return None
    while abs(other - same) > EXACT:
        middle = (same + other) / 2
        if at(middle) == label:
            same = middle
        else:
            other = middle
    return LabelChange(figure=name, now=now, at=other, label=at(other))
