"""Operations from counters, by type and by unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.arch.peaks_table import FP32_VALU_WIDTH

from .formula import Formula, Part

_VALU_SOURCE = "ROCm Compute Profiler, roofline: 64·(ADD + MUL + TRANS + 2·FMA), as if all lanes were active"
_MFMA_SOURCE = "ROCm's derived counters MfmaFlops*: 512 operations for each count of MOPS"
_WAVE = 64

# Multiplications and additions of matrix instructions that each architecture counts, by type.
_MFMA_TYPES = {
    "gfx90a": ("F16", "BF16", "F32", "F64", "I8"),
    "gfx942": ("F16", "BF16", "F32", "F64", "F8", "I8"),
    "gfx950": ("F16", "BF16", "F32", "F64", "F8", "I8", "F6F4"),
}
# Types that matrix instructions have and no counter counts, by the lists of counters in rocprofiler-sdk.
_MFMA_UNCOUNTED = {"gfx942": ("XF32",)}
# The estimate of FP32 work from the plain instruction count is defined for CDNA3 alone.
_VALU_WIDTH_DEFINED = ("gfx940", "gfx941", "gfx942")


@dataclass(frozen=True)
class WorkFormula:
    type: str
    """f16, bf16, f32, f64, f8, f6f4, i8."""
    unit: Literal["valu", "mfma"]
    formula: Formula

    @property
    def floating(self) -> bool:
        return not self.type.startswith("i")


def _valu(type_: str) -> WorkFormula:
    single = tuple(f"SQ_INSTS_VALU_{kind}_{type_}" for kind in ("ADD", "MUL", "TRANS"))
    parts = (Part(_WAVE, single), Part(2 * _WAVE, (f"SQ_INSTS_VALU_FMA_{type_}",)))
    return WorkFormula(type_.lower(), "valu", Formula(parts, _VALU_SOURCE))


def _mfma(type_: str) -> WorkFormula:
    part = Part(512, (f"SQ_INSTS_VALU_MFMA_MOPS_{type_}",))
    return WorkFormula(type_.lower(), "mfma", Formula((part,), _MFMA_SOURCE))


def work_formulas(architecture: str) -> tuple[WorkFormula, ...]:
    """The typed model. Empty where the architecture has no counters of work by type (RDNA)."""
    if architecture not in _MFMA_TYPES:
        return ()
    return (
        *(_valu(type_) for type_ in ("F16", "F32", "F64")),
        *(_mfma(type_) for type_ in _MFMA_TYPES[architecture]),
    )


def uncounted_work(architecture: str) -> dict[str, str]:
    """Figures of work that no counter gives, and why: where a kernel has such work, the sum lacks it."""
    return {
        f"work mfma {type_.lower()}": f"{architecture} has no counter of {type_} operations"
        for type_ in _MFMA_UNCOUNTED.get(architecture, ())
    }


def valu_width(architecture: str) -> WorkFormula | None:
    """SQ_INSTS_VALU·fp32_valu_width + 512·MFMA_MOPS_F32; None where no width is defined."""
    if architecture not in _VALU_WIDTH_DEFINED:
        return None
    parts = (Part(FP32_VALU_WIDTH, ("SQ_INSTS_VALU",)), Part(512, ("SQ_INSTS_VALU_MFMA_MOPS_F32",)))
    source = (
        f"estimate valu-width: fp32_valu_width = {FP32_VALU_WIDTH} on CDNA3; counts moves and addresses, too"
    )
    return WorkFormula("f32", "valu", Formula(parts, source))
