"""The mark of a run that is not finished: the first file of its folder, gone when all others are there.

Whoever reads the folder of a run that was killed, or failed, or goes on, learns from it what is missing.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from rocm_perf_lab.contracts.failure import FailureDocument
from rocm_perf_lab.contracts.profiling.profile import Pass
from rocm_perf_lab.contracts.profiling.unfinished import Further, UnfinishedRun
from rocm_perf_lab.contracts.text import to_text
from rocm_perf_lab.errors import BadInput, Interrupted
from rocm_perf_lab.profiling.folder.run_folder import (
    FAILURE,
    PROFILE,
    SETTING,
    UNFINISHED,
    RunFolder,
    make_folder,
    make_parts,
)
from rocm_perf_lab.profiling.request import ProfileRequest
from rocm_perf_lab.requests.values import path_of

Document = TypeVar("Document")

KILLED = "it was killed, or is not done yet"
NOT_TOLD = "what it was meant to have is not known"
ONLY_DOCUMENTS = "all its passes are there, and what was to be written about them is not"


@dataclass
class UnfinishedMark:
    folder: RunFolder
    state: UnfinishedRun

    def ended(self, taken: Pass) -> None:
        """A pass that is no reason for the run to fail."""
        self.state = replace(self.state, passes=(*self.state.passes, taken))
        self.write()

    def whole(self, part: Further) -> None:
        """There is nothing more to come of it."""
        self.state = replace(self.state, further=tuple(one for one in self.state.further if one != part))
        self.write()

    def write(self) -> None:
        self.folder.write(UNFINISHED, to_text(self.state))

    def remove(self) -> None:
        with contextlib.suppress(OSError):  # the documents are there, and say more
            (self.folder.path / UNFINISHED).unlink()


def new_run(request: ProfileRequest, now: datetime) -> UnfinishedMark:
    """The mark of a new run, in a new folder that has nothing else yet but room for passes."""
    folder = make_folder(request.command[0], now, path_of(request.out))
    parts: dict[Further, bool] = {
        "counters": request.roofline,
        "critical path": request.focus_critical,
        "thread traces": request.deep_analysis,
    }
    further = tuple(part for part, wanted in parts.items() if wanted)
    mark = UnfinishedMark(folder, UnfinishedRun(runs=request.runs, further=further))
    mark.write()
    make_parts(folder)
    return mark


def read_mark(folder: Path) -> UnfinishedRun | None:
    """None where there is none that can be read."""
    return _document(UnfinishedRun, folder / UNFINISHED)


def what_is_missing(folder: Path) -> tuple[str, ...]:
    """Of a run folder that was not finished: why, and what it does not have. Empty for any other path."""
    begun = any((folder / name).is_file() for name in (UNFINISHED, SETTING, FAILURE))
    if not begun or (folder / PROFILE).is_file():  # that is written last
        return ()
    mark = read_mark(folder)
    return (_why(folder), *(_lacks(mark) if mark else [NOT_TOLD]))


def _why(folder: Path) -> str:
    failure = _document(FailureDocument, folder / FAILURE)
    if failure is None:
        return KILLED
    asked = failure.error.kind == Interrupted.kind  # "interrupted in …"
    return f"it was {failure.error.cause}" if asked else f"it failed: {failure.error.cause}"


def _document(contract: type[Document], file: Path) -> Document | None:
    try:
        text = file.read_bytes()
    except OSError:
        return None
    from rocm_perf_lab.contracts.documents import from_json

    try:
        return from_json(contract, text, str(file))
    except BadInput:
        return None


def _lacks(mark: UnfinishedRun) -> list[str]:
    timed = sum(taken.purpose == "timing" for taken in mark.passes)
    lacks = []
    if not timed:
        lacks.append(f"none of its {mark.runs} timing runs came to its end")
    elif timed < mark.runs:
        lacks.append(f"{timed} of {mark.runs} timing runs are there")
    counted = sum(taken.purpose == "counters" for taken in mark.passes)
    for part in mark.further:
        some = f" ({counted} of their passes are there)" if part == "counters" and counted else ""
        lacks.append(f"{part} missing{some}")
    return lacks or [ONLY_DOCUMENTS]
