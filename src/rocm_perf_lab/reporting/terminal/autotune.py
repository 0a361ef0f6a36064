"""Tunings for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from rocm_perf_lab.contracts.changes.autotune import (
    Candidate,
    Confirmation,
    RecordedSearchDocument,
    TuningDocument,
    Value,
)
from rocm_perf_lab.reporting.terminal.printable import printable
from rocm_perf_lab.reporting.words.figures import count, cut, digits, duration, percent

SHOWN = (1, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1000)


def render_recorded(document: RecordedSearchDocument) -> str:
    return "".join(printable(line).rstrip() + "\n" for line in _recorded(document))


def _recorded(document: RecordedSearchDocument) -> Iterator[str]:
    what = " ".join(part for part in (document.kernel, document.device) if part)
    yield f"{document.file} ({document.format}{', ' + what if what else ''}): {document.objective}"
    yield (
        f"{count(document.configurations, 'configuration')}, {document.failing} of them fail, "
        f"{document.within_1_percent} within 1 % of the best, {document.within_5_percent} within 5 %"
    )
    yield f"optimum / best found, over {count(len(document.seeds), 'search', 'searches')}"
    yield ""
    yield f"{'evaluations':>11}{'median':>9}{'quartiles':>17}{'worst':>9}{'random':>9}"
    last = len(document.quality)
    for quality in document.quality:
        if quality.evaluations in SHOWN or quality.evaluations == last:
            quartiles = f"{quality.lower_quartile:.3f} … {quality.upper_quartile:.3f}"
            yield (
                f"{quality.evaluations:>11}{quality.median:>9.3f}{quartiles:>17}"
                f"{quality.worst:>9.3f}{quality.random_median:>9.3f}"
            )
    yield ""
    explained = "" if document.median_r2 is None else f"; R² of the model {document.median_r2:.2f}"
    yield f"a suggestion takes {document.median_suggestion_ms:.1f} ms{explained}"


MOST_PARAMETERS = 8
MOST_VALUES = 6
STOPPED = {
    "evals": "as many as --evals allows",
    "budget": "until the budget was used up",
    "space": "all there are",
    "pruned": "all others were pruned",
}


def render(document: TuningDocument, folder: Path) -> str:
    return "".join(printable(line).rstrip() + "\n" for line in _tuning(document, folder))


def figure(value: float, time: bool) -> str:
    return duration(value) if time else digits(value)


def trial_line(phase: str, number: int, evals: int, configuration: Mapping[str, Value]) -> str:
    """The beginning of the line that tells of a trial."""
    return printable(f"{number:>4}/{evals} {phase:<8} {cut(spelled(configuration), 70)}")


def spelled(configuration: Mapping[str, Value]) -> str:
    return " ".join(f"{name}={_plain(value)}" for name, value in configuration.items())


def _plain(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _tuning(document: TuningDocument, folder: Path) -> Iterator[str]:
    simulated = "SIMULATED  " if document.origin == "simulated" else ""
    time = document.objective != "metric"
    size = f"{document.product} before constraints, too many to list"
    if document.configurations is not None:
        size = count(document.configurations, "configuration")
    failed = ", ".join(f"{number} {kind}" for kind, number in document.failed.items())
    yield (
        f"{simulated}{document.evaluated} of {size} tried ({STOPPED[document.stopped]})"
        + (f"; failed: {failed}" if failed else "")
    )
    yield ""
    yield _candidate("best", document.best, time)
    if document.baseline is not None:
        yield _candidate("baseline", document.baseline, time)
    if document.runner_up is not None:
        yield _candidate("runner-up", document.runner_up, time)
    yield ""
    if document.against_baseline is not None:
        yield _confirmation("baseline", document.against_baseline)
    elif "against_baseline" in document.missing:
        yield f"against the baseline: {document.missing['against_baseline']}"
    if document.against_runner_up is not None:
        yield _confirmation("runner-up", document.against_runner_up)
    yield f"command: {' '.join(document.best.command)}"
    yield ""
    yield from _effects(document, time)
    yield from _model(document)
    for warning in document.warnings:
        yield f"warning: {warning}"
    yield f"in {folder}"


def _candidate(name: str, one: Candidate, time: bool) -> str:
    within = ""
    if (
        one.interval_low is not None
        and one.interval_high is not None
        and one.interval_low < one.interval_high
    ):
        within = f" ({figure(one.interval_low, time)} … {figure(one.interval_high, time)})"
    return f"{name:<10}{figure(one.value, time):>10}{within}  {spelled(one.configuration)}"


def _confirmation(name: str, one: Confirmation) -> str:
    within = ""
    if one.speedup_low is not None and one.speedup_high is not None and one.speedup_low < one.speedup_high:
        within = f" ({one.speedup_low:.3f} … {one.speedup_high:.3f})"
    why = f": {one.reason}" if one.verdict == "undecided" else ""
    return f"against the {name}: {one.speedup:.3f}x{within}, {one.verdict}{why}"


def _effects(document: TuningDocument, time: bool) -> Iterator[str]:
    if not document.effects:
        return
    yield f"{'parameter':<20}{'importance':>11}  expected time of its values, over that of the best of them"
    for effect in document.effects[:MOST_PARAMETERS]:
        ranked = sorted(effect.values, key=lambda one: one.relative)
        values = "  ".join(f"{_plain(one.value)}: {one.relative:.2f}" for one in ranked[:MOST_VALUES])
        more = "  …" if len(ranked) > MOST_VALUES else ""
        yield f"{cut(effect.name, 19):<20}{percent(effect.importance):>11}  {cut(values, 60)}{more}"
    yield ""


def _model(document: TuningDocument) -> Iterator[str]:
    if document.model is not None:
        yield (
            f"model: R² {document.model.r2:.2f}, rank correlation {document.model.rank_correlation:.2f} "
            f"(each of {document.model.observations} predicted from the others)"
        )
    pruned = document.pruned
    if pruned.predicted_slower is not None:
        yield (
            f"not run: {pruned.predicted_slower} expected to take {pruned.factor:g}x the best or more, "
            f"{pruned.expected_to_fail} to fail, {pruned.not_reached} not reached"
            + (f", {pruned.not_compiled} do not compile" if pruned.not_compiled else "")
            + (f", {pruned.not_launchable} cannot be launched" if pruned.not_launchable else "")
        )
    if document.warning is not None:
        yield (
            "warning: low_model_confidence: predictions are not to be relied on; more --evals, a larger "
            "--seed-fraction, fewer parameters or steadier times would help"
        )
    for machine in document.machines:
        if not machine.used:
            yield f"warning: {machine.name} was not used: {machine.reason}"
