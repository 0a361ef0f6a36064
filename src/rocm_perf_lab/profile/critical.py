"""dag.json of a run folder: the critical path, from a trace with the host's calls where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rocm_perf_lab.contracts.dag import DagDocument
from rocm_perf_lab.contracts.section import Origin

DOCUMENT = "dag.json"
# What the pass for the critical path traces beside kernels.
TRACE_OPTIONS = ("--kernel-trace", "--memory-copy-trace", "--hip-runtime-trace")


def write_dag(run_folder: Path, databases: Sequence[Path], origin: Origin | None = None) -> DagDocument:
    """Finds the critical path of the execution that ``databases`` hold and writes it into the run folder."""
    from rocm_perf_lab.analysis.critical_path.summary import dag_document
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.errors import NoKernels
    from rocm_perf_lab.profile.run_folder import RunFolder
    from rocm_perf_lab.rocpd.timeline import read_timeline

    timeline = read_timeline(databases)
    if not len(timeline.works):
        raise NoKernels("the trace has no kernel and no copy", "give a trace of a program that uses the GPU")
    document = dag_document(timeline, origin)
    RunFolder(run_folder).write(DOCUMENT, to_json(document))
    return document
