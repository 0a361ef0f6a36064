"""How much a compute unit of each architecture can hold: what occupancy is computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Accumulation = Literal["none", "separate", "unified"]


@dataclass(frozen=True, kw_only=True)
class RegisterFile:
    """Vector registers of one SIMD for waves of one size."""

    registers: int
    """Per lane, shared by all waves on the SIMD."""
    granule: int
    """A wave gets a multiple of this."""


@dataclass(frozen=True, kw_only=True)
class DeviceLimits:
    """Limits of one architecture. ``sources`` says of each field where its value comes from."""

    architecture: str
    generation: str
    simds_per_cu: int
    wave_slots_per_simd: int
    wave_sizes: tuple[int, ...]
    """The one compilers use unless told otherwise comes first."""
    vgprs: dict[int, RegisterFile]
    """By wave size."""
    accumulation: Accumulation
    """Accumulation registers: none; a file of their own as large as the other; or a share of one file."""
    sgpr_steps: tuple[tuple[int, int], ...]
    """(most SGPRs of a wave, waves per SIMD), ascending; the last row holds above, too. Empty: no limit."""
    lds_bytes: int
    """Of one compute unit."""
    lds_bytes_per_workgroup: int
    lds_granule: int
    barriers: int
    """Workgroups of more than one wave that a compute unit can hold."""
    pairs_of_units: bool
    """RDNA: unless compiled for CU mode, a workgroup has a pair of units (WGP) and all that the two hold."""
    max_threads_per_workgroup: int
    sources: dict[str, str]

    @property
    def wave_size(self) -> int:
        return self.wave_sizes[0]
