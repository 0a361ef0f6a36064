"""Writes a run for other tools, as ``rocm-perf export`` does."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.api.load_run import LATEST, load_run
from rocm_perf_lab.api.run_object import Run
from rocm_perf_lab.errors import BadInput, UsageProblem
from rocm_perf_lab.requests.values import AnyPath, path_of


def export(
    run: Run | AnyPath = LATEST, *, perfetto: AnyPath | None = None, csv: AnyPath | None = None
) -> tuple[Path, ...]:
    """Write a run as a trace for ui.perfetto.dev (the file ``perfetto``), as CSV tables (in the folder
    ``csv``), or both; the files that were written.

    ``run`` is a run, a run folder or a trace (without one, the last run of the working folder).
    """
    if perfetto is None and csv is None:
        raise UsageProblem("there is nothing to write", "give --perfetto FILE, --csv DIR or both")
    from rocm_perf_lab.reporting.run_documents import read_run_timeline
    from rocm_perf_lab.reporting.whole_file import write_whole

    documents = (run if isinstance(run, Run) else load_run(run)).documents
    timeline = read_run_timeline(documents)
    written = []
    if perfetto is not None:
        if isinstance(timeline, str):
            raise BadInput(f"there is no timeline to write: {timeline}", "--csv writes what is known")
        from rocm_perf_lab.reporting.formats.perfetto import perfetto_trace

        written.append(Path(perfetto))
        write_whole(written[-1], perfetto_trace(documents, timeline))
    tables = path_of(csv)
    if tables is not None:
        from rocm_perf_lab.reporting.formats.csv_tables import csv_tables

        try:
            tables.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise UsageProblem(
                f"{tables} cannot be written: {problem.strerror}", "name another place"
            ) from None
        for name, lines in csv_tables(documents, None if isinstance(timeline, str) else timeline):
            written.append(tables / name)
            write_whole(written[-1], (part.encode("utf-8", "replace") for part in lines))
    return tuple(written)
