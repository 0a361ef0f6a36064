"""``rocm-perf report``: show a run as one HTML file, as Markdown or on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import click

from rocm_perf_lab.api.load_run import LATEST, load_run
from rocm_perf_lab.errors import UsageProblem


@click.command()
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File. [default: RUN/report.html]")
@click.option("--open", "show", is_flag=True, help="Open the page in a browser.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("html", "md", "terminal")),
    default="html",
    show_default=True,
    help="The page, or its summary as text on stdout.",
)
@click.argument("run", required=False, default=LATEST, type=click.Path(path_type=Path))
def command(run: Path, output: Path | None, show: bool, form: Literal["html", "md", "terminal"]) -> None:
    """Show RUN as one HTML file that needs nothing else.

    RUN is a run folder of rocm-perf profile, saved traces, or the folder of an optimization or a tuning.

    Without RUN the last run of this folder (.rocm-perf/latest) is shown.

    \b
      rocm-perf report --open
      rocm-perf report .rocm-perf/latest --format md -o summary.md
    """
    if show and form != "html":
        raise UsageProblem("--open shows the page; the other formats are text", "leave one of them out")
    optimization = find_optimization(run)
    if optimization is not None:
        _show_optimization(optimization, output, show, form)
        return
    tuning = find_tuning(run)
    if tuning is not None:
        _show_tuning(tuning, output, show, form)
        return
    found = load_run(run)
    if form == "html":
        file = found.report(output)
        click.echo(str(file))
        if show:
            click.launch(file.absolute().as_uri())
        return
    if form == "md":
        text = found.markdown()
    else:
        from rocm_perf_lab.report.summary_terminal import render

        text = render(found.documents)
    if output is None:
        sys.stdout.write(text)
    else:
        from rocm_perf_lab.report.whole_file import write_whole

        write_whole(output, [text.encode("utf-8", "replace")])


def find_optimization(path: Path) -> Path | None:
    """The optimization.json that is meant: itself, in its folder, or the last one of a source's folder."""
    from rocm_perf_lab.optimize.folder import DOCUMENT, JOURNAL, last_ended

    if path.name == DOCUMENT and path.is_file():
        return path
    if (path / DOCUMENT).is_file():
        return path / DOCUMENT
    if (path / JOURNAL).is_file():
        raise UsageProblem(
            f"the optimization in {path} has not come to its end", "rocm-perf optimize --resume goes on"
        )
    return last_ended(path)


def find_tuning(path: Path) -> Path | None:
    """The tuning.json that is meant: itself, or in its folder."""
    from rocm_perf_lab.autotune.files import DOCUMENT, JOURNAL

    if path.name == DOCUMENT and path.is_file():
        return path
    if (path / DOCUMENT).is_file():
        return path / DOCUMENT
    if (path / JOURNAL).is_file():
        raise UsageProblem(
            f"the tuning in {path} has not come to its end",
            f"the same rocm-perf autotune with --resume --out {path} goes on",
        )
    return None


def _show_optimization(file: Path, output: Path | None, show: bool, form: str) -> None:
    from rocm_perf_lab.contracts.documents import from_json
    from rocm_perf_lab.contracts.optimization import OptimizationDocument
    from rocm_perf_lab.optimize.folder import PAGE
    from rocm_perf_lab.report.html.story_page import write_story
    from rocm_perf_lab.report.optimize_terminal import render

    document = from_json(OptimizationDocument, file.read_bytes(), str(file))
    page = output or file.parent / PAGE
    _show(
        "an optimization",
        form,
        output,
        text=lambda: render(document),
        write_page=lambda: write_story(document, page),
        page=page,
        show=show,
    )


def _show_tuning(file: Path, output: Path | None, show: bool, form: str) -> None:
    from rocm_perf_lab.autotune.files import PAGE
    from rocm_perf_lab.contracts.autotune import TuningDocument
    from rocm_perf_lab.contracts.documents import from_json
    from rocm_perf_lab.report.autotune_terminal import render
    from rocm_perf_lab.report.html.tuning_page import render as as_page
    from rocm_perf_lab.report.whole_file import write_whole

    document = from_json(TuningDocument, file.read_bytes(), str(file))
    page = output or file.parent / PAGE
    _show(
        "a tuning",
        form,
        output,
        text=lambda: render(document, file.parent),
        write_page=lambda: write_whole(page, [as_page(document).encode()]),
        page=page,
        show=show,
    )


def _show(
    what: str,
    form: str,
    output: Path | None,
    *,
    text: Callable[[], str],
    write_page: Callable[[], None],
    page: Path,
    show: bool,
) -> None:
    from rocm_perf_lab.report.whole_file import write_whole

    if form == "md":
        raise UsageProblem(f"{what} is shown as html or on the terminal", "leave out --format md")
    if form == "html":
        write_page()
        click.echo(str(page))
        if show:
            click.launch(page.absolute().as_uri())
    elif output is None:
        sys.stdout.write(text())
    else:
        write_whole(output, [text().encode("utf-8", "replace")])
