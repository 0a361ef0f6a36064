"""``rocm-perf report``: show a run as one HTML file, as Markdown or on the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from rocm_perf_lab.errors import UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.report.run import Run

LATEST = Path(".rocm-perf/latest")


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
    """Show RUN, a run folder of rocm-perf profile or saved traces, as one HTML file that needs nothing else.

    Without RUN the last run of this folder (.rocm-perf/latest) is shown.

    \b
      rocm-perf report --open
      rocm-perf report .rocm-perf/latest --format md -o summary.md
    """
    if show and form != "html":
        raise UsageProblem("--open shows the page; the other formats are text", "leave one of them out")
    found = find_run(run)
    if form == "html":
        _write_page(found, output, show)
        return
    if form == "md":
        from rocm_perf_lab.report.markdown import render
    else:
        from rocm_perf_lab.report.summary_terminal import render
    text = render(found)
    if output is None:
        sys.stdout.write(text)
    else:
        write_file(output, text.encode("utf-8", "replace"))


def find_run(path: Path) -> Run:
    """A run folder, or the run that saved traces amount to."""
    from rocm_perf_lab.report.run import Run, read_run

    if not path.exists():
        remedy = "rocm-perf profile ./app makes one" if path == LATEST else "name a run folder or a trace"
        raise UsageProblem(f"{path} is not there", remedy)
    if path.name == "profile.json":
        path = path.parent
    if (path / "profile.json").is_file():
        return read_run(path)
    from rocm_perf_lab.profile.roofline_wish import RooflineWish
    from rocm_perf_lab.profile.saved_traces import read_saved

    saved = read_saved((path,), None, RooflineWish("typed", None, None))
    folder = path if path.is_dir() else path.parent
    return Run(folder=folder, profile=saved.profile, roofline=saved.roofline, analysis=saved.analysis)


def _write_page(run: Run, output: Path | None, show: bool) -> None:
    from rocm_perf_lab.report.html.page import render
    from rocm_perf_lab.report.html.view_model import report_view

    file = output or run.folder / "report.html"
    text = render(report_view(run))
    write_file(file, text.encode())
    click.echo(str(file))
    if show:
        click.launch(file.absolute().as_uri())


def write_file(file: Path, content: bytes) -> None:
    """Writes a file whole or not at all."""
    draft = file.with_name(f".{file.name}.draft")
    try:
        draft.write_bytes(content)
        draft.replace(file)
    except OSError as problem:
        raise UsageProblem(
            f"{file} cannot be written: {problem.strerror}", "name another file with -o"
        ) from None
