"""The ceilings in use for a GPU of a prefix, and their calibration."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from rocm_perf_lab.analysis.roofline import ceilings, unexplained_ceilings
from rocm_perf_lab.arch.device import base_name, peaks
from rocm_perf_lab.contracts.profiling.roofline_document import RooflineDocument
from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.profiling.calibration import store as calibration_store
from rocm_perf_lab.profiling.calibration.calibrate import calibrate
from rocm_perf_lab.profiling.documents.gpus import describe
from rocm_perf_lab.rocm.agents import PrefixGpu, list_gpus
from rocm_perf_lab.rocm.find import Prefix
from rocm_perf_lab.rocpd.rows import Agent


def calibrate_device(
    prefix: Prefix, device: int, store: Path | None, progress: Callable[[str], None]
) -> Path:
    """Measures and keeps; gives the file."""
    gpu = _gpu(prefix, device)
    environment = {**os.environ, **prefix.environment(), "ROCR_VISIBLE_DEVICES": str(device)}
    for name in ("HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"):  # these count what is left
        environment.pop(name, None)
    calibration, agent = calibrate(prefix, environment, gpu, progress)
    return calibration_store.save(calibration, agent, store)


def device_ceilings(
    prefix: Prefix,
    device: int,
    store: Path | None,
    *,
    memory_bandwidth_gbps: float | None,
    clock_mhz: float | None,
) -> RooflineDocument:
    """roofline.json without kernels."""
    gpu = _gpu(prefix, device)
    agent = Agent(
        index=device,
        name=base_name(gpu.name),
        product_name=gpu.marketing_name or "",
        cu_count=gpu.compute_units,
        clock_mhz=gpu.clock_mhz,
        virtual=prefix.kind == "virtual",
    )
    rates = peaks(agent.name, agent.product_name)
    stored = calibration_store.load(agent, store)
    notes = [stored.problem] if stored.problem else []
    if stored.calibration:
        notes.append(f"calibrated {stored.calibration.taken}: {stored.path}")
        notes += [f"{name} was not measured: {why}" for name, why in stored.calibration.not_measured.items()]
    else:
        notes.append("data sheets say what a device could do; --calibrate measures what this one does")
    unexplained = unexplained_ceilings(agent, rates, clock_mhz)
    if unexplained:
        notes.append(unexplained)
    return RooflineDocument(
        origin="derived",
        gpu=stored.calibration.gpu if stored.calibration else describe(agent),
        flop_model="typed",
        ceilings=ceilings(
            agent,
            rates,
            memory_bandwidth_gbps=memory_bandwidth_gbps,
            clock_mhz=clock_mhz,
            measured=stored.ceilings,
        ),
        kernels=(),
        notes=tuple(notes),
    )


def _gpu(prefix: Prefix, device: int) -> PrefixGpu:
    gpus = list_gpus(prefix)
    if device >= len(gpus):
        raise EnvironmentProblem(
            f"there is no GPU {device}: the prefix {prefix.path} has {len(gpus)}",
            "rocm-perf doctor lists them",
        )
    return gpus[device]
