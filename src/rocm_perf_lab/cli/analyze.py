"""``rocm-perf analyze``: say where GPU time went, from traces that were saved before."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

from rocm_perf_lab.cli.kernel_pattern import kernel_pattern
from rocm_perf_lab.errors import UsageProblem


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print profile.json, and nothing else, on stdout.")
@click.option("--kernel", "kernel_filter", metavar="REGEX", help="Only kernels whose name matches somewhere.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the documents there.")
@click.option("--memory-bandwidth-gbps", type=click.FloatRange(min=0, min_open=True), help="Roof of memory.")
@click.option("--clock-mhz", type=click.FloatRange(min=0, min_open=True), help="Clock of the compute roofs.")
@click.option(
    "--flop-model",
    type=click.Choice(("typed", "valu-width")),
    default="typed",
    show_default=True,
    help="How FLOPs are counted.",
)
@click.argument("traces", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(
    traces: tuple[Path, ...],
    as_json: bool,
    kernel_filter: str | None,
    out: Path | None,
    memory_bandwidth_gbps: float | None,
    clock_mhz: float | None,
    flop_model: Literal["typed", "valu-width"],
) -> None:
    """Say where GPU time went, from saved TRACES: no GPU and no ROCm is needed, and nothing is run again.

    A trace is a database, JSON file or CSV table of rocprofv3, a folder of them, or a run folder of
    rocm-perf profile. Every argument is an execution of its own; the files of one folder are one execution.
    """
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.profile.rooflines import RooflineWish
    from rocm_perf_lab.profile.saved_traces import read_saved

    kernel_pattern(kernel_filter)
    wish = RooflineWish(flop_model, memory_bandwidth_gbps, clock_mhz)
    saved = read_saved(traces, kernel_filter, wish)
    text = to_json(saved.profile)
    if out is not None:
        documents = {
            "profile.json": text,
            "roofline.json": to_json(saved.roofline),
            "analysis.json": to_json(saved.analysis),
        }
        _write(out, documents)
    if as_json:
        sys.stdout.write(text)
    else:
        from rocm_perf_lab.report.profile_terminal import render

        click.echo(render(saved.profile, out or traces[0], analysis=saved.analysis), nl=False)


def _write(folder: Path, documents: dict[str, str]) -> None:
    """Writes the documents into a folder that has none of them yet."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in documents.items():
            with (folder / name).open("x", encoding="utf-8") as file:
                file.write(text)
    except FileExistsError as problem:
        raise UsageProblem(
            f"{problem.filename} is there already; nothing is overwritten", "name a new folder with --out"
        ) from None
    except OSError as problem:
        raise UsageProblem(f"{folder} cannot be written: {problem.strerror}", "name another folder") from None
