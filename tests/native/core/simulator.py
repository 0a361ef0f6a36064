"""Whole dispatches through the C interface, and kernels written in assembly or C for them."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bare_wave import library
from numpy.typing import NDArray


class Launch(ctypes.Structure):
    _fields_ = [
        ("grid", ctypes.c_uint32 * 3),
        ("workgroup", ctypes.c_uint16 * 3),
        ("group_segment_size", ctypes.c_uint32),
        ("private_segment_size", ctypes.c_uint32),
        ("step", ctypes.c_uint64),
    ]


class Memory(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class Stats(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint64)
        for name in (
            "waves",
            "workgroups",
            "instructions",
            "steps",
            "host_threads",
            "cycles",
            "nanoseconds",
            "sampled",
        )
    ]


def zig(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", "ziglang", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def assemble_object(folder: Path, text: str, arch: str) -> bytes:
    """A linked code object from assembly text."""
    source, result = folder / "code.s", folder / "code.o"
    source.write_text(text)
    zig("clang", "--target=amdgcn-amd-amdhsa", f"-mcpu={arch}", "-c", str(source), "-o", str(result))
    return link(result)


def link(obj: Path) -> bytes:
    result = obj.with_suffix(".hsaco")
    zig("ld.lld", "-shared", "--no-undefined", str(obj), "-o", str(result))
    return result.read_bytes()


def compile_c(folder: Path, text: str, arch: str, *flags: str) -> bytes:
    """A code object from freestanding C; kernels are marked __attribute__((amdgpu_kernel))."""
    source, obj = folder / "kernel.c", folder / "kernel.o"
    source.write_text(text)
    target = ["--target=amdgcn-amd-amdhsa", f"-mcpu={arch}", "-nogpulib", "-mcode-object-version=5"]
    zig("clang", *target, *flags, "-c", str(source), "-o", str(obj))
    return link(obj)


@dataclass
class Result:
    kind: int
    message: str
    stats: Stats


def run_kernel(
    code_object: bytes,
    kernel: str,
    grid: Sequence[int],
    workgroup: Sequence[int],
    arguments: Sequence[Any] = (),
    memory: Sequence[NDArray[Any]] | None = None,
    **launch: int,
) -> Result:
    """Runs a kernel to its end. Arguments are arrays (passed by address) and integers (8 bytes each)."""
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    shared = [*arrays, *(memory or [])]
    words = [a.ctypes.data if isinstance(a, np.ndarray) else a for a in arguments]
    kernarg = (ctypes.c_uint64 * max(len(words), 1))(*words)
    blocks = (Memory * max(len(shared), 1))(*[Memory(a.ctypes.data, a.nbytes) for a in shared])
    settings = Launch(**launch)
    settings.grid[:] = [*grid, *[1] * (3 - len(grid))]
    settings.workgroup[:] = [*workgroup, *[1] * (3 - len(workgroup))]
    message = ctypes.create_string_buffer(4096)
    stats = Stats()
    kind = library().vrocm_run_kernel(
        code_object,
        ctypes.c_size_t(len(code_object)),
        kernel.encode(),
        ctypes.byref(settings),
        kernarg,
        ctypes.c_size_t(8 * len(words)),
        blocks,
        ctypes.c_size_t(len(shared)),
        ctypes.byref(stats),
        message,
        ctypes.c_size_t(len(message)),
    )
    return Result(kind, message.value.decode(errors="replace"), stats)


def kernel_text(name: str, body: str, directives: Mapping[str, int] | None = None) -> str:
    """One kernel: s[0:1] points at the arguments, s2.. are the workgroup ids, v0 the item's."""
    settings = {
        "next_free_vgpr": 32,
        "next_free_sgpr": 64,
        "accum_offset": 32,
        "user_sgpr_kernarg_segment_ptr": 1,
        "user_sgpr_count": 2,
        "system_sgpr_workgroup_id_x": 1,
        "system_sgpr_workgroup_id_y": 1,
        "system_sgpr_workgroup_id_z": 1,
        "system_vgpr_workitem_id": 2,
        **(directives or {}),
    }
    lines = "\n".join(f"  .amdhsa_{key} {value}" for key, value in settings.items())
    return f"""
.text
.globl {name}
.p2align 8
.type {name},@function
{name}:
{body}
.size {name}, . - {name}
.section .rodata
.p2align 6
.amdhsa_kernel {name}
{lines}
.end_amdhsa_kernel
"""
