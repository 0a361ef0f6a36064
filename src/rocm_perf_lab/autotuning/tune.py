"""A tuning: suggests, runs, learns, writes everything down, and confirms the best in turns with its
rivals."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from rocm_perf_lab.autotuning.build_ahead import BuildAhead, Unbuilt
from rocm_perf_lab.autotuning.compiled import Compiled
from rocm_perf_lab.autotuning.files import JOURNAL
from rocm_perf_lab.autotuning.journal import TuningJournal
from rocm_perf_lab.autotuning.search import Row, Search
from rocm_perf_lab.autotuning.settings import TuningSettings
from rocm_perf_lab.autotuning.space import Configuration, pool_of
from rocm_perf_lab.autotuning.tasks import TaskMaker
from rocm_perf_lab.autotuning.trial import TrialTask, TuningTrial
from rocm_perf_lab.contracts.changes.autotune import Phase, TrialFailure
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, Interrupted, ProgramFailed
from rocm_perf_lab.executors.executor import Executor
from rocm_perf_lab.executors.run_all import wait_for_slots

Stopped = Literal["evals", "budget", "space", "pruned"]
Tell = Callable[[TuningTrial, "Tuning"], None]
Chosen = tuple[Row, Phase, float | None]
"""What is to be run, and what it is expected to take."""

# Of the budget, at most.
FINAL_SHARE = 0.3
CONTENDERS = 3
# Variants that are compiled before one of them is chosen to run, where so many builds run at once.
LOOKED_AT = 4

# Failures that say nothing about the configuration.
LOST = ("worker", "environment")


@dataclass
class Tuning:
    settings: TuningSettings
    executor: Executor[TrialTask, TuningTrial]
    tell: Tell
    trials: list[TuningTrial] = field(default_factory=list)
    rounds: list[dict[Row, float]] = field(default_factory=list)
    """Of the final: what each of those in it took."""
    excluded: dict[Row, TrialFailure] = field(default_factory=dict)
    """Built and not run: they do not compile, or cannot be launched."""
    stopped: Stopped = "evals"
    seconds: float = 0.0

    def __post_init__(self) -> None:
        settings = self.settings
        self.journal = TuningJournal(settings.folder / JOURNAL, settings.about())
        self.tasks = TaskMaker(settings)
        self.pool = pool_of(settings.space, settings.seed)
        self.search = Search(settings.space, self.pool, settings.seed, settings.seeds, settings.prune_factor)
        self.ahead = BuildAhead(settings.build_jobs)
        self.began = time.monotonic()
        self._cached: dict[Row, TuningTrial] = {}
        self._rows: dict[int, Row] = {}
        self._phases: dict[int, tuple[Phase, float | None]] = {}
        self._first: list[tuple[Row, Phase]] = []
        if settings.baseline is not None:
            self._first.append((settings.space.levels_of(settings.baseline), "baseline"))

    def run(self, resume: bool) -> None:
        """Everything up to the final; what was found is in ``trials`` and ``search``."""
        if resume:
            self._take_up(self.journal.resume())
        else:
            self.journal.begin()
        try:
            self._prepare()
            self._explore()
            if self.search.best is None:
                raise self._nothing_worked()
            self._final()
        except KeyboardInterrupt:
            raise Interrupted(
                f"interrupted after {len(self.trials)} trials",
                "go on with the same options and --resume",
                collected=str(self.settings.folder),
            ) from None
        finally:
            self.executor.close()
            self.ahead.close()
            self.journal.close()
            self.seconds = time.monotonic() - self.began
        self.search.learn_all()

    def learn_before(self, configurations: Sequence[Configuration], times: Sequence[float | None]) -> None:
        """Results of another tuning of the same space, on another GPU maybe: some of its best are tried
        first."""
        known = {}
        for configuration, took in zip(configurations, times, strict=True):
            with contextlib.suppress(BadInput):  # a value that this space does not have
                known[self.settings.space.levels_of(configuration)] = took
        if not any(time is not None for time in known.values()):
            raise BadInput("none of the imported results is of a configuration of this space")
        self.search.learn_before(known)

    def time_of(self, trial: TuningTrial) -> float | None:
        """What the search makes small."""
        value = trial.value
        return 1.0 / value if value is not None and self.settings.maximize else value

    def value_of(self, time: float) -> float:
        return 1.0 / time if self.settings.maximize else time

    def final_samples(self, row: Row) -> list[float]:
        return [taken[row] for taken in self.rounds if row in taken]

    def final_pairs(self, one: Row, other: Row) -> tuple[list[float], list[float]]:
        """Of the rounds in which both worked."""
        both = [(taken[one], taken[other]) for taken in self.rounds if one in taken and other in taken]
        return [first for first, _ in both], [second for _, second in both]

    def trial_of(self, row: Row) -> TuningTrial:
        return next(
            trial
            for trial in self.trials
            if trial.phase != "final" and self.settings.space.levels_of(trial.configuration) == row
        )

    def _take_up(self, earlier: list[TuningTrial]) -> None:
        """Trials of before the kill answer suggestions without being run again. The final is run anew."""
        for trial in earlier:
            self.tasks.number = max(self.tasks.number, trial.number)
            if trial.phase != "final" and trial.failure not in LOST:
                self._cached[self.settings.space.levels_of(trial.configuration)] = trial

    def _prepare(self) -> None:
        row = self._first[0][0] if self._first else self.search.seeds[0]
        control = self.tasks.task(self.settings.space.configuration(row), "baseline", None)
        self.tasks.number -= 1  # it is no trial
        folder = self.settings.folder / "control"
        self.executor.prepare(replace(control, number=0, folder=folder, check=None))
        self._build_together([*(row for row, _ in self._first), *self.search.seeds])

    def _build_together(self, rows: Sequence[Row]) -> None:
        """What is run next, however many workers run it."""
        self._build_ahead(rows)
        if self.settings.objective != "gpu-time":
            self.ahead.wait()  # builds would disturb what is measured on the host

    def _build_ahead(self, rows: Sequence[Row]) -> None:
        if self.settings.build is not None:
            wanted = [row for row in rows if row not in self._cached and row not in self.search.tried]
            self.ahead.want([self.tasks.to_build(self.settings.space.configuration(row)) for row in wanted])

    def _explore(self) -> None:
        batch = self.settings.batch
        while True:
            room = (batch or self.executor.slots) - len(self._rows)
            # A batch is waited for as a whole.
            over = False if batch and self._rows else not self._start(max(0, room))
            if self._rows:
                self._wait(len(self._rows) if batch else 1)
            elif over:
                return
            else:
                remedy = "start workers, and go on with --resume"
                wait_for_slots(self.executor, remedy=remedy, kept=str(self.settings.folder))

    def _start(self, count: int) -> bool:
        """Starts so many trials; False when there are no more."""
        batch: list[Chosen] = []
        over = False
        while count and not over:
            count -= 1
            chosen = self._next()
            if chosen is None:
                over = True
            elif self.settings.batch:
                batch.append(chosen)
            else:
                self._submit(*chosen)
        if batch:
            self._build_together([row for row, _, _ in batch])
        for one in batch:
            self._submit(*one)
        return not over

    def _next(self) -> Chosen | None:
        """What to run next; what was run before the kill is observed on the way. None when it is over."""
        while True:
            if len(self.search.tried) + len(self.search.under_way) >= self.settings.evals:
                self.stopped = "evals"
                return None
            if self._time_is_up(self._for_the_final()):
                self.stopped = "budget"
                return None
            suggested = self._suggested()
            if suggested is None:
                self.stopped = "pruned" if self.search.all_pruned else "space"
                return None
            known = self._cached.pop(suggested[0], None)
            if known is None:
                break
            self._observe(suggested[0], known)
        if self._cached and not self._first:
            # What is left of before was suggested in another order: it is learned from all the same.
            for other, trial in self._cached.items():
                self._observe(other, trial)
            self._cached = {}
        return suggested

    def _suggested(self) -> Chosen | None:
        if self._first:
            row, phase = self._first.pop(0)
            self.search.begin(row)
            return row, phase, None
        phase = "seed" if self.search.seeding else "confirm"
        rows = self.search.shortlist(min(LOOKED_AT, self.settings.build_jobs))
        if not rows:
            return None
        row = self.search.best_of(self._by_their_code(rows))
        self.search.begin(row)
        expected = self.search.predicted(row) if phase == "confirm" else None
        return row, phase, self.value_of(expected[0]) if expected else None

    def _by_their_code(self, rows: list[Row]) -> list[Row]:
        """Those that can run, by what they compile to, which the model is told. Where none can, the first
        one: its trial is an observation, so that no more is built than so many for each evaluation."""
        # A batch has to come out the same wherever it runs.
        if self.settings.build is None or self.settings.batch or self.ahead.jobs < 2:
            return rows[:1]
        tasks = [self.tasks.to_build(self.settings.space.configuration(row)) for row in rows]
        # Of several workers none stands idle until all are built: what was built by now has to do.
        waiting = self.executor.slots == 1
        if waiting:
            self.ahead.want(tasks)
        possible: list[Row] = []
        unfit: list[tuple[Row, TrialFailure]] = []
        for row, task in zip(rows, tasks, strict=True):
            tells = self.ahead.look_at(task, waiting=waiting)
            if isinstance(tells, Compiled):
                self.search.learn_figures(row, tells.figures)
            if tells is Unbuilt.FAILED:
                unfit.append((row, "compile"))
            elif isinstance(tells, Compiled) and tells.never is not None:
                unfit.append((row, "launch"))
            else:
                possible.append(row)
        if not possible:
            return rows[:1]
        for row, why in unfit:
            self.excluded[row] = why
            self.search.exclude(row)
        return possible

    def _submit(self, row: Row, phase: Phase, predicted: float | None) -> None:
        best = self.search.best
        configuration: Configuration = self.settings.space.configuration(row)
        task = self.tasks.task(configuration, phase, self.value_of(best[1]) if best else None)
        self._rows[task.number] = row
        self._phases[task.number] = (phase, predicted)
        self.executor.submit(task)
        if phase == "confirm" and self.settings.objective == "gpu-time":
            self._build_ahead(self.search.likely[: max(0, self.ahead.idle - 1)])

    def _wait(self, count: int) -> None:
        """Takes so many trials; those of a batch in the order they were started."""
        ended: list[TuningTrial] = []
        while len(ended) < count:
            trial = self.executor.next(1.0)
            if trial is not None:
                ended.append(trial)
        for trial in sorted(ended, key=lambda one: one.number):
            row = self._rows.pop(trial.number)
            known = replace(trial, predicted=self._phases.pop(trial.number)[1])
            if known.failure == "environment":
                raise EnvironmentProblem(known.message, "rocm-perf doctor", str(self.settings.folder))
            self.journal.add(known)
            self._observe(row, known)

    def _observe(self, row: Row, trial: TuningTrial) -> None:
        self.trials.append(trial)
        self.search.learn_figures(row, trial.static)
        self.search.observe(row, self.time_of(trial))
        self.tell(trial, self)

    def _time_is_up(self, reserved: float = 0.0) -> bool:
        budget = self.settings.budget_s
        return budget is not None and time.monotonic() - self.began >= budget - reserved

    def _for_the_final(self) -> float:
        """Seconds of the budget that are kept for it: what it will take, but not too large a share."""
        budget, best = self.settings.budget_s, self.search.best
        if budget is None or best is None:
            return 0.0
        trial = self.trial_of(best[0])
        once = (trial.seconds - (trial.build_seconds or 0.0)) / max(1, len(trial.samples))
        rounds = 1 if trial.origin == "simulated" else self.settings.rounds
        return min(FINAL_SHARE * budget, rounds * CONTENDERS * once)

    def _final(self) -> None:
        """The best, the runner-up and the baseline in turns, so that what drifts meets all of them alike."""
        rows = self.contenders()
        if len(rows) < 2:
            return
        exact = all(
            self.trial_of(row).origin == "simulated" and self.settings.objective == "gpu-time" for row in rows
        )
        for number in range(1 if exact else self.settings.rounds):
            # Every second round the other way round, so that a steady drift cancels.
            taken = {row: self._once_more(row) for row in (rows if number % 2 == 0 else rows[::-1])}
            self.rounds.append({row: value for row, value in taken.items() if value is not None})
            if self._time_is_up():
                return

    def _once_more(self, row: Row) -> float | None:
        task: TrialTask = self.tasks.task(self.settings.space.configuration(row), "final", None)
        self.executor.submit(task, same_place=True)
        trial = None
        while trial is None:
            trial = self.executor.next(1.0)
        self.journal.add(trial)
        self.trials.append(trial)
        return trial.value

    def contenders(self) -> list[Row]:
        """The best, the runner-up, and the baseline if it works and is none of them."""
        ranked = sorted((time, row) for row, time in self.search.tried.items() if time is not None)
        rows = [row for _, row in ranked[:2]]
        if self.settings.baseline is not None:
            base = self.settings.space.levels_of(self.settings.baseline)
            if base not in rows and self.search.tried.get(base) is not None:
                rows.append(base)
        return rows

    def _nothing_worked(self) -> ProgramFailed:
        first = next((trial for trial in self.trials if trial.failure), None)
        said = f"; the first: {first.failure}: {first.message}" if first else ""
        return ProgramFailed(
            f"none of {len(self.trials)} configurations worked{said}",
            "run one of them by itself first; logs are in the folder",
            collected=str(self.settings.folder),
        )
