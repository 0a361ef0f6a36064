"""What is to be checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from rocm_perf_lab.contracts.check import DefectClass

CLASSES: tuple[DefectClass, ...] = get_args(DefectClass)


@dataclass(frozen=True)
class CheckRequest:
    command: tuple[str, ...]
    classes: tuple[DefectClass, ...] = CLASSES
    suppressions: Path | None = None
    timeout_s: float | None = None
    program_output_to_stderr: bool = False
    quiet: bool = False
    """What the program prints is thrown away."""
