"""``rocm-perf analyze``: say where GPU time went, from traces that were saved before."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from click.core import ParameterSource

from rocm_perf_lab.cli.options.executor import executor_options

if TYPE_CHECKING:
    from rocm_perf_lab.trace_batch.task import TraceResult, TraceTask


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
@click.option("--each", is_flag=True, help="Every trace by itself; --executor means that, too.")
@executor_options
@click.argument("traces", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(
    traces: tuple[Path, ...],
    as_json: bool,
    kernel_filter: str | None,
    out: Path | None,
    memory_bandwidth_gbps: float | None,
    clock_mhz: float | None,
    flop_model: Literal["typed", "valu-width"],
    each: bool,
    **options: Any,
) -> int:
    """Say where GPU time went, from saved TRACES: no GPU and no ROCm is needed, and nothing is run again.

    A trace is a database, JSON file or CSV table of rocprofv3, a folder of them, or a run folder of
    rocm-perf profile. Every argument is an execution of its own; the files of one folder are one execution.

    \b
    rocm-perf analyze --each *.db --executor local --out analyses    # not together: documents for each
    """
    request: dict[str, Any] = {
        "kernel": kernel_filter,
        "out": out,
        "memory_bandwidth_gbps": memory_bandwidth_gbps,
        "clock_mhz": clock_mhz,
        "flop_model": flop_model,
    }
    context = click.get_current_context()
    if each or any(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in options):
        return _each(traces, as_json, **request, **options)

    from rocm_perf_lab.api.analyze import analyze

    run = analyze(traces, **request)
    if as_json:
        sys.stdout.write(run.to_json())
    else:
        from rocm_perf_lab.reporting.terminal.profile import render

        click.echo(render(run.profile, out or traces[0], analysis=run.analysis), nl=False)
    return 0


def _each(traces: tuple[Path, ...], as_json: bool, **request: Any) -> int:
    """Documents for every trace, and one that sums up."""
    from rocm_perf_lab.api.analyze_each import analyze_each

    analyses = analyze_each(traces, tell=_tell, **request)
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(analyses.document))
    else:
        from rocm_perf_lab.reporting.terminal.analyses import render

        click.echo(render(analyses.document, analyses.folder), nl=False)
    return analyses.document.exit_code


def _tell(task: TraceTask, result: TraceResult, done: int, total: int) -> None:
    from rocm_perf_lab.reporting.terminal.lines import progress_line

    outcome = f"failed: {result.error.cause}" if result.error is not None else f"{result.seconds:.1f} s"
    click.echo(progress_line(str(task.trace.name), outcome, done, total), err=True)
