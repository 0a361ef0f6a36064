"""Compiles programs once for each content into a cache folder."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import vrocm

FLAGS = ("-O2", "--offload-arch=gfx942")


class BuildFailed(Exception):
    """hipcc refused a program."""


def environment() -> dict[str, str]:
    return {**os.environ, **vrocm.environment()}


def binary(source: Path, flags: Sequence[str], cache: Path) -> Path:
    """Path of the compiled program; compiles when the source, its headers or the flags changed."""
    digest = hashlib.sha256()
    headers = sorted(
        {*source.parent.glob("*.h"), *source.parent.glob("*.def"), *source.parent.parent.glob("include/*.h")}
    )
    for path in (source, *headers):
        digest.update(path.read_bytes())
    digest.update(repr((FLAGS, tuple(flags))).encode())
    target = cache / f"{source.parent.name}-{source.stem}-{digest.hexdigest()[:12]}"
    if target.exists():
        return target
    cache.mkdir(parents=True, exist_ok=True)
    paths = environment()
    hipcc = shutil.which("hipcc", path=paths["PATH"])
    if not hipcc:
        raise BuildFailed("there is no hipcc in the virtual ROCm")
    partial = target.with_suffix(f".{os.getpid()}")
    command = [hipcc, *FLAGS, *flags, str(source), "-o", str(partial)]
    ran = subprocess.run(command, env=paths, capture_output=True, text=True)
    if ran.returncode:
        raise BuildFailed(f"{' '.join(command)}\n{ran.stderr}")
    partial.replace(target)
    return target
