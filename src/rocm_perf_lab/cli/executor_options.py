"""Options that say where tasks run: here, on the GPUs of this machine, on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rocm_perf_lab.errors import UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.executors.executor import Executor
    from rocm_perf_lab.executors.task import AnyResult, AnyTask, GiveUp, Run

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--executor", type=click.Choice(("inline", "local", "dask")), default="inline", show_default=True
    ),
    click.option(
        "--workers", type=click.IntRange(min=1), help="Of --executor local [default: one for each GPU]."
    ),
    click.option("--scheduler", metavar="ADDRESS", help="Of --executor dask: tcp://host:8786."),
    click.option(
        "--deadline",
        type=click.FloatRange(min=0, min_open=True),
        help="Seconds after which dask tries elsewhere.",
    ),
)


def executor_options(command: Command) -> Command:
    for option in reversed(_OPTIONS):  # decorators: the one that stands first is applied last
        command = option(command)
    return command


def make_executor(
    options: Mapping[str, Any],
    run: Run[AnyTask, AnyResult],
    give_up: GiveUp[AnyTask, AnyResult],
    *,
    on_gpus: bool = True,
) -> Executor[AnyTask, AnyResult]:
    """``on_gpus``: tasks need a GPU each; else a local pool has a worker for each core."""
    kind = options["executor"]
    if (options["scheduler"] is not None) != (kind == "dask"):
        raise UsageProblem("--executor dask and --scheduler ADDRESS go together", "give both or none")
    if kind == "dask":
        from rocm_perf_lab.executors.cluster import ClusterExecutor

        return ClusterExecutor(run, give_up, options["scheduler"], deadline_s=options["deadline"])
    if kind == "local":
        from rocm_perf_lab.executors.devices import cores, visible_devices
        from rocm_perf_lab.executors.local import LocalExecutor

        return LocalExecutor(
            run, visible_devices(options["workers"]) if on_gpus else cores(options["workers"])
        )
    from rocm_perf_lab.executors.inline import InlineExecutor

    return InlineExecutor(run)
