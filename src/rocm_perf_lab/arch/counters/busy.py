"""How long the units of a GPU were at work, and its waves waited, from counters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .formula import value_of

Per = Literal["simd", "cu", "waves"]


@dataclass(frozen=True)
class BusyFormula:
    """``weight · counter`` over the clocks of all SIMDs or compute units, or over the time of the waves."""

    figure: str
    counter: str
    weight: int
    per: Per
    source: str

    @property
    def counters(self) -> tuple[str, ...]:
        return (self.counter, WAVE_TIME) if self.per == "waves" else (self.counter, CLOCKS)

    def __str__(self) -> str:
        weight = f"{self.weight}·" if self.weight != 1 else ""
        if self.per == "waves":
            return f"{self.counter} / {WAVE_TIME}"
        return f"{weight}{self.counter} / (clocks · {'SIMDs' if self.per == 'simd' else 'CUs'})"


# Clocks in which the GPU was at work, counted on every die and summed.
CLOCKS = "GRBM_GUI_ACTIVE"
# Time of all waves on the GPU; SQ_WAVES is how many they were. In steps of four clocks ("quad-cycles").
WAVE_TIME = "SQ_WAVE_CYCLES"
WAVES = "SQ_WAVES"
CLOCKS_PER_STEP = 4

# Counters named ACTIVE_INST and WAIT count in steps of four clocks, because a SIMD issues every fourth.
BUSY_FORMULAS = (
    BusyFormula("valu", "SQ_ACTIVE_INST_VALU", 4, "simd", "ROCm's derived counter VALUBusy"),
    BusyFormula("mfma", "SQ_VALU_MFMA_BUSY_CYCLES", 1, "simd", "ROCm's derived counter MfmaUtil"),
    BusyFormula("lds", "SQ_LDS_IDX_ACTIVE", 1, "cu", "ROCm's derived counter LdsUtil"),
    BusyFormula("scalar", "SQ_ACTIVE_INST_SCA", 4, "simd", "as VALUBusy, for scalar ALU and scalar memory"),
    BusyFormula("branch", "SQ_ACTIVE_INST_MISC", 4, "simd", "as VALUBusy, for branches and messages"),
    BusyFormula("waiting", "SQ_WAIT_ANY", 1, "waves", "ROCm's derived counter WaveDepWait"),
    # Described as counting steps of four clocks; on an MI300X it counts clocks.
    BusyFormula("units", "SQ_BUSY_CU_CYCLES", 1, "cu", "as LdsUtil, for units that have a wave"),
)
# Of the clocks in which the LDS worked: those lost to bank conflicts.
LDS_CONFLICT = "SQ_LDS_BANK_CONFLICT"


def busy_counters(architecture: str) -> tuple[str, ...]:
    """What is collected for these figures; in what RDNA's counters of this kind count is not published."""
    if not architecture.startswith("gfx9"):
        return ()
    names = [name for formula in BUSY_FORMULAS for name in formula.counters]
    return tuple(dict.fromkeys((*names, WAVES, LDS_CONFLICT)))


def busy_share(
    formula: BusyFormula, counters: Mapping[str, float], *, clocks: float, simds: int, cus: int
) -> float | None:
    """From 0 to 1; None where a counter is missing. ``clocks`` is the time of all launches together."""
    count = value_of(formula.counter, counters)
    time = value_of(WAVE_TIME, counters) if formula.per == "waves" else clocks
    if count is None or not time:
        return None
    return formula.weight * count / (time * {"simd": simds, "cu": cus, "waves": 1}[formula.per])
