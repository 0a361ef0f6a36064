"""The microkernels of a calibration: which program has which kernel, and what it is the ceiling of."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rocm_perf_lab.arch.peaks import Peaks

FOLDER = Path(__file__).parent / "microkernels"


@dataclass(frozen=True)
class Microkernel:
    program: str
    """A source in microkernels/, without its ending."""
    kernel: str
    ceiling: str
    figure: str
    unit: Literal["GFLOP/s", "GOP/s", "GB/s"]

    @property
    def kind(self) -> Literal["compute", "memory"]:
        return "memory" if self.unit == "GB/s" else "compute"


_VECTOR_TYPES = ("f32", "f32_packed", "f64", "f16")
_MATRIX_TYPES = ("f16", "bf16", "f32", "xf32", "f64", "f8", "i8")

MICROKERNELS = (
    Microkernel("memory", "copy", "hbm", "hbm", "GB/s"),
    Microkernel("memory", "triad", "hbm", "hbm", "GB/s"),
    *(
        Microkernel(
            "vector", f"fma_{type_}", f"valu {type_}".replace("_", " "), f"valu {type_[:3]}", "GFLOP/s"
        )
        for type_ in _VECTOR_TYPES
    ),
    *(
        Microkernel(
            "matrix",
            f"mfma_{type_}",
            f"mfma {type_}",
            f"mfma {type_}",
            "GOP/s" if type_ == "i8" else "GFLOP/s",
        )
        for type_ in _MATRIX_TYPES
    ),
    Microkernel("lds", "lds", "lds", "lds", "GB/s"),
)


def microkernels_for(peaks: Peaks | None) -> tuple[Microkernel, ...]:
    """Those whose instructions the architecture has; of an unknown one, those that all have."""
    rates: Collection[str] = peaks.flops if peaks else ("valu_f32", "valu_f64", "valu_f16")
    return tuple(
        one for one in MICROKERNELS if one.kind == "memory" or one.ceiling.replace(" ", "_") in rates
    )
