"""A run to report on: its folder and the documents that are in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rocm_perf_lab.contracts.profiling.analysis import AnalysisDocument, KernelAnalysis
from rocm_perf_lab.contracts.profiling.att import AttDocument
from rocm_perf_lab.contracts.profiling.dag import DagDocument
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.contracts.profiling.roofline_document import RooflineDocument
from rocm_perf_lab.errors import BadInput

if TYPE_CHECKING:
    from rocm_perf_lab.rocpd.timeline.rows import Timeline

DATABASE = ".db"

Document = TypeVar("Document")


@dataclass(frozen=True)
class RunDocuments:
    folder: Path
    profile: ProfileDocument
    roofline: RooflineDocument | None = None
    dag: DagDocument | None = None
    att: AttDocument | None = None
    analysis: AnalysisDocument | None = None
    problems: tuple[str, ...] = field(default_factory=tuple)
    """Documents that are there and could not be read: why."""


def read_run(folder: Path) -> RunDocuments:
    """The documents of a run folder. Only profile.json must be there and readable."""
    from rocm_perf_lab.contracts.documents import from_json

    file = folder / "profile.json"
    if not file.is_file():
        raise BadInput(
            f"{folder} has no profile.json",
            "give a run folder of rocm-perf profile, such as .rocm-perf/latest",
        )
    problems: list[str] = []  # filled by what is read below
    return RunDocuments(
        folder=folder,
        profile=from_json(ProfileDocument, file.read_bytes(), str(file)),
        roofline=_document(RooflineDocument, folder / "roofline.json", problems),
        dag=_document(DagDocument, folder / "dag.json", problems),
        att=_document(AttDocument, folder / "att.json", problems),
        analysis=_document(AnalysisDocument, folder / "analysis.json", problems),
        problems=tuple(problems),
    )


def _document(contract: type[Document], file: Path, problems: list[str]) -> Document | None:
    """A document that need not be there. One that cannot be read is told and left out."""
    from rocm_perf_lab.contracts.documents import from_json

    if not file.is_file():
        return None
    try:
        return from_json(contract, file.read_bytes(), str(file))
    except (BadInput, OSError) as problem:
        problems.append(str(problem))
        return None


def analyses(run: RunDocuments) -> dict[str, KernelAnalysis]:
    """What holds each kernel back, by its name; empty where nobody asked."""
    return {kernel.name: kernel for kernel in run.analysis.kernels} if run.analysis else {}


def timed_databases(run: RunDocuments) -> list[Path]:
    """What the timeline is read from: the execution that the critical path is of, else the first timing pass
    that has databases."""
    if run.dag:
        there = [file for name in run.dag.databases for file in _places(run.folder, name)]
        if there:
            return there
    for purpose in ("timing", "counters"):
        for taken in run.profile.passes:
            there = [file for name in taken.databases for file in _places(run.folder, name)]
            if taken.purpose == purpose and there:
                return there
    return []


def _places(folder: Path, name: str) -> list[Path]:
    """Of a run they are named from its folder; of traces that were analysed, as these were given."""
    for file in (folder / name, Path(name)):
        if file.suffix == DATABASE and file.is_file():
            return [file]
    return []


def read_run_timeline(run: RunDocuments) -> Timeline | str:
    """The timeline of a run, or why there is none."""
    from rocm_perf_lab.rocpd.timeline.rows import read_timeline

    files = timed_databases(run)
    if not files:
        return "the databases of the timing passes are not in the run folder"
    try:
        return read_timeline(files)
    except BadInput as problem:
        return str(problem)
