"""All that the page of a tuning shows, as plain data: figures in words, charts in pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rocm_perf_lab.contracts.changes.autotune import (
    Candidate,
    Confirmation,
    ParameterEffect,
    TrialRecord,
    TuningDocument,
)
from rocm_perf_lab.reporting.terminal.autotune import STOPPED, figure, spelled
from rocm_perf_lab.reporting.words.figures import count, percent

WIDTH, HEIGHT = 640, 260
LEFT, BOTTOM, MARGIN = 64, 28, 24
MOST_TRIALS = 1000


@dataclass(frozen=True)
class Dot:
    x: float
    y: float
    kind: str
    title: str


@dataclass(frozen=True)
class Tick:
    at: float
    label: str


@dataclass(frozen=True)
class Chart:
    """Dots and a line in a box of WIDTH by HEIGHT; both axes have ticks."""

    dots: tuple[Dot, ...]
    line: str
    """Points of a polyline; empty for none."""
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]


@dataclass(frozen=True)
class EffectBar:
    value: str
    relative: str
    width: float
    """0 to 100: the slower, the longer."""
    runs: str


@dataclass(frozen=True)
class EffectView:
    name: str
    importance: str
    bars: tuple[EffectBar, ...]


@dataclass(frozen=True)
class TuningView:
    title: str
    simulated: bool
    facts: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    convergence: Chart
    prediction: Chart | None
    effects: tuple[EffectView, ...]
    trials: tuple[tuple[str, ...], ...]
    """Number, phase, configuration, figure or failure, predicted."""


def tuning_view(document: TuningDocument) -> TuningView:
    time = document.objective != "metric"
    tried = [trial for trial in document.trials if trial.phase != "final"]
    return TuningView(
        title=" ".join(document.command_template),
        simulated=document.origin == "simulated",
        facts=tuple(_facts(document, time)),
        warnings=(*((document.warning,) if document.warning else ()), *document.warnings),
        convergence=_convergence(tried, document.maximize, time),
        prediction=_prediction(tried, time),
        effects=tuple(_effect(one) for one in document.effects),
        trials=tuple(_row(trial, time) for trial in tried[:MOST_TRIALS]),
    )


def _facts(document: TuningDocument, time: bool) -> list[tuple[str, str]]:
    size = document.configurations
    space = count(size, "configuration") if size is not None else f"{document.product} before constraints"
    failed = ", ".join(f"{number} {kind}" for kind, number in document.failed.items()) or "none"
    facts = [
        ("best", f"{_taken(document.best, time)}: {spelled(document.best.configuration)}"),
        ("command", " ".join(document.best.command)),
        ("tried", f"{document.evaluated} of {space} ({STOPPED[document.stopped]})"),
        ("failed", failed),
    ]
    if document.baseline is not None:
        told = f"{_taken(document.baseline, time)}: {spelled(document.baseline.configuration)}"
        facts.append(("baseline", told))
    for name, one in (
        ("against the baseline", document.against_baseline),
        ("against the runner-up", document.against_runner_up),
    ):
        if one is not None:
            facts.append((name, _speedup(one)))
    if document.model is not None:
        model = document.model
        facts.append(
            ("model", f"R² {model.r2:.2f}, rank correlation {model.rank_correlation:.2f}, left-one-out")
        )
    pruned = document.pruned
    if pruned.predicted_slower is not None:
        facts.append(
            (
                "not run",
                f"{pruned.by_constraints} by constraints, {pruned.predicted_slower} expected to take "
                f"{pruned.factor:g}x the best or more, {pruned.expected_to_fail} expected to fail, "
                f"{pruned.not_reached} not reached",
            )
        )
    return facts


def _taken(one: Candidate, time: bool) -> str:
    if one.interval_low is None or one.interval_high is None or one.interval_low == one.interval_high:
        return figure(one.value, time)
    return f"{figure(one.value, time)} ({figure(one.interval_low, time)} … {figure(one.interval_high, time)})"


def _speedup(one: Confirmation) -> str:
    within = ""
    if one.speedup_low is not None and one.speedup_high is not None and one.speedup_low < one.speedup_high:
        within = f" ({one.speedup_low:.3f} … {one.speedup_high:.3f})"
    return f"{one.speedup:.3f}x{within}, {one.verdict}"


def _convergence(trials: Sequence[TrialRecord], maximize: bool, time: bool) -> Chart:
    """Each trial where it was made, and the best so far; failures lie on the ground."""
    values = [trial.value for trial in trials if trial.value is not None]
    scale = _Scale(values)
    better = max if maximize else min
    dots, line = [], []
    best: float | None = None
    for number, trial in enumerate(trials, 1):
        x = _across(number, len(trials))
        if trial.value is None:
            dots.append(Dot(x, HEIGHT - BOTTOM, "failed", f"{number}: {trial.failure}: {_named(trial)}"))
        else:
            best = trial.value if best is None else better(best, trial.value)
            dots.append(
                Dot(
                    x,
                    scale.at(trial.value),
                    trial.phase,
                    f"{number}: {figure(trial.value, time)}: {_named(trial)}",
                )
            )
        if best is not None:
            line.append(f"{x:.1f},{scale.at(best):.1f}")
    steps = sorted({1, *(round(len(trials) * share) for share in (0.25, 0.5, 0.75, 1.0))} - {0})
    across = tuple(Tick(_across(step, len(trials)), str(step)) for step in steps)
    return Chart(tuple(dots), " ".join(line), across, scale.ticks(time))


def _prediction(trials: Sequence[TrialRecord], time: bool) -> Chart | None:
    """What the model expected before a run, and what it took; on the line both are the same."""
    pairs = [
        (trial, trial.predicted, trial.value)
        for trial in trials
        if trial.predicted is not None and trial.value is not None
    ]
    if not pairs:
        return None
    scale = _Scale([value for _, *both in pairs for value in both])
    dots = tuple(
        Dot(
            scale.along(predicted),
            scale.at(value),
            trial.phase,
            f"expected {figure(predicted, time)}, took {figure(value, time)}: {_named(trial)}",
        )
        for trial, predicted, value in pairs
    )
    low, high = scale.low, scale.high
    line = f"{scale.along(low):.1f},{scale.at(low):.1f} {scale.along(high):.1f},{scale.at(high):.1f}"
    ticks = scale.ticks(time)
    across = tuple(
        Tick(scale.along(value), label.label) for value, label in zip(scale.marks(), ticks, strict=True)
    )
    return Chart(dots, line, across, ticks)


class _Scale:
    """A logarithmic scale over some values."""

    def __init__(self, values: Sequence[float]) -> None:
        self.low, self.high = min(values), max(values)
        if self.low == self.high:
            self.low, self.high = 0.9 * self.low, 1.1 * self.high

    def _share(self, value: float) -> float:
        return math.log(value / self.low) / math.log(self.high / self.low)

    def at(self, value: float) -> float:
        return HEIGHT - BOTTOM - MARGIN - self._share(value) * (HEIGHT - BOTTOM - 2 * MARGIN)

    def along(self, value: float) -> float:
        return LEFT + MARGIN + self._share(value) * (WIDTH - LEFT - 2 * MARGIN)

    def marks(self) -> list[float]:
        return [self.low * (self.high / self.low) ** (step / 4) for step in range(5)]

    def ticks(self, time: bool) -> tuple[Tick, ...]:
        return tuple(Tick(self.at(value), figure(value, time)) for value in self.marks())


def _across(number: int, total: int) -> float:
    return LEFT + MARGIN + (number - 1) / max(1, total - 1) * (WIDTH - LEFT - 2 * MARGIN)


def _named(trial: TrialRecord) -> str:
    return spelled(trial.configuration)


def _effect(effect: ParameterEffect) -> EffectView:
    most = max(one.relative for one in effect.values)
    bars = tuple(
        EffectBar(
            value=str(one.value),
            relative=f"{one.relative:.2f}",
            width=100.0 * one.relative / most,
            runs=count(one.runs, "run"),
        )
        for one in sorted(effect.values, key=lambda one: one.relative)
    )
    return EffectView(effect.name, percent(effect.importance), bars)


def _row(trial: TrialRecord, time: bool) -> tuple[str, ...]:
    took = figure(trial.value, time) if trial.value is not None else f"{trial.failure}: {trial.message}"
    predicted = figure(trial.predicted, time) if trial.predicted is not None else ""
    return str(trial.number), trial.phase, _named(trial), took, predicted
