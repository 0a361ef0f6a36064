"""``rocm-perf analyze``: say where GPU time went, from traces that were saved before."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from rocm_perf_lab.cli.options.as_json import PROFILE_JSON
from rocm_perf_lab.cli.options.of_request import request_options
from rocm_perf_lab.profiling.documents.request import AnalyzeRequest
from rocm_perf_lab.requests.option import options_of
from rocm_perf_lab.trace_batch.request import AnalyzeEachRequest

if TYPE_CHECKING:
    from rocm_perf_lab.trace_batch.task import TraceResult, TraceTask


EACH = click.option("--each", is_flag=True, help="Every trace by itself; --executor means that, too.")
OF_ALL = options_of(AnalyzeRequest)
OF_EACH = [name for name in options_of(AnalyzeEachRequest) if name not in OF_ALL]


@click.command()
@request_options(AnalyzeEachRequest, PROFILE_JSON, *OF_ALL, EACH, *OF_EACH)
@click.argument("traces", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(traces: tuple[Path, ...], as_json: bool, each: bool, out: Path | None, **options: Any) -> int:
    """Say where GPU time went, from saved TRACES: no GPU and no ROCm is needed, and nothing is run again.

    A trace is a database, JSON file or CSV table of rocprofv3, a folder of them, or a run folder of
    rocm-perf profile. Every argument is an execution of its own; the files of one folder are one execution.

    \b
    rocm-perf analyze --each *.db --executor local --out analyses    # not together: documents for each
    """
    context = click.get_current_context()
    if each or any(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in OF_EACH):
        return _each(traces, as_json, out=out, **options)

    from rocm_perf_lab.api.analyze import analyze

    run = analyze(traces, out=out, **{name: options[name] for name in OF_ALL if name in options})
    if as_json:
        sys.stdout.write(run.to_json())
    else:
        from rocm_perf_lab.reporting.terminal.profile import render

        click.echo(render(run.profile, out or traces[0], analysis=run.analysis), nl=False)
    return 0


def _each(traces: tuple[Path, ...], as_json: bool, **options: Any) -> int:
    """Documents for every trace, and one that sums up."""
    from rocm_perf_lab.api.analyze_each import analyze_each

    analyses = analyze_each(traces, tell=_tell, **options)
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
