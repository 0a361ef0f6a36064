"""``rocm-perf suite run``: captures as a regression suite, replayed, validated and timed."""

from __future__ import annotations

import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocm_perf_lab.cli.executor_options import executor_options, make_executor
from rocm_perf_lab.cli.percentage import share_of
from rocm_perf_lab.errors import UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.suite.case import CaseResult

_PATH = click.Path(path_type=Path)


@click.group()
def command() -> None:
    """Captures as a regression suite."""


@command.command(name="run")
@click.option("--baseline", type=_PATH, help="suite.json of an earlier run, or its folder: compare times.")
@click.option(
    "--fail-on-regression",
    "limit",
    metavar="PERCENT",
    default="5%",
    show_default=True,
    help="Exit with 8 if slower by more.",
)
@click.option("--relevant", metavar="PERCENT", default="1%", show_default=True, help="Less is no change.")
@click.option(
    "--hsaco",
    "variants",
    multiple=True,
    type=_PATH,
    help="Replay with the kernels in this program, library or code object.",
)
@click.option(
    "--runs", type=click.IntRange(min=2), default=5, show_default=True, help="Fresh processes of each."
)
@click.option(
    "--iterations",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Timed executions in a process; 0: no times.",
)
@click.option("--rtol", type=float, help="Relative error that floating-point values may have.")
@click.option("--atol", type=float, help="Absolute error that floating-point values may have.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds of one execution.")
@executor_options
@click.option("--out", type=_PATH, help="Folder. [default: a new .rocm-perf/<run>]")
@click.option("--junit", type=_PATH, help="Write JUnit XML there.")
@click.option("--quiet", is_flag=True, help="No line for each capture on stderr.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
@click.argument("captures", nargs=-1, required=True, type=_PATH)
def run_command(
    captures: tuple[Path, ...],
    baseline: Path | None,
    limit: str,
    relevant: str,
    variants: tuple[Path, ...],
    runs: int,
    iterations: int,
    rtol: float | None,
    atol: float | None,
    timeout: float | None,
    out: Path | None,
    junit: Path | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Replay and validate CAPTURES: captures, folders of captures, and files of rocm-perf replay export.

    \b
    rocm-perf suite run captures --out base                  # record times
    rocm-perf suite run captures --baseline base --junit junit.xml

    Exit code 10: a capture does not validate; 8: one is slower than in the baseline by more than
    --fail-on-regression; of one that could not be replayed that of its error.
    """
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.profile.run_folder import make_folder
    from rocm_perf_lab.replay.tolerance import parse_wish
    from rocm_perf_lab.suite.baseline import NAME, read_baseline
    from rocm_perf_lab.suite.case import given_up
    from rocm_perf_lab.suite.document import Wish
    from rocm_perf_lab.suite.find import find_captures
    from rocm_perf_lab.suite.run import make_cases, run_suite
    from rocm_perf_lab.suite.run_case import run_case

    if baseline is not None and not iterations:
        raise UsageProblem("--baseline compares times; --iterations 0 takes none", "leave one of them out")
    for file in variants:
        if not file.is_file():
            raise UsageProblem(f"there is no file {file}", "name the program that was built anew")
    wish = Wish(
        captures=captures,
        baseline=baseline,
        variants=variants,
        runs=runs,
        iterations=iterations,
        relevant=share_of(relevant, "--relevant"),
        fail_on_regression=share_of(limit, "--fail-on-regression"),
    )
    found, warnings = find_captures(captures)
    before = read_baseline(baseline, iterations) if baseline is not None else None
    executor = make_executor(options, run_case, given_up)
    folder = make_folder("suite", datetime.now(timezone.utc), out)
    cases = make_cases(found, wish, folder.path, parse_wish(rtol, atol, ()), timeout)
    document = run_suite(wish, cases, before, executor, _silent if quiet else _tell, warnings)
    text = to_json(document)
    folder.write(NAME, text)
    if junit is not None:
        from rocm_perf_lab.report.suite_junit import render as as_junit

        _write(junit, as_junit(document))
    if as_json:
        sys.stdout.write(text)
    else:
        from rocm_perf_lab.report.suite_terminal import render

        click.echo(render(document, _shown(folder.path)), nl=False)
    return document.exit_code


def _shown(folder: Path) -> Path:
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def _silent(result: CaseResult, done: int, total: int) -> None:
    pass


def _tell(result: CaseResult, done: int, total: int) -> None:
    """A line on stderr for each capture; whether it is slower is known when all are there."""
    from rocm_perf_lab.report.figures import duration
    from rocm_perf_lab.report.progress_line import progress_line

    if result.error is not None:
        outcome = f"error: {result.error.cause}"
    elif result.validation is not None and result.validation.verdict != "passed":
        outcome = f"{result.validation.verdict}: {result.validation.reason}"
    else:
        took = result.control_figure
        outcome = "validates" + (f", {duration(took)}" if took is not None else "")
    click.echo(progress_line(result.name, outcome, done, total), err=True)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UsageProblem(f"{path} cannot be written: {problem.strerror}", "name another file") from None
