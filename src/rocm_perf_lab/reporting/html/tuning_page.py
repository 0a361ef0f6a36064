"""Draws a tuning as one HTML file that needs nothing else and runs no script."""

from __future__ import annotations

from rocm_perf_lab.contracts.changes.autotune import TuningDocument
from rocm_perf_lab.reporting.html.template import WITHOUT_SCRIPTS, draw_page
from rocm_perf_lab.reporting.html.tuning_view import BOTTOM, HEIGHT, LEFT, WIDTH, tuning_view


def render(document: TuningDocument) -> str:
    return draw_page(
        "tuning.html",
        view=tuning_view(document),
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        ground=HEIGHT - BOTTOM,
        policy=WITHOUT_SCRIPTS,
    )
