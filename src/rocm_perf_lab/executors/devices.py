"""The GPUs of this machine that tasks can be pinned to."""

from __future__ import annotations

import os

from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.rocm.agents import list_gpus
from rocm_perf_lab.rocm.find import find_prefix

VARIABLE = "ROCR_VISIBLE_DEVICES"


def visible_devices(workers: int | None) -> list[str | None]:
    """One for each worker. A virtual GPU is no hardware to share: there is a worker for each core."""
    prefix = find_prefix()
    if prefix.kind == "virtual":
        return cores(workers)
    listed = os.environ.get(VARIABLE)
    if listed:
        names = [name.strip() for name in listed.split(",") if name.strip()]
    else:
        names = [str(number) for number in range(len(list_gpus(prefix)))]
    if not names:
        raise EnvironmentProblem("there is no GPU to run on", "rocm-perf doctor")
    if workers is not None and workers > len(names):
        raise EnvironmentProblem(
            f"there are {len(names)} GPUs for {workers} workers",
            "what runs on one GPU would disturb each other",
        )
    return list(names[: workers or len(names)])


def cores(workers: int | None) -> list[str | None]:
    """Workers that share all GPUs, or need none."""
    return [None] * (workers or os.cpu_count() or 1)
