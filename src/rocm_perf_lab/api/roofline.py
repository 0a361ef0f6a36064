"""The ceilings of a GPU, from data sheets or measured, as ``rocm-perf roofline`` shows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rocm_perf_lab.requests.values import AnyPath, at_least, path_of, positive

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.profiling.roofline_document import RooflineDocument


def roofline(
    *,
    calibrate: bool = False,
    device: int = 0,
    memory_bandwidth_gbps: float | None = None,
    clock_mhz: float | None = None,
    store: AnyPath | None = None,
    tell: Callable[[str], None] | None = None,
) -> RooflineDocument:
    """Say what the ceilings of the present GPU are and where each comes from.

    ``calibrate`` measures them with microkernels first and keeps them, in ``store`` (else the user's data
    folder); the document's ``notes`` name the file. ``tell`` is called with the name of each microkernel.
    """
    from rocm_perf_lab.profiling.calibration.device_ceilings import calibrate_device, device_ceilings
    from rocm_perf_lab.rocm.find import find_prefix

    at_least(0, device=device)
    positive(memory_bandwidth_gbps=memory_bandwidth_gbps, clock_mhz=clock_mhz)
    prefix, folder = find_prefix(), path_of(store)
    if calibrate:
        calibrate_device(prefix, device, folder, tell or _silent)
    return device_ceilings(
        prefix, device, folder, memory_bandwidth_gbps=memory_bandwidth_gbps, clock_mhz=clock_mhz
    )


def _silent(program: str) -> None:
    pass
