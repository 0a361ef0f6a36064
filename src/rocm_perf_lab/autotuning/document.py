"""tuning.json from a tuning that is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rocm_perf_lab.analysis.gate import GateVerdict, judge
from rocm_perf_lab.analysis.stability import stability
from rocm_perf_lab.autotuning.confidence import LEAST_R2, LEAST_TIMES, confidence
from rocm_perf_lab.autotuning.effects import effects
from rocm_perf_lab.autotuning.pruned import pruned
from rocm_perf_lab.autotuning.search import Row
from rocm_perf_lab.autotuning.trial import TuningTrial
from rocm_perf_lab.autotuning.tune import Tuning
from rocm_perf_lab.contracts.changes.autotune import (
    Candidate,
    Confirmation,
    ModelQuality,
    TrialFailure,
    TrialRecord,
    TuningDocument,
)
from rocm_perf_lab.contracts.profiling.comparison import Verdict
from rocm_perf_lab.contracts.section import Origin

NO_BASELINE = "no baseline was given (--baseline, or baseline in the space)"
BASELINE_FAILED = "the baseline failed"
ALONE = "nothing else worked"
BASELINE_IS_BEST = "the baseline is the best"
NO_FINAL = "no round of the final has both"

NEVER_RUN: tuple[TrialFailure, ...] = ("compile", "launch")
# Less is no difference.
RELEVANT = 0.01
# The best is compared with the baseline and with the runner-up: each comparison has half the chance to err.
COMPARISONS = 2
VERDICTS: dict[GateVerdict, Verdict] = {
    "win": "faster",
    "loss": "slower",
    "same": "same",
    "undecided": "undecided",
}


def tuning_document(tuning: Tuning) -> TuningDocument:
    settings, search = tuning.settings, tuning.search
    missing: dict[str, str] = {}
    rows = _ranked_by_final(tuning)
    best, runner_up = rows[0], rows[1] if len(rows) > 1 else None
    base = settings.space.levels_of(settings.baseline) if settings.baseline is not None else None
    baseline = _candidate(tuning, base) if base is not None and search.tried.get(base) is not None else None
    no_baseline = NO_BASELINE if base is None else BASELINE_FAILED
    against_baseline = None
    if baseline is None:
        missing |= dict.fromkeys(("baseline", "against_baseline", "speedup"), no_baseline)
    elif base == best:
        missing["against_baseline"] = BASELINE_IS_BEST
    else:
        assert base is not None
        against_baseline = _confirmation(tuning, best, base)
        if against_baseline is None:
            missing |= dict.fromkeys(("against_baseline", "speedup"), NO_FINAL)
    against_runner_up = None if runner_up is None else _confirmation(tuning, best, runner_up)
    if runner_up is None:
        missing |= dict.fromkeys(("runner_up", "against_runner_up"), ALONE)
    elif against_runner_up is None:
        missing["against_runner_up"] = NO_FINAL
    model = _model(tuning)
    if model is None:
        missing["model"] = f"fewer than {LEAST_TIMES} configurations gave a time, or all took the same"
    low = model is None or model.r2 < LEAST_R2
    if not low:
        missing["warning"] = "the model predicts what it was not shown well enough"
    if settings.metric is None:
        missing["metric"] = f"the objective is {settings.objective}"
    if settings.kernel is None:
        missing["kernel"] = "all kernels count"
    for name, template in (("build_template", settings.build), ("check_template", settings.check)):
        if template is None:
            missing[name] = "none was given"
    if settings.budget_s is None:
        missing["budget_s"] = "none was given"
    if not tuning.pool.complete:
        missing["configurations"] = "the space is too large to be listed"
    trials = tuning.trials
    kinds = Counter(trial.failure for trial in trials if trial.failure and trial.phase != "final")
    return TuningDocument(
        origin=_origin(trials),
        missing=missing,
        objective=settings.objective,
        maximize=settings.maximize,
        metric=settings.metric,
        kernel=settings.kernel,
        command_template=settings.command.words,
        build_template=settings.build.words if settings.build else None,
        check_template=settings.check.words if settings.check else None,
        parameters={one.name: one.values for one in settings.space.parameters},
        constraints=tuple(one.text for one in settings.space.constraints),
        configurations=len(tuning.pool.levels) if tuning.pool.complete else None,
        product=settings.space.product,
        seed=settings.seed,
        evals=settings.evals,
        budget_s=settings.budget_s,
        evaluated=len(search.tried),
        failed={str(kind): count for kind, count in sorted(kinds.items())},
        stopped=tuning.stopped,
        best=_candidate(tuning, best),
        baseline=baseline,
        runner_up=_candidate(tuning, runner_up) if runner_up is not None else None,
        speedup=against_baseline.speedup if against_baseline else 1.0 if base == best else None,
        against_baseline=against_baseline,
        against_runner_up=against_runner_up,
        model=model,
        warning="low_model_confidence" if low else None,
        effects=effects(search, settings.seed),
        pruned=pruned(search, settings.prune_factor, _never_run(tuning, kinds)),
        machines=tuning.executor.machines(),
        trials=tuple(_record(trial) for trial in trials),
        seconds=tuning.seconds,
        warnings=_warnings(tuning),
    )


def _ranked_by_final(tuning: Tuning) -> list[Row]:
    """The best first: by the final, where the two best were in it."""
    rows = tuning.contenders()[:2]
    if len(rows) == 2 and all(tuning.final_samples(row) for row in rows):
        first, second = (_mean(tuning.final_samples(row)) for row in rows)
        if (second > first) if tuning.settings.maximize else (second < first):
            rows.reverse()
    return rows


def _mean(samples: Sequence[float]) -> float:
    return sum(samples) / len(samples)


def _candidate(tuning: Tuning, row: Row) -> Candidate:
    trial = tuning.trial_of(row)
    samples = (*trial.samples, *tuning.final_samples(row))
    figures = stability(samples, trial.origin)
    missing = {}
    if figures.interval_low_ms is None:
        missing = dict.fromkeys(("interval_low", "interval_high"), figures.missing["interval_low_ms"])
    configuration = dict(tuning.settings.space.configuration(row))
    return Candidate(
        origin=trial.origin,
        missing=missing,
        configuration=configuration,
        command=tuning.tasks.command(configuration),
        value=figures.median_ms,
        samples=samples,
        interval_low=figures.interval_low_ms,
        interval_high=figures.interval_high_ms,
    )


def _confirmation(tuning: Tuning, best: Row, other: Row) -> Confirmation | None:
    """The judgement of the gate. Speedups are larger where the best is better, whatever the objective is.
    None where no round has both."""
    mine, theirs = tuning.final_pairs(best, other)
    if not mine:
        return None
    origin = tuning.trial_of(best).origin
    times = [[1.0 / one for one in side] if tuning.settings.maximize else side for side in (theirs, mine)]
    found = judge(times[0], times[1], origin=origin, improvement=RELEVANT, looks=COMPARISONS)
    assert found.ratio is not None
    missing = {}
    if found.low is None or found.high is None:
        missing = dict.fromkeys(("speedup_low", "speedup_high"), found.reason)
    return Confirmation(
        origin=origin,
        missing=missing,
        rounds=len(mine),
        best=tuple(mine),
        other=tuple(theirs),
        speedup=1.0 / found.ratio,
        speedup_low=None if found.high is None else 1.0 / found.high,
        speedup_high=None if found.low is None else 1.0 / found.low,
        verdict=VERDICTS[found.verdict],
        reason=found.reason,
    )


def _model(tuning: Tuning) -> ModelQuality | None:
    found = confidence(tuning.search.mixture)
    if found is None or tuning.search.mixture is None:
        return None
    return ModelQuality(
        observations=len(tuning.search.mixture.standard.targets),
        r2=found.r2,
        rank_correlation=found.rank_correlation,
        threshold=LEAST_R2,
        figures=tuning.search.figures,
    )


def _never_run(tuning: Tuning, failed: Mapping[TrialFailure, int]) -> Counter[TrialFailure]:
    """Built and not run, trials and those that did not come to that."""
    found = Counter(tuning.excluded.values())
    for kind in NEVER_RUN:
        found[kind] += failed.get(kind, 0)
    return found


def _origin(trials: Sequence[TuningTrial]) -> Origin:
    return "simulated" if any(trial.origin == "simulated" for trial in trials) else "measured"


def _record(trial: TuningTrial) -> TrialRecord:
    return TrialRecord(
        number=trial.number,
        phase=trial.phase,
        configuration=dict(trial.configuration),
        value=trial.value,
        samples=trial.samples,
        failure=trial.failure,
        message=trial.message,
        predicted=trial.predicted,
        seconds=trial.seconds,
        build_seconds=trial.build_seconds,
        host=trial.host,
        device=trial.device,
        static=dict(trial.static),
    )


def _warnings(tuning: Tuning) -> tuple[str, ...]:
    found = []
    failed = [trial for trial in tuning.trials if trial.phase == "final" and trial.failure]
    if failed:
        found.append(f"a run of the final failed: {failed[0].failure}: {failed[0].message}")
    hosts = {trial.host for trial in tuning.trials if trial.value is not None and trial.host}
    if len(hosts) > 1:
        found.append(f"trials ran on {len(hosts)} machines whose control configuration takes the same time")
    return tuple(found)
