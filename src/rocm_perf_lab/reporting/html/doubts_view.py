"""What not to trust blindly, as plain data: figures that physics contradicts, warnings, missing counters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rocm_perf_lab.reporting.run_documents import RunDocuments
from rocm_perf_lab.reporting.words.figures import digits
from rocm_perf_lab.reporting.words.kernel_names import short_name

MOST_SUSPECTS = 50
NAME_WIDTH = 48


@dataclass(frozen=True)
class Doubt:
    """A figure that is shown and never used for a verdict."""

    kernel: str
    figure: str
    value: str
    why: str
    formula: str


@dataclass(frozen=True)
class DoubtsView:
    suspects: tuple[Doubt, ...]
    warnings: tuple[str, ...]
    dropped: tuple[tuple[str, str], ...]
    """(counter, why it was not collected)."""
    counted: bool
    """Whether there are figures that could be contradicted."""


def doubts_view(run: RunDocuments) -> DoubtsView:
    return DoubtsView(
        suspects=tuple(_suspects(run))[:MOST_SUSPECTS],
        warnings=tuple(dict.fromkeys((*run.profile.warnings, *run.problems, *_advice(run)))),
        dropped=tuple(sorted(run.profile.dropped_counters.items())),
        counted=any(kernel.roofline for kernel in run.profile.kernels),
    )


def _suspects(run: RunDocuments) -> Iterator[Doubt]:
    for kernel in run.profile.kernels:
        for suspect in kernel.roofline.suspects if kernel.roofline else ():
            yield Doubt(
                kernel=short_name(kernel.name, NAME_WIDTH),
                figure=suspect.figure,
                value=digits(suspect.value),
                why=suspect.why,
                formula=suspect.formula,
            )


def _advice(run: RunDocuments) -> Iterator[str]:
    """What the scatter of the runs gives reason to say."""
    scatter = run.profile.stability or run.profile.wall_ms
    if scatter is None:
        return
    yield from scatter.advice
    if run.roofline:
        yield from run.roofline.notes
