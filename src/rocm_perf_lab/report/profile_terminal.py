"""A profile on one screen."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.contracts.profile import ProfileDocument


def render(profile: ProfileDocument, folder: Path) -> str:
    return f"{profile.runtime_ms}\n{folder}\n"
