"""Where the library is that captures: part of this package, for the virtual ROCm and for a real one."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.errors import EnvironmentProblem
from vrocm import native_dir

NAME = "librocm-perf-capture.so"


def tools_library() -> Path:
    library = (native_dir() / "lib" / NAME).absolute()
    if not library.is_file():
        raise EnvironmentProblem(
            f"{NAME} is not in {library.parent}",
            "build the native part again: scripts/setup, or pip install rocm-perf-lab",
        )
    return library


def named_for_the_runtime(library: Path, others: str | None) -> str:
    """HSA_TOOLS_LIB: names with spaces between them, quoted where they have some. Other tools stay."""
    text = str(library)
    if '"' in text:
        raise EnvironmentProblem(
            f"{text}: HSA_TOOLS_LIB cannot name a path with quotes", "install it elsewhere"
        )
    ours = f'"{text}"' if " " in text else text
    return f"{ours} {others}" if others and others.strip() else ours
