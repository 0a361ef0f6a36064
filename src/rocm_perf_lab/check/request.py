"""What is to be checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.contracts.check import DefectClass

CLASSES: tuple[DefectClass, ...] = ("out-of-bounds", "use-after-free")


@dataclass(frozen=True)
class CheckRequest:
    command: tuple[str, ...]
    classes: tuple[DefectClass, ...] = CLASSES
    suppressions: Path | None = None
    timeout_s: float | None = None
    program_output_to_stderr: bool = False
