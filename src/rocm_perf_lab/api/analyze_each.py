"""Analyses many traces, each by itself, as ``rocm-perf analyze --each`` does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.requests.values import path_of
from rocm_perf_lab.trace_batch.request import AnalyzeEachRequest

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.profiling.analyses import AnalysesDocument
    from rocm_perf_lab.trace_batch.task import TraceResult, TraceTask


@dataclass(frozen=True)
class Analyses:
    """What became of many traces, and the folder with a folder for each."""

    folder: Path
    document: AnalysesDocument
    """analyses.json; its ``exit_code`` is 0 if all could be analysed."""


@keywords_of(AnalyzeEachRequest)
def analyze_each(request: AnalyzeEachRequest) -> Analyses:
    """Analyse traces, each by itself: documents for every one in a folder of its own, and one that sums up.

    Keywords are the options of ``rocm-perf analyze``; ``executor`` says where: here one after the other, on
    all cores of this machine, or on a Dask cluster. A trace that cannot be read ends no other. ``tell`` is
    called with each trace, its result, how many there are and how many there will be.
    """
    from rocm_perf_lab.api.arguments.executor import make_executor
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.profiling.folder.run_folder import make_folder
    from rocm_perf_lab.trace_batch.run_batch import NAME, make_tasks
    from rocm_perf_lab.trace_batch.run_batch import analyze_each as analyzed
    from rocm_perf_lab.trace_batch.run_task import run_task
    from rocm_perf_lab.trace_batch.task import given_up

    options = {
        "--kernel": request.kernel,
        "--memory-bandwidth-gbps": request.memory_bandwidth_gbps,
        "--clock-mhz": request.clock_mhz,
        "--flop-model": request.flop_model,
    }
    words = [word for name, value in options.items() if value is not None for word in (name, str(value))]
    made = make_executor(request, run_task, given_up, on_gpus=False)
    folder = make_folder("analyze", datetime.now(timezone.utc), path_of(request.out))
    tasks = make_tasks(request.paths, folder.path, tuple(words))
    document = analyzed(tasks, folder.path, made, request.tell or _silent)
    folder.write(NAME, to_json(document))
    return Analyses(folder.path, document)


def _silent(task: TraceTask, result: TraceResult, done: int, total: int) -> None:
    pass
