"""Builds the test programs and their device code against the HSA runtime under test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.commands import SECONDS

PROGRAMS = Path(__file__).parent / "programs"
ROOT = Path(__file__).parents[3]


def runtime_folder() -> Path:
    """Where libhsa-runtime64.so.1 is: VROCM_NATIVE_DIR/lib, installed, or the newest below build/."""
    name = "libhsa-runtime64.so.1"
    candidates = [Path(p) / "lib" for p in [os.environ.get("VROCM_NATIVE_DIR", "")] if p]
    candidates += [Path(p) / "vrocm" / "lib" for p in sys.path]
    candidates += sorted((p.parent for p in ROOT.glob(f"build/**/{name}")), key=lambda p: -p.stat().st_mtime)
    for folder in candidates:
        if (folder / name).exists():
            return folder
    raise FileNotFoundError(f"{name} is not built; set VROCM_NATIVE_DIR to the folder above its lib/")


def include_folder(scratch: Path) -> Path:
    """A folder that has our headers as hsa/, as an installed prefix does."""
    folder = scratch / "include"
    folder.mkdir(exist_ok=True)
    link = folder / "hsa"
    if not link.exists():
        link.symlink_to(ROOT / "native" / "abi" / "hsa")
    return folder


def call(*command: str | Path) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stderr}"


def build_program(scratch: Path, source: str, *, shared: bool = False) -> Path:
    """A program (or a library) from programs/, linked with the runtime."""
    result = scratch / Path(source).with_suffix(".so" if shared else "").name
    if result.exists():
        return result
    library = runtime_folder()
    flags = ["-shared", "-fPIC"] if shared else []
    call(
        "g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Wno-missing-field-initializers", *flags,
        f"-I{include_folder(scratch)}", PROGRAMS / source, "-o", result,
        library / "libhsa-runtime64.so.1", f"-Wl,-rpath,{library}", "-lpthread",
    )  # fmt: skip
    return result


def build_kernels(scratch: Path, source: str = "kernels.c", arch: str = "gfx942") -> Path:
    """A linked code object from device code in programs/."""
    result = scratch / f"{Path(source).stem}-{arch}.hsaco"
    if result.exists():
        return result
    obj = result.with_suffix(".o")
    zig = [sys.executable, "-m", "ziglang"]
    call(
        *zig, "clang", "--target=amdgcn-amd-amdhsa", f"-mcpu={arch}", "-nogpulib", "-mcode-object-version=5",
        "-O2", "-c", PROGRAMS / source, "-o", obj,
    )  # fmt: skip
    call(*zig, "ld.lld", "-shared", obj, "-o", result)
    return result


def run_program(
    program: Path, *arguments: str | Path, seconds: float = SECONDS, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs a program without tools and devices of the surrounding environment."""
    clean = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("VROCM_", "HSA_", "ROCR_")) or key in ("VROCM_NATIVE_DIR", "VROCM_THREADS")
    }
    return subprocess.run(
        [str(program), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=seconds,
        env={**clean, **environment},
    )
