"""Says where GPU time went from saved traces, as ``rocm-perf analyze`` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from rocm_perf_lab.api.load_run import of_traces
from rocm_perf_lab.api.run_object import Run
from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.requests.values import AnyPath, kernel_pattern, path_of, paths_of, positive


def analyze(
    traces: AnyPath | Sequence[AnyPath],
    *,
    kernel: str | None = None,
    out: AnyPath | None = None,
    memory_bandwidth_gbps: float | None = None,
    clock_mhz: float | None = None,
    flop_model: Literal["typed", "valu-width"] = "typed",
) -> Run:
    """Say where GPU time went, from saved traces: no GPU and no ROCm is needed, and nothing is run again.

    A trace is a database, JSON file or CSV table of rocprofv3, a folder of them, or a run folder of
    ``profile``. Every trace is an execution of its own. With ``out`` the documents are written there; nothing
    is overwritten.
    """
    kernel_pattern(kernel)
    positive(memory_bandwidth_gbps=memory_bandwidth_gbps, clock_mhz=clock_mhz)
    paths = paths_of(traces)
    if not paths:
        raise UsageProblem("no trace is given", "name a run folder or a trace")

    from rocm_perf_lab.profiling.documents.saved_traces import read_saved
    from rocm_perf_lab.profiling.request import RooflineRequest

    saved = read_saved(paths, kernel, RooflineRequest(flop_model, memory_bandwidth_gbps, clock_mhz))
    run = of_traces(saved, paths, path_of(out))
    if out is not None:
        from rocm_perf_lab.contracts.documents import to_json

        _write(
            Path(out),
            {
                "profile.json": run.to_json(),
                "roofline.json": to_json(saved.roofline),
                "analysis.json": to_json(saved.analysis),
            },
        )
    return run


def _write(folder: Path, documents: dict[str, str]) -> None:
    """Writes the documents, each whole, into a folder that has none of them yet."""
    from rocm_perf_lab.reporting.whole_file import write_whole

    for name in documents:
        if (folder / name).exists():
            raise UsageProblem(
                f"{folder / name} is there already; nothing is overwritten", "name a new folder with --out"
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageProblem(f"{folder} cannot be written: {problem.strerror}", "name another folder") from None
    for name, text in documents.items():
        write_whole(folder / name, [text.encode()])
