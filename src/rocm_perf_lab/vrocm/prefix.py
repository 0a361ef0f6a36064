"""The virtual ROCm as a folder that looks like an installed ROCm.

Build scripts look for ``bin/hipcc``, ``include/hip`` and ``lib/libamdhip64.so`` below one folder. The parts
come from the package (headers, compiler driver) and from its native build (libraries, HSA headers); this
module lays them out side by side with links, and writes launchers that name the running interpreter.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

from rocm_perf_lab.errors import EnvironmentProblem

# The ROCm release whose API and ABI the virtual one follows.
ROCM_VERSION = "7.1.0"

# Programs that are modules of this package; each gets a launcher in bin/.
LAUNCHERS = {
    "hipcc": "rocm_perf_lab.vrocm.hipcc",
    "amdclang++": "rocm_perf_lab.vrocm.hipcc",
    "hipconfig": "rocm_perf_lab.vrocm.hipconfig",
    "rocm_agent_enumerator": "rocm_perf_lab.vrocm.agent_enumerator",
}


def package_dir() -> Path:
    """The folder with the package's own headers."""
    return Path(__file__).resolve().parent


def native_dir() -> Path:
    """The folder below which the native build installed ``lib/`` and ``include/hsa``."""
    override = os.environ.get("VROCM_NATIVE_DIR")
    if override:
        return Path(override)
    import rocm_perf_lab.vrocm as package

    # An editable install keeps Python files in the source tree and native files in site-packages; both are
    # on the package's search path.
    for place in package.__path__:
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
    return f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n'


def _lay_out(root: Path, package: Path, native: Path) -> None:
    include = root / "include"
    include.mkdir()
    for name, source in _children(package / "include", native / "include").items():
        (include / name).symlink_to(source)
    (root / "lib").symlink_to(native / "lib")
    (root / "bin").mkdir()
    for name, source in _children(native / "bin").items():
        (root / "bin" / name).symlink_to(source)
    for name, module in LAUNCHERS.items():
        launcher = root / "bin" / name
        launcher.write_text(_launcher(module))
        launcher.chmod(launcher.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    (root / ".info").mkdir()
    (root / ".info" / "version").write_text(ROCM_VERSION + "\n")


def materialise() -> Path:
    """Returns the prefix folder, made on first use and again whenever one of its parts moved."""
    package, native = package_dir(), native_dir()
    parts = [
        ROCM_VERSION,
        sys.executable,
        str(package),
        str(native),
        *_children(package / "include", native / "include", native / "bin"),
        *LAUNCHERS,
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


def environment(base: dict[str, str] | None = None) -> dict[str, str]:
    """The variables that make build scripts and programs use the virtual ROCm."""
    base = dict(os.environ) if base is None else base
    root = materialise()

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
