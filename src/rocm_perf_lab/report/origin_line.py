"""The first line of every report: simulated or measured, and on what."""

from __future__ import annotations

from rocm_perf_lab.contracts.profile import ProfileDocument


def origin_line(profile: ProfileDocument) -> str:
    if profile.gpu is None:
        return "wall time of the process; the GPU was not looked at"
    gpu = profile.gpu
    units = f", {gpu.cu_count} CUs" if gpu.cu_count else ""
    others = f" and {len(profile.gpus) - 1} more" if len(profile.gpus) > 1 else ""
    device = f"{gpu.name} ({gpu.architecture}{units}){others}"
    if profile.origin == "simulated":
        return f"SIMULATED on a virtual {device}"
    return f"measured on {device}"
