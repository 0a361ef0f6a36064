"""Tunings for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.contracts.autotune import RecordedSearchDocument
from rocm_perf_lab.report.figures import count
from rocm_perf_lab.report.printable import printable

SHOWN = (1, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1000)


def render_recorded(document: RecordedSearchDocument) -> str:
    return "".join(printable(line).rstrip() + "\n" for line in _recorded(document))


def _recorded(document: RecordedSearchDocument) -> Iterator[str]:
    what = " ".join(part for part in (document.kernel, document.device) if part)
    yield f"{document.file} ({document.format}{', ' + what if what else ''}): {document.objective}"
    yield (
        f"{count(document.configurations, 'configuration')}, {document.failing} of them fail, "
        f"{document.within_1_percent} within 1 % of the best, {document.within_5_percent} within 5 %"
    )
    yield f"optimum / best found, over {count(len(document.seeds), 'search', 'searches')}"
    yield ""
    yield f"{'evaluations':>11}{'median':>9}{'quartiles':>17}{'worst':>9}{'random':>9}"
    last = len(document.quality)
    for quality in document.quality:
        if quality.evaluations in SHOWN or quality.evaluations == last:
            quartiles = f"{quality.lower_quartile:.3f} … {quality.upper_quartile:.3f}"
            yield (
                f"{quality.evaluations:>11}{quality.median:>9.3f}{quartiles:>17}"
                f"{quality.worst:>9.3f}{quality.random_median:>9.3f}"
            )
    yield ""
    explained = "" if document.median_r2 is None else f"; R² of the model {document.median_r2:.2f}"
    yield f"a suggestion takes {document.median_suggestion_ms:.1f} ms{explained}"
