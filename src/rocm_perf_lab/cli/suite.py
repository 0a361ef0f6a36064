"""``rocm-perf suite run``: captures as a regression suite, replayed, validated and timed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocm_perf_lab.cli.options.as_json import ONE_DOCUMENT
from rocm_perf_lab.cli.options.of_request import request_options
from rocm_perf_lab.cli.options.trust import asker
from rocm_perf_lab.suites.request import SuiteRequest

if TYPE_CHECKING:
    from rocm_perf_lab.suites.case import CaseResult

_PATH = click.Path(path_type=Path)
JUNIT = click.option("--junit", type=_PATH, help="Write JUnit XML there.")
QUIET = click.option("--quiet", is_flag=True, help="No line for each capture on stderr.")


@click.group()
def command() -> None:
    """Captures as a regression suite."""


@command.command(name="run")
@request_options(SuiteRequest, ..., "trust", "out", JUNIT, QUIET, ONE_DOCUMENT)
@click.argument("captures", nargs=-1, required=True, type=_PATH)
def run_command(
    captures: tuple[Path, ...], junit: Path | None, quiet: bool, as_json: bool, **options: Any
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

    found = suite(captures, **options, ask=asker(), tell=None if quiet else _tell)
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
