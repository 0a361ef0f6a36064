"""What a program under the tools library did, and the types of the fixtures that start it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from captured import Capture

Build = Callable[..., Path]


@dataclass(frozen=True)
class Ran:
    code: int
    output: str
    errors: str
    folder: Path
    report: dict[str, Any] | None

    @property
    def capture(self) -> Capture:
        assert self.report is not None
        assert self.report["state"] == "captured", f"{self.report['reason']}\n{self.errors}"
        assert self.report["folder"] == str(self.folder)
        return Capture.read(self.folder)


Run = Callable[..., Ran]
