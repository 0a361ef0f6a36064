"""Where tasks run: here, on the GPUs of this machine, on a Dask cluster; as options say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_perf_lab.errors import UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.executors.executor import Executor
    from rocm_perf_lab.executors.request import ExecutorRequest
    from rocm_perf_lab.executors.task import AnyResult, AnyTask, GiveUp, Run


def make_executor(
    request: ExecutorRequest,
    run: Run[AnyTask, AnyResult],
    give_up: GiveUp[AnyTask, AnyResult],
    *,
    on_gpus: bool = True,
) -> Executor[AnyTask, AnyResult]:
    """``on_gpus``: tasks need a GPU each; else a local pool has a worker for each core."""
    kind, scheduler = request.executor, request.scheduler
    if (scheduler is not None) != (kind == "dask"):
        raise UsageProblem("--executor dask and --scheduler ADDRESS go together", "give both or none")
    if scheduler is not None:
        from rocm_perf_lab.executors.cluster import ClusterExecutor

        return ClusterExecutor(run, give_up, scheduler, deadline_s=request.deadline)
    if kind == "local":
        from rocm_perf_lab.executors.devices import cores, visible_devices
        from rocm_perf_lab.executors.local import LocalExecutor

        return LocalExecutor(run, visible_devices(request.workers) if on_gpus else cores(request.workers))
    from rocm_perf_lab.executors.inline import InlineExecutor

    return InlineExecutor(run)
