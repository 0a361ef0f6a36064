"""``rocm-perf suite run``: captures as a regression suite, replayed, validated and timed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocm_perf_lab.cli.options.executor import executor_options
from rocm_perf_lab.cli.options.percentage import share_of
from rocm_perf_lab.cli.options.trust import asker, trust_option

if TYPE_CHECKING:
    from rocm_perf_lab.suites.case import CaseResult

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
@trust_option
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
    trust: bool,
    junit: Path | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Replay and validate CAPTURES: captures, folders of captures, and files of rocm-perf replay export.

    \b
    rocm-perf suite run captures --out base                  # record times
    rocm-perf suite run captures --baseline base --junit junit.xml

    Captures that were not made here are asked about first; without a terminal that is exit code 13.
    Exit code 10: a capture does not validate; 8: one is slower than in the baseline by more than
    --fail-on-regression; of one that could not be replayed that of its error.
    """
    from rocm_perf_lab.api.captures.suite import suite

    found = suite(
        captures,
        baseline=baseline,
        fail_on_regression=share_of(limit, "--fail-on-regression"),
        relevant=share_of(relevant, "--relevant"),
        hsaco=variants,
        runs=runs,
        iterations=iterations,
        rtol=rtol,
        atol=atol,
        timeout=timeout,
        out=out,
        trust=trust,
        ask=asker(),
        tell=None if quiet else _tell,
        **options,
    )
    if junit is not None:
        from rocm_perf_lab.reporting.formats.suite_junit import render as as_junit
        from rocm_perf_lab.reporting.whole_file import write_whole

        write_whole(junit, [as_junit(found.document).encode()])
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(found.document))
    else:
        from rocm_perf_lab.reporting.terminal.suite import render

        click.echo(render(found.document, _shown(found.folder)), nl=False)
    return found.document.exit_code


def _shown(folder: Path) -> Path:
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def _tell(result: CaseResult, done: int, total: int) -> None:
    """A line on stderr for each capture; whether it is slower is known when all are there."""
    from rocm_perf_lab.reporting.terminal.lines import progress_line
    from rocm_perf_lab.reporting.words.figures import duration

    if result.error is not None:
        outcome = f"error: {result.error.cause}"
    elif result.validation is not None and result.validation.verdict != "passed":
        outcome = f"{result.validation.verdict}: {result.validation.reason}"
    else:
        took = result.control_figure
        outcome = "validates" + (f", {duration(took)}" if took is not None else "")
    click.echo(progress_line(result.name, outcome, done, total), err=True)
