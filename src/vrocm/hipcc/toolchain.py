"""Where the compiler, the linkers, our headers and our libraries are."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import HipccError

HOST_TARGET = "x86_64-linux-gnu"
# Triples as clang spells them in offload bundles (Clang Offload Bundler documentation, "Bundle Entry ID").
HOST_TRIPLE = "x86_64-unknown-linux-gnu"
DEVICE_TRIPLE = "amdgcn-amd-amdhsa"
DEFAULT_ARCH = "gfx942"
# Names the folder; "off": results of compilations are neither kept nor looked for.
CACHE_VARIABLE = "VROCM_CACHE"
CACHE_OFF = "off"


@dataclass(frozen=True)
class Toolchain:
    """Absolute paths of the tools and headers of a compilation."""

    zig: str
    resource_dir: str
    include_dir: str
    host_linker: str

    @property
    def clang(self) -> list[str]:
        return [self.zig, "clang", "-resource-dir", self.resource_dir]

    @property
    def device_linker(self) -> list[str]:
        return [self.zig, "ld.lld"]

    @property
    def archiver(self) -> list[str]:
        return [self.zig, "ar"]

    @property
    def wrapper_dir(self) -> str:
        """Headers that stand in front of the system's: <cmath>, <complex>, <new>, …"""
        return f"{self.include_dir}/vrocm/wrappers"


def package_dir() -> Path:
    return Path(__file__).resolve().parent.parent


def library_dir() -> Path:
    """The folder with libamdhip64, in the prefix: there libhiprtc finds the compiler again at run time."""
    from ..errors import Problem
    from ..layout import prefix

    try:
        return prefix() / "lib"
    except Problem as problem:
        raise HipccError(f"{problem.cause}: {problem.remedy}") from None


def cache_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the device library's bitcode and results of compilations are kept between runs."""
    explicit = environment.get(CACHE_VARIABLE)
    if explicit and explicit != CACHE_OFF:
        return Path(explicit)
    base = environment.get("XDG_CACHE_HOME")
    home = Path(environment.get("HOME") or Path.home())
    return (Path(base) if base else home / ".cache") / "rocm-perf-lab" / "vrocm"


def find() -> Toolchain:
    """Locate the tools, or say which package brings the missing one."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        raise HipccError(
            "the HIP compiler is missing: pip install 'rocm-perf-lab[vrocm]' brings it (ziglang)"
        )
    zig_dir = Path(next(iter(spec.submodule_search_locations)))
    return Toolchain(
        zig=str(zig_dir / "zig"),
        resource_dir=str(zig_dir / "lib"),
        include_dir=str(package_dir() / "include"),
        host_linker=os.environ.get("VROCM_HOST_CXX") or shutil.which("g++") or "g++",
    )
