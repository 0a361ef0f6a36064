"""Draws a tuning as one HTML file that needs nothing else and runs no script."""

from __future__ import annotations

from pathlib import Path

import jinja2
from markupsafe import Markup

from rocm_perf_lab.contracts.autotune import TuningDocument
from rocm_perf_lab.report.html.tuning_view import BOTTOM, HEIGHT, LEFT, WIDTH, tuning_view

_HERE = Path(__file__).parent
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"


def render(document: TuningDocument) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    text = environment.get_template("tuning.html").render(
        view=tuning_view(document),
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        ground=HEIGHT - BOTTOM,
        style=Markup((_HERE / "assets" / "page.css").read_text(encoding="utf-8")),
        policy=_POLICY,
    )
    return text.encode("utf-8", "replace").decode("utf-8")
