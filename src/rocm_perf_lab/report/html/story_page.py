"""Draws an optimization as one HTML file that needs nothing else and runs no script."""

from __future__ import annotations

from pathlib import Path

import jinja2
from markupsafe import Markup

from rocm_perf_lab.contracts.optimization import OptimizationDocument
from rocm_perf_lab.optimize.read_bundle import read_claims
from rocm_perf_lab.report.html.story_view import LEFT, RIGHT, TOP, WIDTH, StoryView, story_view
from rocm_perf_lab.report.whole_file import write_whole

_HERE = Path(__file__).parent
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"


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
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    text = environment.get_template("story.html").render(
        view=view,
        width=WIDTH,
        left=LEFT,
        right=WIDTH - RIGHT,
        top=TOP,
        style=Markup((_HERE / "assets" / "page.css").read_text(encoding="utf-8")),
        policy=_POLICY,
    )
    return text.encode("utf-8", "replace").decode("utf-8")
