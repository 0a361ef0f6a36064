"""Runs that were made before: a run folder, or the run that saved traces amount to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.run_object import Run
from rocm_perf_lab.errors import UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.profiling.documents.saved_traces import SavedTraces
    from rocm_perf_lab.reporting.run_documents import RunDocuments as Documents
    from rocm_perf_lab.requests.values import AnyPath

LATEST = Path(".rocm-perf/latest")


def load_run(path: AnyPath = LATEST) -> Run:
    """The run in a run folder of ``profile``, or what a saved trace tells; without a path, the last run of
    the working folder."""
    from rocm_perf_lab.reporting.run_documents import read_run

    path = Path(path)
    if not path.exists():
        remedy = "rocm-perf profile ./app makes one" if path == LATEST else "name a run folder or a trace"
        raise UsageProblem(f"{path} is not there", remedy)
    if path.name == "profile.json":
        path = path.parent
    if (path / "profile.json").is_file():
        documents = read_run(path)
        return Run(path, documents.profile, documents.analysis, lambda: documents)
    from rocm_perf_lab.profiling.documents.saved_traces import read_saved
    from rocm_perf_lab.profiling.request import RooflineRequest

    return of_traces(read_saved((path,), None, RooflineRequest("typed", None, None)), (path,))


def of_traces(saved: SavedTraces, paths: Sequence[Path], out: Path | None = None) -> Run:
    """``out`` is the folder that the documents were written to, if any."""
    single = paths[0] if paths[0].is_dir() else paths[0].parent
    folder = out if out is not None else single if len(paths) == 1 else None

    def documents() -> Documents:
        from rocm_perf_lab.reporting.run_documents import RunDocuments as Found

        return Found(
            folder=folder or single, profile=saved.profile, roofline=saved.roofline, analysis=saved.analysis
        )

    return Run(folder, saved.profile, saved.analysis, documents)
