"""Pages from templates: one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

_HERE = Path(__file__).parent
WITHOUT_SCRIPTS = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"
"""Content security policy of pages that run none."""


def draw_page(template: str, filters: Mapping[str, Callable[..., Any]] | None = None, **values: Any) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= filters or {}
    style = Markup((_HERE / "assets" / "page.css").read_text(encoding="utf-8"))
    text = environment.get_template(template).render(style=style, **values)
    # Names of files need not be Unicode: what is not becomes a question mark.
    return text.encode("utf-8", "replace").decode("utf-8")
