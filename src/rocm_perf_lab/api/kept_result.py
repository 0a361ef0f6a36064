"""An optimization or a tuning that was kept: its document, its page and its summary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.errors import UsageProblem


@dataclass(frozen=True)
class KeptResult:
    what: str
    page: Path
    """Where its page is, unless another place is named."""
    html: Callable[[], str]
    text: Callable[[], str]
    """For a terminal."""


def find_kept(path: Path) -> KeptResult | None:
    """What a document, or the folder that has it, is of; None: neither of an optimization nor of a tuning."""
    optimization = _find_optimization(path)
    if optimization is not None:
        return _optimization(optimization)
    tuning = _find_tuning(path)
    return _tuning(tuning) if tuning is not None else None


def _find_optimization(path: Path) -> Path | None:
    """The optimization.json that is meant: itself, in its folder, or the last one of a source's folder."""
    from rocm_perf_lab.optimizing.records.folder import DOCUMENT, JOURNAL, last_ended

    found = _find(path, DOCUMENT)
    if found is None and (path / JOURNAL).is_file():
        raise UsageProblem(
            f"the optimization in {path} has not come to its end", "rocm-perf optimize --resume goes on"
        )
    return found or last_ended(path)


def _find_tuning(path: Path) -> Path | None:
    """The tuning.json that is meant: itself, or in its folder."""
    from rocm_perf_lab.autotuning.files import DOCUMENT, JOURNAL

    found = _find(path, DOCUMENT)
    if found is None and (path / JOURNAL).is_file():
        raise UsageProblem(
            f"the tuning in {path} has not come to its end",
            f"the same rocm-perf autotune with --resume --out {path} goes on",
        )
    return found


def _find(path: Path, name: str) -> Path | None:
    file = path if path.name == name else path / name
    return file if file.is_file() else None


def _optimization(file: Path) -> KeptResult:
    from rocm_perf_lab.contracts.changes.optimization import OptimizationDocument
    from rocm_perf_lab.contracts.documents import from_json
    from rocm_perf_lab.optimizing.records.folder import PAGE
    from rocm_perf_lab.reporting.html.story_page import render as html
    from rocm_perf_lab.reporting.terminal.optimize import render as text

    document = from_json(OptimizationDocument, file.read_bytes(), str(file))
    return KeptResult(
        "an optimization", file.parent / PAGE, html=lambda: html(document), text=lambda: text(document)
    )


def _tuning(file: Path) -> KeptResult:
    from rocm_perf_lab.autotuning.files import PAGE
    from rocm_perf_lab.contracts.changes.autotune import TuningDocument
    from rocm_perf_lab.contracts.documents import from_json
    from rocm_perf_lab.reporting.html.tuning_page import render as html
    from rocm_perf_lab.reporting.terminal.autotune import render as text

    document = from_json(TuningDocument, file.read_bytes(), str(file))
    return KeptResult(
        "a tuning",
        file.parent / PAGE,
        html=lambda: html(document),
        text=lambda: text(document, file.parent),
    )
