"""What the occupancy calculator starts from: limits of all known architectures, demands of the kernels."""

from __future__ import annotations

from dataclasses import dataclass

from rocm_perf_lab.arch.device import base_name
from rocm_perf_lab.arch.limits import DeviceLimits
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.reporting.run_documents import RunDocuments

MOST_KERNELS = 60


@dataclass(frozen=True)
class CalculatorDemand:
    """A kernel's launch as the calculator's first values."""

    kernel: int
    threads: int
    arch_vgprs: int | None
    accum_vgprs: int | None
    sgprs: int | None
    lds_bytes: int
    wave_size: int


@dataclass(frozen=True)
class OccupancyView:
    architecture: str | None
    limits: dict[str, dict[str, object]]
    """By architecture, as the script reads them."""
    demands: tuple[CalculatorDemand, ...]


def occupancy_view(run: RunDocuments) -> OccupancyView:
    from rocm_perf_lab.arch.limits_table import LIMITS

    gpu = run.profile.gpu
    own = base_name(gpu.architecture) if gpu else None
    demands = (_demand(number, kernel) for number, kernel in enumerate(run.profile.kernels[:MOST_KERNELS]))
    return OccupancyView(
        architecture=own if own in LIMITS else None,
        limits={name: calculator_limits(limits) for name, limits in sorted(LIMITS.items())},
        demands=tuple(demand for demand in demands if demand),
    )


def calculator_limits(limits: DeviceLimits) -> dict[str, object]:
    """The limits under the names that occupancy.js reads."""
    return {
        "generation": limits.generation,
        "simds": limits.simds_per_cu,
        "slots": limits.wave_slots_per_simd,
        "waveSizes": list(limits.wave_sizes),
        "vgprs": {str(size): [file.registers, file.granule] for size, file in limits.vgprs.items()},
        "accumulation": limits.accumulation,
        "sgprSteps": [list(step) for step in limits.sgpr_steps],
        "lds": limits.lds_bytes,
        "ldsPerGroup": limits.lds_bytes_per_workgroup,
        "ldsGranule": limits.lds_granule,
        "barriers": limits.barriers,
        "pairs": limits.pairs_of_units,
        "maxThreads": limits.max_threads_per_workgroup,
    }


def _demand(number: int, kernel: KernelProfile) -> CalculatorDemand | None:
    if kernel.occupancy is None:
        return None
    resources = kernel.resources
    return CalculatorDemand(
        kernel=number,
        threads=kernel.occupancy.threads_per_block,
        arch_vgprs=resources.arch_vgprs,
        accum_vgprs=resources.accum_vgprs,
        sgprs=resources.sgprs,
        lds_bytes=(resources.lds_static_bytes or 0) + (resources.lds_dynamic_bytes or 0),
        wave_size=kernel.occupancy.wave_size,
    )
