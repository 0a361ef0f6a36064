"""``rocm-perf compare``: whether a program became faster or slower, kernel by kernel."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocm_perf_lab.api.compare import compare
from rocm_perf_lab.api.compare_request import CompareRequest
from rocm_perf_lab.cli.options.as_json import ONE_DOCUMENT
from rocm_perf_lab.cli.options.of_request import request_options
from rocm_perf_lab.errors import REGRESSION_FOUND, UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.profiling.comparison import ComparisonDocument

MARKDOWN = click.option(
    "--markdown", type=click.Path(path_type=Path, allow_dash=True), help="Write it there; - is stdout."
)
JUNIT = click.option("--junit", type=click.Path(path_type=Path), help="Write JUnit XML there.")


@click.command()
@request_options(CompareRequest, ..., ONE_DOCUMENT, MARKDOWN, JUNIT)
@click.argument("base", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
def command(
    base: Path, new: Path, as_json: bool, markdown: Path | None, junit: Path | None, **options: Any
) -> int:
    """Say whether NEW is faster or slower than BASE: in total and for each kernel.

    Both are run folders of rocm-perf profile, or traces as rocm-perf analyze takes them. Times come from all
    runs of a side; with one run, or runs that scatter much, the verdict is "undecided".

    \b
      rocm-perf compare .rocm-perf/before .rocm-perf/after
      rocm-perf compare before.db after.db --fail-on-regression 5% --junit compare.xml
    """
    to_stdout = markdown is not None and str(markdown) == "-"
    if as_json and to_stdout:
        raise UsageProblem("--json and --markdown - each want stdout for themselves", "give one of them")

    document = compare(base, new, **options)
    _print(document, as_json, to_stdout)
    if markdown is not None and not to_stdout:
        from rocm_perf_lab.reporting.formats.compare_markdown import render as as_markdown
        from rocm_perf_lab.reporting.whole_file import write_whole

        write_whole(markdown, [as_markdown(document).encode()])
    if junit is not None:
        from rocm_perf_lab.reporting.formats.compare_junit import render as as_junit
        from rocm_perf_lab.reporting.whole_file import write_whole

        write_whole(junit, [as_junit(document).encode()])
    return REGRESSION_FOUND if document.regressions else 0


def _print(document: ComparisonDocument, as_json: bool, as_markdown: bool) -> None:
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    elif as_markdown:
        from rocm_perf_lab.reporting.formats.compare_markdown import render as markdown

        click.echo(markdown(document), nl=False)
    else:
        from rocm_perf_lab.reporting.terminal.compare import render

        click.echo(render(document), nl=False)
