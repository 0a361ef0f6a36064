"""The device library: math, printf, heap and grid services that every HIP kernel may call.

It is compiled once per architecture to LLVM bitcode and linked into each device compile with
``-Xclang -mlink-builtin-bitcode -Xclang FILE`` for every file of :func:`build`, in the order given:
a file may use functions of later files, never of earlier ones.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE_DIR = Path(__file__).resolve().parent
RUNTIME_ABI_HEADER = SOURCE_DIR.parent / "include" / "vrocm" / "runtime_abi.h"

# Callers before callees; files that call no other file come in any order at the end.
LINK_FIRST = ("half_precision",)

COMPILE_FLAGS = (
    "-x",
    "c++",
    "-std=c++20",
    "--target=amdgcn-amd-amdhsa",
    "-nogpulib",
    "-O3",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    # Error-free transformations rely on each operation being rounded as written; fma is asked for by name.
    "-ffp-contract=off",
    # The program that links the library chooses how denormals are treated.
    "-fdenormal-fp-math=dynamic",
    "-emit-llvm",
    "-c",
)


class DeviceLibraryError(RuntimeError):
    """The device library could not be compiled."""


def zig_executable() -> Path:
    """The zig of the ziglang wheel, which carries clang with the AMDGPU target."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise DeviceLibraryError("the ziglang package is not installed: pip install ziglang")
    folder = Path(spec.origin).parent
    for name in ("zig", "zig.exe"):
        if (folder / name).is_file():
            return folder / name
    raise DeviceLibraryError(f"no zig executable in {folder}")


def sources() -> list[Path]:
    """All translation units in link order."""
    found = sorted(SOURCE_DIR.rglob("*.cpp"), key=lambda path: path.stem)
    rank = {stem: position for position, stem in enumerate(LINK_FIRST)}
    return sorted(found, key=lambda path: rank.get(path.stem, len(rank)))


def content_hash(arch: str, zig: Path) -> str:
    """Changes whenever a source, a flag, the architecture or the compiler does."""
    digest = hashlib.sha256()
    stamp = zig.stat()
    digest.update(repr((arch, COMPILE_FLAGS, str(zig), stamp.st_size, stamp.st_mtime_ns)).encode())
    inputs = [*sources(), *sorted(SOURCE_DIR.rglob("*.h"))]
    if RUNTIME_ABI_HEADER.is_file():
        inputs.append(RUNTIME_ABI_HEADER)
    for path in inputs:
        digest.update(path.name.encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()[:20]


def _compile(zig: Path, arch: str, source: Path, output: Path) -> None:
    command = [
        str(zig),
        "clang",
        *COMPILE_FLAGS,
        f"-mcpu={arch}",
        "-I",
        str(SOURCE_DIR),
        "-I",
        str(RUNTIME_ABI_HEADER.parent.parent),
        str(source),
        "-o",
        str(output),
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise DeviceLibraryError(f"compiling {source.name} for {arch} failed:\n{result.stderr}")


def build(arch: str, cache_dir: Path) -> list[Path]:
    """Bitcode files for ``arch`` (for example ``gfx942``), compiled on first use and cached by content."""
    zig = zig_executable()
    units = sources()
    folder = Path(cache_dir) / f"devicelib-{arch}-{content_hash(arch, zig)}"
    outputs = [folder / f"{unit.stem}.bc" for unit in units]
    if folder.is_dir():  # it appears by rename, so it is complete
        return outputs
    Path(cache_dir).mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".devicelib-{arch}-", dir=cache_dir))
    try:
        with ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 2)) as pool:
            list(pool.map(lambda unit: _compile(zig, arch, unit, scratch / f"{unit.stem}.bc"), units))
        scratch.chmod(0o755)
        try:
            scratch.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process finished first, with the same contents
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return outputs
