"""Draws an optimization as one HTML file that needs nothing else and runs no script."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.contracts.changes.optimization import OptimizationDocument
from rocm_perf_lab.optimizing.bundles.read_bundle import read_claims
from rocm_perf_lab.reporting.html.story_view import LEFT, RIGHT, TOP, WIDTH, StoryView, story_view
from rocm_perf_lab.reporting.html.template import WITHOUT_SCRIPTS, draw_page
from rocm_perf_lab.reporting.whole_file import write_whole


def render(document: OptimizationDocument) -> str:
    """With what bundles of accepted changes say of code and counters, where they are still there."""
    claims = {
        at: read_claims(Path(change.bundle))
        for at, change in enumerate(document.accepted)
        if change.bundle is not None and Path(change.bundle).is_file()
    }
    return draw(story_view(document, claims))


def write_story(document: OptimizationDocument, page: Path) -> None:
    write_whole(page, [render(document).encode()])


def draw(view: StoryView) -> str:
    return draw_page(
        "story.html",
        view=view,
        width=WIDTH,
        left=LEFT,
        right=WIDTH - RIGHT,
        top=TOP,
        policy=WITHOUT_SCRIPTS,
    )
