"""Says where GPU time went from saved traces, as ``rocm-perf analyze`` does."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.api.load_run import of_traces
from rocm_perf_lab.api.run_object import Run
from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.profiling.documents.request import AnalyzeRequest
from rocm_perf_lab.requests.values import path_of


@keywords_of(AnalyzeRequest)
def analyze(request: AnalyzeRequest) -> Run:
    """Say where GPU time went, from saved traces: no GPU and no ROCm is needed, and nothing is run again.

    A trace is a database, JSON file or CSV table of rocprofv3, a folder of them, or a run folder of
    ``profile``. Every trace is an execution of its own. With ``out`` the documents are written there; nothing
    is overwritten.
    """
    from rocm_perf_lab.profiling.documents.saved_traces import read_saved

    saved = read_saved(request.paths, request.kernel, request.roofs)
    out = path_of(request.out)
    run = of_traces(saved, request.paths, out)
    if out is not None:
        from rocm_perf_lab.contracts.documents import to_json

        _write(
            out,
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
