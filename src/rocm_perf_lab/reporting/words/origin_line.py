"""The first lines of every report: whether all of the run is there; simulated or measured, and on what."""

from __future__ import annotations

from rocm_perf_lab.contracts.profiling.profile import ProfileDocument


def unfinished_line(profile: ProfileDocument) -> str | None:
    """None of a run that came to its end."""
    return f"UNFINISHED: {'; '.join(profile.unfinished)}" if profile.unfinished else None


def origin_line(profile: ProfileDocument) -> str:
    simulated = profile.origin == "simulated"
    if profile.stability is None:
        return "wall time of the process; the GPU was not looked at"
    if profile.gpu is None:
        times = "SIMULATED GPU times" if simulated else "GPU times"
        return f"{times}; the trace does not say of which GPU"
    gpu = profile.gpu
    units = f", {gpu.cu_count} CUs" if gpu.cu_count else ""
    others = f" and {len(profile.gpus) - 1} more" if len(profile.gpus) > 1 else ""
    device = f"{gpu.name} ({gpu.architecture}{units}){others}"
    if simulated:
        return f"SIMULATED on a virtual {device}"
    return f"measured on {device}"
