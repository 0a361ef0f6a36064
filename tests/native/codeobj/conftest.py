"""Makes the helpers beside this file importable, and device code to read and to damage."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

SOURCE = """
    #define GLOBAL __attribute__((address_space(1)))
    #define KERNEL __attribute__((amdgpu_kernel)) void
    #pragma GCC visibility push(protected)
    GLOBAL int table[16] = {1, 2, 3};
    GLOBAL int *GLOBAL place = &table[2];
    KERNEL add(GLOBAL int *out, int n) {
        out[__builtin_amdgcn_workitem_id_x()] += n + *place;
    }
    KERNEL twice(GLOBAL float *out) { out[0] *= 2; }
"""


def compiled(folder: Path, *flags: str) -> bytes:
    """A linked code object with two kernels, a variable, and a pointer to it that has to be relocated."""
    source, obj, linked = folder / "two.c", folder / "two.o", folder / "two.hsaco"
    source.write_text(SOURCE)
    zig = [sys.executable, "-m", "ziglang"]
    target = ["--target=amdgcn-amd-amdhsa", "-nogpulib", "-mcode-object-version=5", *flags]
    for command in (
        [*zig, "clang", *target, "-O2", "-c", str(source), "-o", str(obj)],
        [*zig, "ld.lld", "-shared", str(obj), "-o", str(linked)],
    ):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return linked.read_bytes()


@pytest.fixture(scope="session")
def code_object(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """For gfx942."""
    return compiled(tmp_path_factory.mktemp("code"), "-mcpu=gfx942")
