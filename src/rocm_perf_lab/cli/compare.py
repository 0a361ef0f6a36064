"""``rocm-perf compare``: whether a program became faster or slower, kernel by kernel."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from rocm_perf_lab.api.compare import Aspect, compare
from rocm_perf_lab.cli.options.percentage import share_of
from rocm_perf_lab.errors import REGRESSION_FOUND, UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.profiling.comparison import ComparisonDocument

ASPECTS: tuple[Aspect, ...] = get_args(Aspect)


@click.command()
@click.option("--also-base", multiple=True, type=click.Path(path_type=Path), help="More runs of BASE.")
@click.option("--also-new", multiple=True, type=click.Path(path_type=Path), help="More runs of NEW.")
@click.option("--kernel", "kernel_filter", metavar="REGEX", help="Only kernels whose name matches somewhere.")
@click.option("--relevant", metavar="PERCENT", default="1%", show_default=True, help="Less is no change.")
@click.option("--fail-on-regression", "limit", metavar="PERCENT", help="Exit with 8 if slower by more.")
@click.option("--allow", multiple=True, type=click.Choice(ASPECTS), help="Compare although this differs.")
@click.option("--force", is_flag=True, help="Compare whatever differs.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
@click.option(
    "--markdown", type=click.Path(path_type=Path, allow_dash=True), help="Write it there; - is stdout."
)
@click.option("--junit", type=click.Path(path_type=Path), help="Write JUnit XML there.")
@click.argument("base", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
def command(
    base: Path,
    new: Path,
    also_base: tuple[Path, ...],
    also_new: tuple[Path, ...],
    kernel_filter: str | None,
    relevant: str,
    limit: str | None,
    allow: tuple[Aspect, ...],
    force: bool,
    as_json: bool,
    markdown: Path | None,
    junit: Path | None,
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

    document = compare(
        base,
        new,
        also_base=also_base,
        also_new=also_new,
        kernel=kernel_filter,
        relevant=share_of(relevant, "--relevant"),
        fail_on_regression=None if limit is None else share_of(limit, "--fail-on-regression"),
        allow=allow,
        force=force,
    )
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
