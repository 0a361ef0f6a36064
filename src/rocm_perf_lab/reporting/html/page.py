"""Draws the view-model as one HTML file that needs nothing else: styles, scripts and data are inside."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from markupsafe import Markup

from rocm_perf_lab.reporting.html.template import draw_page
from rocm_perf_lab.reporting.html.view_model import ReportView
from rocm_perf_lab.reporting.words.figures import duration, percent
from rocm_perf_lab.reporting.words.kernel_names import short_name
from rocm_perf_lab.reporting.words.summary import rate

_HERE = Path(__file__).parent
_NAME_WIDTH = 44
# In JSON these letters occur inside strings only, where an escape means the same letter.
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "'": "\\u0027"}
# In this order; each file is one thing of the page.
_SCRIPTS = (
    "page.js",
    "roofline.js",
    "timeline.js",
    "table.js",
    "residency.js",
    "occupancy.js",
    "code.js",
    "start.js",
)


def render(view: ReportView) -> str:
    script = "\n".join((_HERE / "assets" / name).read_text(encoding="utf-8") for name in _SCRIPTS)
    return draw_page(
        "report.html",
        {
            "percent": percent,
            "duration_ns": lambda ns: duration(ns / 1e6),
            "rate": rate,
            "short": lambda name: short_name(name, _NAME_WIDTH),
        },
        view=view,
        script=Markup(script),
        policy=_policy(script),
        data=Markup(embedded_json(view.for_scripts())),
    )


def _policy(script: str) -> str:
    """Nothing is loaded from anywhere, and no script runs but ours: whatever a kernel is called."""
    # As the browser sees the element: with the line breaks that the template has around the text.
    digest = base64.b64encode(hashlib.sha256(f"\n{script}\n".encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"


def embedded_json(value: Any) -> str:
    """ASCII without markup: U+2028 and U+2029, which end a line of a script, are escaped, too."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for letter, escape in _ESCAPES.items():
        text = text.replace(letter, escape)
    return text
