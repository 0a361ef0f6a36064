"""What works on this machine and what does not: the findings behind ``rocm-perf doctor``."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from rocm_perf_lab import __version__
from rocm_perf_lab.errors import EnvironmentProblem, RocmPerfError
from rocm_perf_lab.rocm.agents import PrefixGpu, list_gpus
from rocm_perf_lab.rocm.find import Prefix, find_prefix
from rocm_perf_lab.rocm.profiler import BY_HAND, FIRST_WITH_DATABASES, trace_decoder, writes_databases
from rocm_perf_lab.rocm.runtime_support import runtime_support

COMPILE_SECONDS = 120
RUN_SECONDS = 60
ASKED_SECONDS = 5.0

# Adds two vectors on the GPU and checks the sum: compiler, runtime and device in one.
SMOKE_PROGRAM = """\
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
int main() {
    const int n = 1000;
    float host[n], *a, *b, *c;
    for (int i = 0; i < n; ++i) host[i] = float(i);
    if (hipMalloc(&a, sizeof host) || hipMalloc(&b, sizeof host) || hipMalloc(&c, sizeof host)) return 1;
    if (hipMemcpy(a, host, sizeof host, hipMemcpyHostToDevice)) return 2;
    if (hipMemcpy(b, host, sizeof host, hipMemcpyHostToDevice)) return 3;
    add<<<(n + 255) / 256, 256>>>(a, b, c, n);
    if (hipMemcpy(host, c, sizeof host, hipMemcpyDeviceToHost)) return 4;
    for (int i = 0; i < n; ++i) if (host[i] != 2.0f * i) return 5;
    std::puts("ok");
}
"""


@dataclass(frozen=True)
class Check:
    name: str
    status: Literal["ok", "warning", "failed", "skipped"]
    detail: str
    remedy: str | None = None


@dataclass
class Diagnosis:
    prefix: Prefix | None = None
    gpus: list[PrefixGpu] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)

    @property
    def healthy(self) -> bool:
        return not any(check.status == "failed" for check in self.checks)

    def document(self) -> dict[str, Any]:
        """The ``--json`` form."""
        prefix = self.prefix
        return {
            "schema_version": "1.0",
            "rocm_perf_lab": __version__,
            "python": platform.python_version(),
            "platform": platform.platform(),
            "healthy": self.healthy,
            "prefix": prefix
            and {
                "kind": prefix.kind,
                "path": str(prefix.path),
                "version": prefix.version,
                "reason": prefix.reason,
            },
            "gpus": [asdict(gpu) for gpu in self.gpus],
            "checks": [asdict(check) for check in self.checks],
        }


def _first_line(text: str) -> str:
    return (text.strip().splitlines() or ["no output"])[0]


def _check_prefix(result: Diagnosis) -> Check:
    result.prefix = find_prefix()
    label = "the virtual ROCm" if result.prefix.kind == "virtual" else "installed ROCm"
    version = result.prefix.version or "of unknown version"
    return Check("prefix", "ok", f"{label} {version} in {result.prefix.path}, because {result.prefix.reason}")


def _check_host_compiler(result: Diagnosis) -> Check:
    compiler = shutil.which("g++")
    if not compiler:
        return Check("host compiler", "failed", "g++ is not on PATH", "apt-get install g++")
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True)
    return Check("host compiler", "ok", _first_line(done.stdout))


def _check_hip_compiler(result: Diagnosis) -> Check:
    assert result.prefix
    hipcc = result.prefix.tool("hipcc")
    done = subprocess.run([str(hipcc), "--version"], capture_output=True, text=True, timeout=COMPILE_SECONDS)
    if done.returncode != 0:
        remedy = "pip install 'rocm-perf-lab[vrocm]'" if result.prefix.kind == "virtual" else None
        return Check("hipcc", "failed", _first_line(done.stderr), remedy)
    return Check("hipcc", "ok", _first_line(done.stdout))


def _check_gpus(result: Diagnosis) -> Check:
    assert result.prefix
    result.gpus = list_gpus(result.prefix)
    if not result.gpus:
        return Check(
            "GPUs",
            "failed",
            "rocminfo lists no GPU",
            "check the amdgpu driver and your groups (render, video)",
        )
    simulated = " (simulated)" if result.prefix.kind == "virtual" else ""
    listing = ", ".join(
        f"{gpu.marketing_name or gpu.name} [{gpu.name}, {gpu.compute_units} CUs]" for gpu in result.gpus
    )
    return Check("GPUs", "ok", listing + simulated)


def _check_replay(result: Diagnosis) -> Check:
    assert result.prefix
    try:
        support = runtime_support(result.prefix)
    except EnvironmentProblem as problem:
        return Check("replay", "warning", problem.cause, problem.remedy)
    if not support.virtual_memory:
        return Check(
            "replay",
            "warning",
            "HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED is false: captured addresses cannot be reserved, "
            "rocm-perf replay is unavailable",
            "a driver with KFD 1.15 or newer, and a libdrm that has amdgpu_device_get_fd",
        )
    if not support.shared_virtual_memory:
        unset = os.environ.get("HSA_USE_SVM") == "0"
        return Check(
            "replay",
            "warning",
            "HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED is false: the GPU sees host memory at other addresses than "
            "the host does, so captures with host memory are not replayed",
            "unset HSA_USE_SVM" if unset else "a Linux kernel that is built with CONFIG_HSA_AMD_SVM",
        )
    return Check("replay", "ok", "the runtime has virtual memory and shared virtual memory")


def _check_trace_decoder(result: Diagnosis) -> Check:
    assert result.prefix
    if result.prefix.kind == "virtual":
        return Check("trace decoder", "ok", "part of the virtual ROCm")
    found = trace_decoder(result.prefix)
    if found is None:
        return Check(
            "trace decoder",
            "warning",
            f"no librocprof-trace-decoder.so in {result.prefix.path}/lib or on LD_LIBRARY_PATH: "
            "profile --deep-analysis and replay profile --att are unavailable",
            "install the rocprof-trace-decoder package of ROCm, or name its folder in LD_LIBRARY_PATH",
        )
    return Check("trace decoder", "ok", str(found))


def _check_profiler(result: Diagnosis) -> Check:
    assert result.prefix
    tool = result.prefix.tool("rocprofv3")
    if not tool.exists():
        remedy = None if result.prefix.kind == "virtual" else "install the rocprofiler-sdk package of ROCm"
        return Check("rocprofv3", "warning", f"not in {result.prefix.path}: profiling is unavailable", remedy)
    if not writes_databases(result.prefix):
        detail = (
            f"ROCm {result.prefix.version}: it does not write databases, rocm-perf profile is unavailable"
        )
        return Check("rocprofv3", "warning", detail, f"ROCm {FIRST_WITH_DATABASES} or newer; or {BY_HAND}")
    return Check("rocprofv3", "ok", str(tool))


def _check_program(result: Diagnosis) -> Check:
    """Compiles and runs a small program."""
    assert result.prefix
    environment = {**os.environ, **result.prefix.environment()}
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "smoke.hip", Path(folder) / "smoke"
        source.write_text(SMOKE_PROGRAM)
        command = [str(result.prefix.tool("hipcc")), "-O2", str(source), "-o", str(program)]
        built = _run(command, environment, COMPILE_SECONDS)
        if built.returncode != 0:
            return Check("compile and run", "failed", f"hipcc: {_first_line(built.stderr)}")
        ran = _run([str(program)], environment, RUN_SECONDS)
    if ran.returncode != 0 or ran.stdout.strip() != "ok":
        message = _first_line(ran.stderr) if ran.stderr.strip() else f"exit code {ran.returncode}"
        return Check("compile and run", "failed", f"the test program failed: {message}")
    return Check("compile and run", "ok", "a vector addition was compiled, run and checked")


def _run(command: list[str], environment: dict[str, str], seconds: float) -> subprocess.CompletedProcess[str]:
    """One that does not end by itself is asked to, so that it ends what it has started."""
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            printed, said = process.communicate(timeout=seconds)
        except BaseException:  # too late, or Ctrl-C
            process.terminate()
            try:
                process.wait(ASKED_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, printed, said)


# In order: each may rely on what those before it found.
CHECKS: list[tuple[str, Callable[[Diagnosis], Check]]] = [
    ("prefix", _check_prefix),
    ("host compiler", _check_host_compiler),
    ("hipcc", _check_hip_compiler),
    ("GPUs", _check_gpus),
    ("replay", _check_replay),
    ("rocprofv3", _check_profiler),
    ("trace decoder", _check_trace_decoder),
    ("compile and run", _check_program),
]


def diagnose(quick: bool = False) -> Diagnosis:
    """Runs all checks; ``quick`` leaves out compiling and running a program."""
    result = Diagnosis()
    for name, check in CHECKS:
        if name != "host compiler" and name != "prefix" and result.prefix is None:
            result.checks.append(Check(name, "skipped", "there is no prefix to check"))
            continue
        if quick and name == "compile and run":
            continue
        try:
            result.checks.append(check(result))
        except RocmPerfError as error:
            result.checks.append(Check(name, "failed", error.cause, error.remedy))
        except subprocess.TimeoutExpired as error:
            result.checks.append(Check(name, "failed", f"{error.cmd[0]} did not finish in {error.timeout} s"))
        except OSError as error:
            result.checks.append(Check(name, "failed", str(error)))
    return result
