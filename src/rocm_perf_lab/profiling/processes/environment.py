"""The environment of the measured program: the same in warm-up, timing and counter passes."""

from __future__ import annotations

import os

from rocm_perf_lab.profiling.request import ProfileRequest
from rocm_perf_lab.rocm.find import Prefix


def pass_environment(request: ProfileRequest, prefix: Prefix | None) -> dict[str, str]:
    environment = {**os.environ, **(prefix.environment() if prefix else {})}
    if request.device is not None:
        # Below HIP: also programs on the HSA API see this GPU only. What is visible counts from 0 again, so
        # that a HIP_VISIBLE_DEVICES of the user's would choose among the one that is left.
        environment["ROCR_VISIBLE_DEVICES"] = request.device
        environment.pop("HIP_VISIBLE_DEVICES", None)
        environment.pop("CUDA_VISIBLE_DEVICES", None)
    return environment
