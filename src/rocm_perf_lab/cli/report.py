"""``rocm-perf report``: show a run as one HTML file, as Markdown or on the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

from rocm_perf_lab.api.kept_result import find_kept
from rocm_perf_lab.api.load_run import LATEST, load_run
from rocm_perf_lab.api.report import report
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
    if form == "html":
        file = report(run, output=output)
        click.echo(str(file))
        if show:
            _show(file)
        return
    text = _text(run, form)
    if output is None:
        sys.stdout.write(text)
    else:
        from rocm_perf_lab.reporting.whole_file import write_whole

        write_whole(output, [text.encode("utf-8", "replace")])
        click.echo(str(output))


def _show(file: Path) -> None:
    import webbrowser

    if not webbrowser.open(file.absolute().as_uri()):
        click.echo("note: no browser was found here that shows it; BROWSER can name one", err=True)


def _text(run: Path, form: Literal["md", "terminal"]) -> str:
    kept = find_kept(run)
    if kept is not None:
        if form == "md":
            raise UsageProblem(f"{kept.what} is shown as html or on the terminal", "leave out --format md")
        return kept.text()
    found = load_run(run)
    if form == "md":
        return found.markdown()
    from rocm_perf_lab.reporting.terminal.summary import render

    return render(found.documents)
