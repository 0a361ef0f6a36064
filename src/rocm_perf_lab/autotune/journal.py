"""The journal of a tuning: a file of JSON lines, written as things happen and read again after a kill.

The first line says what is tuned and how; each further one is a trial. A line that was cut short by a kill is
left out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from rocm_perf_lab.autotune.trial import Trial
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, UsageProblem

NAME = "trials.jsonl"
VERSION = 1


class Journal:
    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        """``about`` is what the results depend on: a journal of something else is not continued."""
        self.path = path
        self.about = {"rocm_perf_autotune": VERSION, **about}

    def begin(self) -> None:
        if self.path.exists():
            raise UsageProblem(
                f"{self.path} is there already", "continue it with --resume, or name another --out"
            )
        self._append(self.about)

    def resume(self) -> list[Trial]:
        """The trials so far."""
        lines = self._lines()
        before = next(lines, None)
        if before is None:
            self._append(self.about)
            return []
        wanted = json.loads(json.dumps(self.about))
        for key in {**before, **wanted}:
            if before.get(key) != wanted.get(key):
                raise UsageProblem(
                    f"{self.path} is of another tuning: its {key} differs",
                    "give the same options, or begin anew in another --out",
                )
        return [self._trial(line) for line in lines]

    def add(self, trial: Trial) -> None:
        self._append(asdict(trial))

    def _lines(self) -> Iterator[dict[str, Any]]:
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as problem:
            raise BadInput(f"{self.path} cannot be read: {problem.strerror}") from None
        end = content.rfind(b"\n") + 1
        if end < len(content):  # the kill came while it was written; what follows begins on a line of its own
            with self.path.open("r+b") as file:
                file.truncate(end)
        for number, line in enumerate(content[:end].split(b"\n")[:-1], 1):
            try:
                entry = json.loads(line.decode("utf-8"))
            except ValueError:
                raise BadInput(f"{self.path}: line {number} is not JSON") from None
            if not isinstance(entry, dict):
                raise BadInput(f"{self.path}: line {number} is no object")
            yield entry

    def _trial(self, line: dict[str, Any]) -> Trial:
        names = {field.name for field in fields(Trial)}
        try:
            known = {name: value for name, value in line.items() if name in names}
            return Trial(**{**known, "samples": tuple(float(one) for one in known.get("samples", ()))})
        except (TypeError, ValueError):
            raise BadInput(f"{self.path}: a line is no trial") from None

    def _append(self, entry: Mapping[str, Any]) -> None:
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry, ensure_ascii=False, allow_nan=False) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as problem:
            raise EnvironmentProblem(f"{self.path} cannot be written: {problem.strerror}") from None
