"""Which ROCm to use: the installed one where there is a GPU, the virtual one everywhere else."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import vrocm
from rocm_perf_lab.errors import EnvironmentProblem

DRIVER = Path("/dev/kfd")  # the kernel driver's device node: without it no AMD GPU can be used


@dataclass(frozen=True)
class Prefix:
    kind: Literal["real", "virtual"]
    path: Path
    version: str | None
    reason: str

    def tool(self, name: str) -> Path:
        return self.path / "bin" / name

    def environment(self) -> dict[str, str]:
        """Variables that make a program use this prefix."""
        if self.kind == "virtual":
            return vrocm.environment()
        return {
            "PATH": f"{self.path / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}",
            "ROCM_PATH": str(self.path),
        }


def version_of(path: Path) -> str | None:
    file = path / ".info" / "version"
    return file.read_text().strip() if file.is_file() else None


def _installed() -> tuple[Path, str] | None:
    """The first installed ROCm, and what led to it."""
    for variable in ("ROCM_PATH", "HIP_PATH"):
        value = os.environ.get(variable)
        if value and (Path(value) / "bin" / "hipcc").exists():
            return Path(value), f"{variable} names it"
    if Path("/opt/rocm/bin/hipcc").exists():
        return Path("/opt/rocm"), "it is installed in /opt/rocm"
    hipcc = shutil.which("hipcc")
    if hipcc:
        return Path(hipcc).resolve().parent.parent, "its hipcc is on PATH"
    return None


def is_virtual(path: Path) -> bool:
    return (path / "bin" / "hipcc").is_file() and "vrocm.hipcc" in (path / "bin" / "hipcc").read_bytes()[
        :4096
    ].decode(errors="replace")


def find_prefix() -> Prefix:
    """Chooses a prefix; ROCM_PERF_PREFIX=virtual or a folder overrides the choice."""
    wanted = os.environ.get("ROCM_PERF_PREFIX")
    if wanted and wanted != "virtual":
        path = Path(wanted)
        if not (path / "bin" / "hipcc").exists():
            raise EnvironmentProblem(
                f"ROCM_PERF_PREFIX={wanted} has no bin/hipcc", "name a ROCm folder, or 'virtual'"
            )
        kind: Literal["real", "virtual"] = "virtual" if is_virtual(path) else "real"
        return Prefix(kind, path, version_of(path), "ROCM_PERF_PREFIX names it")
    if wanted == "virtual":
        reason = "ROCM_PERF_PREFIX asks for the virtual one"
    else:
        installed = _installed()
        if installed and not is_virtual(installed[0]):
            if DRIVER.exists():
                return Prefix("real", installed[0], version_of(installed[0]), installed[1])
            reason = f"ROCm is installed in {installed[0]}, but there is no GPU driver ({DRIVER} is missing)"
        elif installed:
            reason = f"{installed[1]}, and it is the virtual one"
        else:
            reason = "no ROCm is installed"
    return Prefix("virtual", vrocm.prefix(), vrocm.ROCM_VERSION, reason)
