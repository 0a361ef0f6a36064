"""``rocm-perf whatif``: what the whole would gain from a change, before anybody makes it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rocm_perf_lab.cli.kernel_pattern import kernel_pattern
from rocm_perf_lab.errors import UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.rocpd.timeline import Timeline


@click.command()
@click.option("--kernel", "kernel", metavar="REGEX", help="Kernels whose name matches somewhere are faster.")
@click.option("--speedup", type=float, help="How many times as fast. [default: 2]")
@click.option("--remove-sync", is_flag=True, help="The host does not wait for streams, events or the device.")
@click.option("--overlap-copies", is_flag=True, help="Copies run beside everything else.")
@click.option("--json", "as_json", is_flag=True, help="Print the prediction as JSON, and nothing else.")
@click.argument("run", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(
    run: tuple[Path, ...],
    kernel: str | None,
    speedup: float | None,
    remove_sync: bool,
    overlap_copies: bool,
    as_json: bool,
) -> None:
    """Predict the end-to-end time of RUN with a change; without one, rank kernels by what they would gain.

    RUN is a run folder of rocm-perf profile (best with --focus-critical), a folder of rocprofv3, or the
    databases of the processes of one execution.

    \b
      rocm-perf whatif .rocm-perf/latest
      rocm-perf whatif .rocm-perf/latest --kernel matmul --speedup 1.5
    """
    import math

    if speedup is not None and not (speedup > 0 and not math.isnan(speedup)):
        raise UsageProblem("--speedup must be more than 0", "2 means: half the time")
    pattern = kernel_pattern(kernel)
    named = pattern is not None or remove_sync or overlap_copies
    if speedup is not None and pattern is None and named:
        raise UsageProblem("--speedup is of kernels, and none is named", "add --kernel REGEX")

    from rocm_perf_lab.analysis.critical_path.graph import build_graph
    from rocm_perf_lab.analysis.critical_path.whatif import Change
    from rocm_perf_lab.analysis.critical_path.whatif_document import whatif_document
    from rocm_perf_lab.errors import NoKernels
    from rocm_perf_lab.profile.critical import read_execution

    timeline = read_execution(run)
    if pattern is not None and not any(pattern.search(name) for name in _kernel_names(timeline)):
        raise NoKernels(f"no kernel's name matches {kernel!r}", "leave out --kernel: that lists them")
    change = Change(pattern, speedup or 2.0, remove_sync=remove_sync, overlap_copies=overlap_copies)
    document = whatif_document(build_graph(timeline), change, rank=not named)
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.report.whatif_terminal import render

        click.echo(render(document), nl=False)


def _kernel_names(timeline: Timeline) -> set[str]:
    works = timeline.works
    return {timeline.names[number] for number in set(works.name[~works.copy].tolist())}
