"""The journal of a tuning: a file of JSON lines, written as things happen and read again after a kill.

The first line says what is tuned and how; each further one is a trial. A line that was cut short by a kill
stays, and the one behind it says so (``json_lines``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from rocm_perf_lab.autotuning.trial import TuningTrial
from rocm_perf_lab.errors import BadInput, UsageProblem
from rocm_perf_lab.json_lines import TORN, JsonLines, objects_in, read_lines

VERSION = 1


class TuningJournal:
    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        """``about`` is what the results depend on: a journal of something else is not continued."""
        self.path = path
        self.about = {"rocm_perf_autotune": VERSION, **about}
        self._file: JsonLines | None = None

    def begin(self) -> None:
        if self.path.exists():
            raise UsageProblem(
                f"{self.path} is there already", "continue it with --resume, or name another --out"
            )
        self._open().append(self.about)

    def resume(self) -> list[TuningTrial]:
        """The trials so far."""
        file = self._open()
        lines = entries_in(file.lines, file.torn, self.path)
        if file.torn:
            file.append({"event": TORN, "bytes": len(file.torn)})
        if not lines:
            file.append(self.about)
            return []
        before, *trials = lines
        wanted = json.loads(json.dumps(self.about))
        for key in {**before, **wanted}:
            if before.get(key) != wanted.get(key):
                raise UsageProblem(
                    f"{self.path} is of another tuning: its {key} differs",
                    "give the same options, or begin anew in another --out",
                )
        return [self._trial(line) for line in trials]

    def add(self, trial: TuningTrial) -> None:
        assert self._file is not None  # begun or resumed
        self._file.append(asdict(trial))

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _open(self) -> JsonLines:
        self.close()
        self._file = JsonLines(self.path)
        return self._file

    def _trial(self, line: dict[str, Any]) -> TuningTrial:
        names = {field.name for field in fields(TuningTrial)}
        try:
            known = {name: value for name, value in line.items() if name in names}
            return TuningTrial(**{**known, "samples": tuple(float(one) for one in known.get("samples", ()))})
        except (TypeError, ValueError):
            raise BadInput(f"{self.path}: a line is no trial") from None


def entries_in(lines: Sequence[bytes], torn: bytes, path: Path) -> list[dict[str, Any]]:
    """What is tuned, and the trials."""
    return [one for one in objects_in(lines, torn, path) if one is not None and one.get("event") != TORN]


def tuned_in(path: Path) -> dict[str, Any] | None:
    """What the tuning of a journal is of; None where it does not come to that."""
    return next(iter(entries_in(*read_lines(path), path)), None)
