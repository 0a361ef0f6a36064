"""Finds the native tool that replays, and the HSA runtime that it is to load."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.builds.environment import allowed
from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.rocm.find import Prefix, find_prefix
from vrocm import native_dir

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.section import Origin

NAME = "rocm-perf-replay"
LIBRARY = "libhsa-runtime64.so.1"


@dataclass(frozen=True)
class Tool:
    executable: Path
    prefix: Prefix
    library: Path | None
    """None: wherever the loader finds it."""
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def virtual(self) -> bool:
        return self.prefix.kind == "virtual"

    @property
    def origin(self) -> Origin:
        """Of the times it gives."""
        return "simulated" if self.virtual else "measured"

    def pinned(self, device: str | None) -> Tool:
        """The same, seeing one GPU; None: all of them."""
        if device is None:
            return self
        return replace(self, environment={**self.environment, "ROCR_VISIBLE_DEVICES": device})

    def command(self, word: str, capture: Path, *options: str) -> list[str]:
        chosen = ["--hsa", str(self.library)] if self.library else []
        return [str(self.executable), word, str(capture), *options, *chosen]


def find_tool() -> Tool:
    prefix = find_prefix()
    executable = native_dir() / "bin" / NAME
    if not os.access(executable, os.X_OK):
        raise EnvironmentProblem(
            f"{NAME} is not built: there is no {executable}",
            "run scripts/setup, or install the package again",
        )
    places = (prefix.path / folder / LIBRARY for folder in ("lib", "lib64"))
    library = next((place for place in places if place.exists()), None)
    environment = {**allowed(os.environ), **prefix.environment()}
    # A tools library of the shell's would be loaded into every replay, and capture it.
    environment.pop("HSA_TOOLS_LIB", None)
    return Tool(executable, prefix, library, environment)
