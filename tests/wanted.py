"""Programs that tests want and that are no packages of Python: ``scripts/test-tools`` installs them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.commands import SECONDS


def wanted(program: str, *other_names: str) -> str:
    """Where it is. Where it is not the test is skipped; in CI (``CI=true``) that is a failure."""
    found = next(filter(None, map(shutil.which, (program, *other_names))), None)
    if found is None:
        missing(f"{program} is not installed: scripts/test-tools, or apt-get install {program}")
    return str(found)


def missing(reason: str) -> None:
    (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)


def unpacked(package: str, folder: Path) -> Path | None:
    """The files of a Debian package that need not be installed; None where it cannot be had."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        return None
    command = ["apt-get", "download", package]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS)
    files = list(folder.glob(f"{package}*.deb"))
    if done.returncode != 0 or not files:
        return None
    subprocess.run(["dpkg-deb", "-x", files[0], folder / package], check=True)
    return folder / package
