"""The GPUs of a prefix, as its rocminfo lists them."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass

from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.rocm.find import Prefix

ROCMINFO_SECONDS = 60


@dataclass(frozen=True)
class PrefixGpu:
    name: str  # gfx942
    marketing_name: str | None
    compute_units: int | None
    isa: str | None
    clock_mhz: float | None = None  # highest


def parse_rocminfo(text: str) -> list[PrefixGpu]:
    """Reads the agents of type GPU from rocminfo's text."""
    gpus = []
    for block in re.split(r"^\*+\s*\n\s*Agent \d+\s*\n\*+\s*$", text, flags=re.MULTILINE)[1:]:

        def field(name: str, block: str = block) -> str | None:
            found = re.search(rf"^\s*{name}:\s*(.*?)\s*$", block, flags=re.MULTILINE)
            return found.group(1) or None if found else None

        if field("Device Type") != "GPU":
            continue
        units = field("Compute Unit")
        clock = field(r"Max Clock Freq\. \(MHz\)")
        isa = re.search(r"amdgcn-amd-amdhsa--\S+", block)
        gpus.append(
            PrefixGpu(
                name=field("Name") or "unknown",
                marketing_name=field("Marketing Name"),
                compute_units=int(units) if units and units.isdigit() else None,
                isa=isa.group(0) if isa else None,
                clock_mhz=float(clock) if clock and clock.isdigit() else None,
            )
        )
    return gpus


def list_gpus(prefix: Prefix) -> list[PrefixGpu]:
    tool = prefix.tool("rocminfo")
    if not tool.exists():
        raise EnvironmentProblem(
            f"there is no rocminfo in {prefix.path}", "install the rocminfo package of ROCm"
        )
    try:
        done = subprocess.run(
            [str(tool)],
            env={**os.environ, **prefix.environment()},
            capture_output=True,
            text=True,
            timeout=ROCMINFO_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise EnvironmentProblem(f"rocminfo did not answer within {ROCMINFO_SECONDS} s") from None
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no message"]
        raise EnvironmentProblem(f"rocminfo failed: {last[0]}")
    return parse_rocminfo(done.stdout)
