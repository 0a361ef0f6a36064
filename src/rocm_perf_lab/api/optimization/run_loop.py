"""Runs the loop of an optimization in a folder of its own, and tells of every decision."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocm_perf_lab.api.optimization.document import document_of
from rocm_perf_lab.api.optimization.plan import OptimizationPlan, settings_of
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, Interrupted, RocmPerfError, TimedOut
from rocm_perf_lab.requests.values import paths_of

if TYPE_CHECKING:
    from rocm_perf_lab.api.optimization.answer import Answering
    from rocm_perf_lab.contracts.changes.optimization import OptimizationDocument
    from rocm_perf_lab.optimizing.proposers.interface import Proposer
    from rocm_perf_lab.optimizing.records.journal import JournalEntry, OptimizationJournal
    from rocm_perf_lab.optimizing.refused import Refused


@contextlib.contextmanager
def run_folder(plan: OptimizationPlan) -> Iterator[Path]:
    """Of this optimization; a dry run's is gone afterwards."""
    from rocm_perf_lab.optimizing.records.folder import folder_of, last_run, new_run
    from rocm_perf_lab.optimizing.records.left_behind import clear_left_behind

    if plan.request.dry_run:
        with tempfile.TemporaryDirectory(prefix="rocm-perf-optimize-") as place:
            yield Path(place)
    else:
        clear_left_behind(plan.source)
        yield last_run(plan.source) if plan.request.resume else new_run(folder_of(plan.source))


def journal_at(path: Path, tell: Callable[[str], None] | None) -> OptimizationJournal:
    """One that tells of every decision, in a line."""
    from rocm_perf_lab.contracts.changes.proposal import Attempt
    from rocm_perf_lab.optimizing.records.journal import OptimizationJournal
    from rocm_perf_lab.reporting.terminal.optimize import render_trial

    class Telling(OptimizationJournal):
        def append(self, event: str, **data: Any) -> JournalEntry:
            entry = super().append(event, **data)
            if event == "decided" and tell is not None:
                attempt: Attempt = data["attempt"]
                line = render_trial(
                    attempt.proposal.kernel, str(attempt.proposal), attempt.accepted, attempt.refusals
                )
                tell(line)
            return entry

    return Telling(path)


def run_loop(
    plan: OptimizationPlan,
    folder: Path,
    journal: OptimizationJournal,
    proposer: Proposer,
    answer: Answering,
) -> OptimizationDocument:
    from rocm_perf_lab.optimizing.app_stages import AppStages
    from rocm_perf_lab.optimizing.building.build import BuildPlan
    from rocm_perf_lab.optimizing.building.confined import confined
    from rocm_perf_lab.optimizing.bundles.bundle import Recipe, bundles_of
    from rocm_perf_lab.optimizing.loop import OptimizationLoop
    from rocm_perf_lab.optimizing.program_output import OutputRequest
    from rocm_perf_lab.optimizing.records.folder import CHANGES, WORK
    from rocm_perf_lab.optimizing.refused import Refused

    before = plan.source.read_bytes()
    work = Path(tempfile.mkdtemp(prefix=WORK, dir=folder))
    stages = AppStages(
        BuildPlan(plan.build, plan.source, plan.build_folder or Path.cwd()),
        plan.program[1:],
        work,
        timeout_s=plan.request.timeout,
        via=plan.request.via,
        allowed=frozenset(plan.request.allow),
        unchecked=plan.request.unchecked,
        output=OutputRequest(plan.request.compare_output, paths_of(plan.request.compare_file)),
    )
    settings = settings_of(plan.request)
    loop = OptimizationLoop(
        plan.source, stages, proposer, journal, folder / CHANGES, settings, time.monotonic, answer
    )
    if not plan.request.dry_run:
        loop.bundle = bundles_of(plan.source, Recipe(plan.build, plan.program[1:], stages.output), stages)
    try:
        with confined():
            outcome = loop.run()
    except (KeyboardInterrupt, Interrupted):  # a run's own remedy names a folder that does not stay
        raise Interrupted(
            "interrupted", None if plan.request.dry_run else "--resume goes on", _kept(plan, folder)
        ) from None
    except Refused as problem:
        raise _of_the_source_itself(plan, problem) from problem
    except RocmPerfError as error:
        error.collected = _kept(plan, folder)  # what it names is in a folder that does not stay
        if isinstance(error, EnvironmentProblem) and not plan.request.dry_run:  # it can be mended
            error.remedy = "; ".join(filter(None, (error.remedy, "--resume goes on")))
        raise
    finally:
        stages.close()
        shutil.rmtree(work, ignore_errors=True)
    return document_of(plan, folder, loop, stages, outcome, before)


def _kept(plan: OptimizationPlan, folder: Path) -> str | None:
    return None if plan.request.dry_run else str(folder)


def _of_the_source_itself(plan: OptimizationPlan, problem: Refused) -> RocmPerfError:
    """Variants are refused and the loop goes on; where the source as it is fails, there is nothing to do."""
    cause = f"{plan.source} as it is: {problem.refusal}"
    if problem.refusal.code == "build-timed-out":
        return TimedOut(cause, "name a faster build with --build")
    return BadInput(cause, f'it was built with: {plan.build}; name another with --build "…"')
