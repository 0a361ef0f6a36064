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
from rocm_perf_lab.api.optimization.request import OptimizationRequest, settings_of
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, Interrupted, RocmPerfError, TimedOut

if TYPE_CHECKING:
    from rocm_perf_lab.api.optimization.answer import Answering
    from rocm_perf_lab.contracts.changes.optimization import OptimizationDocument
    from rocm_perf_lab.optimizing.proposers.interface import Proposer
    from rocm_perf_lab.optimizing.records.journal import JournalEntry, OptimizationJournal
    from rocm_perf_lab.optimizing.refused import Refused


@contextlib.contextmanager
def run_folder(request: OptimizationRequest) -> Iterator[Path]:
    """Of this optimization; a dry run's is gone afterwards."""
    from rocm_perf_lab.optimizing.records.folder import folder_of, last_run, new_run
    from rocm_perf_lab.optimizing.records.left_behind import clear_left_behind

    if request.dry_run:
        with tempfile.TemporaryDirectory(prefix="rocm-perf-optimize-") as place:
            yield Path(place)
    else:
        clear_left_behind(request.source)
        yield last_run(request.source) if request.options["resume"] else new_run(folder_of(request.source))


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
    request: OptimizationRequest,
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

    before = request.source.read_bytes()
    work = Path(tempfile.mkdtemp(prefix=WORK, dir=folder))
    stages = AppStages(
        BuildPlan(request.build, request.source, request.build_folder or Path.cwd()),
        request.program[1:],
        work,
        timeout_s=request.options["timeout"],
        via=request.options["via"],
        allowed=frozenset(request.options["allow"]),
        unchecked=request.options["unchecked"],
        output=OutputRequest(request.options["compare_output"], request.options["compare_file"]),
    )
    settings = settings_of(request)
    loop = OptimizationLoop(
        request.source, stages, proposer, journal, folder / CHANGES, settings, time.monotonic, answer
    )
    if not request.dry_run:
        loop.bundle = bundles_of(
            request.source, Recipe(request.build, request.program[1:], stages.output), stages
        )
    try:
        with confined():
            outcome = loop.run()
    except (KeyboardInterrupt, Interrupted):  # a run's own remedy names a folder that does not stay
        raise Interrupted(
            "interrupted", None if request.dry_run else "--resume goes on", _kept(request, folder)
        ) from None
    except Refused as problem:
        raise _of_the_source_itself(request, problem) from problem
    except RocmPerfError as error:
        error.collected = _kept(request, folder)  # what it names is in a folder that does not stay
        if isinstance(error, EnvironmentProblem) and not request.dry_run:  # it can be mended
            error.remedy = "; ".join(filter(None, (error.remedy, "--resume goes on")))
        raise
    finally:
        stages.close()
        shutil.rmtree(work, ignore_errors=True)
    return document_of(request, folder, loop, stages, outcome, before)


def _kept(request: OptimizationRequest, folder: Path) -> str | None:
    return None if request.dry_run else str(folder)


def _of_the_source_itself(request: OptimizationRequest, problem: Refused) -> RocmPerfError:
    """Variants are refused and the loop goes on; where the source as it is fails, there is nothing to do."""
    cause = f"{request.source} as it is: {problem.refusal}"
    if problem.refusal.code == "build-timed-out":
        return TimedOut(cause, "name a faster build with --build")
    return BadInput(cause, f'it was built with: {request.build}; name another with --build "…"')
