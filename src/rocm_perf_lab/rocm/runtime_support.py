"""What the HSA runtime of a prefix says it can do. A process of its own asks: the runtime may not start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass

from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.rocm.find import Prefix

LIBRARY = "libhsa-runtime64.so.1"
SECONDS = 60

# HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED and HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED, both a bool.
_ASK = """
import ctypes, json, sys
hsa = ctypes.CDLL(sys.argv[1])
if status := hsa.hsa_init():
    sys.exit(f"hsa_init failed with status 0x{status:x}")
def ask(attribute):
    value = ctypes.c_bool()
    return hsa.hsa_system_get_info(attribute, ctypes.byref(value)) == 0 and value.value
print(json.dumps([ask(0x201), ask(0x205)]))
"""


@dataclass(frozen=True)
class RuntimeSupport:
    shared_virtual_memory: bool
    """The GPU sees host memory at the host's addresses."""
    virtual_memory: bool
    """Addresses can be reserved, and physical memory mapped there."""


def runtime_support(prefix: Prefix) -> RuntimeSupport:
    library = prefix.path / "lib" / LIBRARY
    named = str(library) if library.exists() else LIBRARY
    done = subprocess.run(
        [sys.executable, "-I", "-c", _ASK, named],
        env={**os.environ, **prefix.environment()},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise EnvironmentProblem(f"{named} cannot be asked: {said}", "see whether rocminfo lists the GPU")
    shared, virtual = json.loads(done.stdout.splitlines()[-1])
    return RuntimeSupport(bool(shared), bool(virtual))
