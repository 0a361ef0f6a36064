"""Where and with what a run is made: command, tools, host, state of the GPU; read from files, fast."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path

from rocm_perf_lab import __version__
from rocm_perf_lab.contracts.profiling.profile import Setting
from rocm_perf_lab.rocm.find import Prefix

# Variables that change what GPU runtimes do. The rest of the environment is private and is not written down.
STEERING = ("AMD_", "GPU_", "HIP_", "HSA_", "ROCM_", "ROCP_", "ROCPROF", "ROCR_", "VROCM_", "OMP_NUM_THREADS")

# What amdgpu tells of a GPU (Documentation/gpu/amdgpu in the kernel tree), below /sys/class/drm/card*/device.
DRM = Path("/sys/class/drm")
AMD_VENDOR = "0x1002"
STATES = {
    "compute_partition": "current_compute_partition",
    "memory_partition": "current_memory_partition",
    "performance_level": "power_dpm_force_performance_level",
    "busy_percent": "gpu_busy_percent",
    "temperature_millidegrees": "hwmon/hwmon*/temp1_input",
    "power_microwatts": "hwmon/hwmon*/power1_average",
    "power_cap_microwatts": "hwmon/hwmon*/power1_cap",
    "engine_clock_hz": "hwmon/hwmon*/freq1_input",
    "memory_clock_hz": "hwmon/hwmon*/freq2_input",
}


def describe_setting(
    command: tuple[str, ...],
    prefix: Prefix | None,
    environment: Mapping[str, str],
    kernel_filter: str | None,
    now: datetime,
) -> Setting:
    tools = {"rocm-perf-lab": __version__, "python": platform.python_version()}
    if prefix:
        tools["rocm"] = prefix.version or "of unknown version"
        tools["prefix"] = prefix.kind
    driver = _read(Path("/sys/module/amdgpu/version"))
    if driver:
        tools["amdgpu"] = driver
    return Setting(
        command=command,
        working_directory=str(Path.cwd()),
        started=now.astimezone(timezone.utc).isoformat(timespec="seconds"),
        host=_host(),
        tools=tools,
        prefix=str(prefix.path) if prefix else None,
        gpu_state=gpu_state(DRM),
        environment={name: environment[name] for name in sorted(environment) if name.startswith(STEERING)},
        kernel_filter=kernel_filter,
    )


def gpu_state(drm: Path) -> dict[str, str]:
    """``card1.compute_partition`` -> ``SPX`` and the like, for every AMD GPU the driver tells about."""
    found = {}
    for device in sorted(drm.glob("card[0-9]*/device")):
        if _read(device / "vendor") != AMD_VENDOR:
            continue
        for name, pattern in STATES.items():
            for file in sorted(device.glob(pattern))[:1]:
                value = _read(file)
                if value:
                    found[f"{device.parent.name}.{name}"] = value
    return found


def _host() -> dict[str, str]:
    system = os.uname()
    host = {
        "name": system.nodename,
        "system": f"{system.sysname} {system.release}",
        "machine": system.machine,
    }
    cores = os.cpu_count()
    if cores:
        host["cores"] = str(cores)
    for line in _read(Path("/proc/cpuinfo")).splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            host["processor"] = value.strip()
            break
    return host


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
