"""The virtual ROCm as a folder that looks like an installed ROCm.

Build scripts look for ``bin/hipcc``, ``include/hip`` and ``lib/libamdhip64.so`` below one folder. The parts
come from the package (headers, compiler driver) and from its native build (libraries, HSA headers); this
module lays them out side by side with links, and writes launchers that name the running interpreter.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import stat
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from . import ROCM_VERSION
from .errors import EnvironmentProblem
from .isolated import command_line

# Programs that are modules of this package, with their leading arguments; each gets a launcher.
_CLANG = "vrocm.hipcc --called-as-clang"
LAUNCHERS = {
    "bin/hipcc": "vrocm.hipcc",
    "bin/amdclang": _CLANG,
    "bin/amdclang++": _CLANG,
    "bin/hipconfig": "vrocm.hipconfig",
    "bin/rocm_agent_enumerator": "vrocm.rocm_agent_enumerator",
    "bin/rocprofv3": "vrocm.rocprofv3",
    "llvm/bin/amdclang": _CLANG,
    "llvm/bin/amdclang++": _CLANG,
    "llvm/bin/clang": _CLANG,
    "llvm/bin/clang++": _CLANG,
}


def package_dir() -> Path:
    """The folder with the package's own headers."""
    return Path(__file__).resolve().parent


def native_dir() -> Path:
    """The folder below which the native build installed ``lib/`` and ``include/hsa``."""
    override = os.environ.get("VROCM_NATIVE_DIR")
    if override:
        return Path(override)
    import vrocm

    # An editable install keeps Python files in the source tree and native files in site-packages; both are
    # on the package's search path.
    for place in vrocm.__path__:
        if (Path(place) / "lib" / "libamdhip64.so").exists():
            return Path(place)
    raise EnvironmentProblem(
        "the native libraries of the virtual ROCm are not built",
        "run scripts/setup, or pip install rocm-perf-lab[vrocm] on a machine with g++",
    )


def _home() -> Path:
    override = os.environ.get("VROCM_PREFIX_DIR")
    if override:
        return Path(override)
    shared = Path(sys.prefix) / "share" / "rocm-perf-lab"
    if os.access(sys.prefix, os.W_OK):
        return shared
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "rocm-perf-lab"


def _children(*folders: Path) -> dict[str, Path]:
    return {child.name: child for folder in folders if folder.is_dir() for child in sorted(folder.iterdir())}


def _launcher(module: str) -> str:
    return f'#!/bin/sh\nexec {shlex.join(command_line(*module.split()))} "$@"\n'


def _lay_out_libraries(target: Path, source: Path) -> None:
    """Links to the libraries, in which the names of one library lead to one file.

    A wheel has no links, so that after its installation libX.so, libX.so.1 and libX.so.1.2.3 are three files,
    and a process that opens two of them by name would run two runtimes.
    """
    target.mkdir()
    families: dict[str, list[str]] = {}
    for name, path in _children(source).items():
        stem, suffix, _ = name.partition(".so")
        if path.is_dir() or not suffix:
            (target / name).symlink_to(path)
        else:
            families.setdefault(stem, []).append(name)
    for names in families.values():
        newest = max(names, key=_version)
        (target / newest).symlink_to(source / newest)
        for name in names:
            if name != newest:
                (target / name).symlink_to(newest)


def _version(library: str) -> tuple[int, ...]:
    return tuple(int(part) for part in library.partition(".so")[2].split(".") if part.isdigit())


def _lay_out(root: Path, package: Path, native: Path) -> None:
    include = root / "include"
    include.mkdir()
    for name, source in _children(package / "include", native / "include").items():
        (include / name).symlink_to(source)
    _lay_out_libraries(root / "lib", native / "lib")
    (root / "bin").mkdir()
    for name, source in _children(native / "bin").items():
        (root / "bin" / name).symlink_to(source)
    for name, module in LAUNCHERS.items():
        launcher = root / name
        launcher.parent.mkdir(parents=True, exist_ok=True)
        launcher.write_text(_launcher(module))
        launcher.chmod(launcher.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    (root / ".info").mkdir()
    (root / ".info" / "version").write_text(ROCM_VERSION + "\n")


def prefix() -> Path:
    """The folder of the virtual ROCm, made on first use and again whenever one of its parts moved."""
    package, native = package_dir(), native_dir()
    parts = [
        ROCM_VERSION,
        str(package),
        str(native),
        *_children(package / "include", native / "include", native / "bin"),
        *_children(native / "lib"),
        *LAUNCHERS,
        *map(_launcher, LAUNCHERS.values()),
    ]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]
    home = _home()
    root = home / f"vrocm-{key}"
    if root.is_dir():
        return root
    home.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=home, prefix=".draft-"))
    try:
        _lay_out(draft, package, native)
        draft.chmod(0o755)
        draft.rename(root)
    except OSError:
        # Another process finished first; its folder is as good as ours.
        if not root.is_dir():
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return root


def environment(base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables that make build scripts and programs use the virtual ROCm, to be set over those of
    ``base``: ``{**os.environ, **vrocm.environment()}``."""
    root = prefix()

    def prepend(variable: str, folder: Path) -> str:
        rest = [part for part in base.get(variable, "").split(os.pathsep) if part and part != str(folder)]
        return os.pathsep.join([str(folder), *rest])

    return {
        "PATH": prepend("PATH", root / "bin"),
        "ROCM_PATH": str(root),
        "HIP_PATH": str(root),
        "HIP_PLATFORM": "amd",
        "LD_LIBRARY_PATH": prepend("LD_LIBRARY_PATH", root / "lib"),
    }
