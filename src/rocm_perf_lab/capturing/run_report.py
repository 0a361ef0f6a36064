"""The line that the tools library writes when the program ends: what became of the capture."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.cxx_names import demangle


@dataclass(frozen=True)
class RunReport:
    state: str
    """captured, failed or no match."""
    reason: str | None
    matching_dispatches: int | None
    dispatches: int | None
    kernels: tuple[str, ...]
    """Names of the kernels that were seen, demangled."""


def read_report(path: Path) -> RunReport | None:
    """None where nobody wrote one: the program did not use the runtime, or ended without a word."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        plain = json.loads(lines[-1])
    except (OSError, ValueError, IndexError):
        return None
    if not isinstance(plain, dict) or not isinstance(plain.get("state"), str):
        return None

    def count(key: str) -> int | None:
        value = plain.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    kernels = plain.get("kernels")
    reason = plain.get("reason")
    return RunReport(
        state=plain["state"],
        reason=reason if isinstance(reason, str) and reason else None,
        matching_dispatches=count("matching_dispatches"),
        dispatches=count("dispatches"),
        kernels=tuple(demangle(name) for name in kernels if isinstance(name, str))
        if isinstance(kernels, list)
        else (),
    )
