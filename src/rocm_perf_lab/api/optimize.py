"""Changes kernels so that they are faster and keeps what is proven, as ``rocm-perf optimize`` does."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rocm_perf_lab.api.optimization.answer import Ask, answer_of
from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.profiling.processes.command_line import Program
from rocm_perf_lab.requests.values import AnyPath, at_least, path_of, positive

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.changes.optimization import OptimizationDocument, ReversionDocument


def optimize(
    program: Program,
    *,
    source: AnyPath | None = None,
    build: str | None = None,
    proposer: str = "rules",
    kernel: str | None = None,
    allow: Sequence[str] = (),
    via: Literal["app", "replay"] = "app",
    unchecked: bool = False,
    compare_output: bool = False,
    compare_file: Sequence[AnyPath] = (),
    min_improvement: float = 0.02,
    max_iters: int = 10,
    max_trials: int = 16,
    budget: str | float | None = None,
    timeout: float = 600.0,
    base_url: str | None = None,
    model: str | None = None,
    key_file: AnyPath | None = None,
    yes: bool = False,
    dry_run: bool = False,
    resume: bool = False,
    ask: Ask | None = None,
    tell: Callable[[str], None] | None = None,
) -> OptimizationDocument:
    """Change kernels of a program so that they are faster, and keep only what is proven.

    Keywords are the options of ``rocm-perf optimize``; ``budget`` is in seconds, or a text such as ``"10m"``.
    An accepted change is written into the source with ``yes``, or where ``ask`` (called with the source, the
    change in words and its diff) says so; else it is kept as a diff in the folder that the document names.
    ``tell`` is called with a line for each decision.
    """
    from rocm_perf_lab.api.optimization.request import proposer_of, request_of, settings_of
    from rocm_perf_lab.api.optimization.run_loop import journal_at, run_folder, run_loop
    from rocm_perf_lab.api.optimization.source import source_and_program
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.optimizing.records.folder import DOCUMENT, JOURNAL, PAGE
    from rocm_perf_lab.profiling.processes.command_line import find_program
    from rocm_perf_lab.reporting.html.story_page import write_story
    from rocm_perf_lab.reporting.whole_file import write_whole

    at_least(1, max_iters=max_iters, max_trials=max_trials)
    positive(timeout=timeout)
    if not 0 <= min_improvement < 1:
        raise UsageProblem(f"--min-improvement {min_improvement:g} is no share", "0.02 is 2 %")
    options: dict[str, Any] = {
        "build": build,
        "proposer": proposer,
        "kernel": kernel,
        "allow": tuple(allow),
        "via": via,
        "unchecked": unchecked,
        "compare_output": compare_output,
        "compare_file": tuple(Path(file) for file in compare_file),
        "min_improvement": min_improvement,
        "max_iters": max_iters,
        "max_trials": max_trials,
        "budget": budget,
        "timeout": timeout,
        "base_url": base_url,
        "model": model,
        "key_file": path_of(key_file),
        "yes": yes,
        "dry_run": dry_run,
        "resume": resume,
    }
    request = request_of(source_and_program(path_of(source), _words(program), options), options)
    find_program(request.program[0], os.environ)
    settings_of(request)  # what makes no sense is said before a folder is made
    chosen = proposer_of(request)
    with run_folder(request) as folder, journal_at(folder / JOURNAL, tell) as journal:
        document = run_loop(request, folder, journal, chosen, answer_of(request, ask))
        text = to_json(document)
        if not request.dry_run:
            write_whole(folder / DOCUMENT, [text.encode()])
            write_story(document, folder / PAGE)
    return document


def revert(source: AnyPath) -> ReversionDocument:
    """Take back what the last optimization wrote into a source, as ``rocm-perf optimize --revert`` does."""
    from rocm_perf_lab.optimizing.records.take_back import take_back

    return take_back(Path(source))


def _words(program: Program) -> tuple[str, ...]:
    """As they would stand on the command line; ``request_of`` reads them."""
    if isinstance(program, (str, os.PathLike)):
        return (os.fspath(program),)
    return tuple(program)
