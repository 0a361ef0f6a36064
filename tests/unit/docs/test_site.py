"""The navigation of the site has every page once; bars in the code of tables are shown as they are."""

from __future__ import annotations

import runpy
from collections import Counter
from collections.abc import Iterator
from typing import Any

import yaml
from tests.doc_blocks import ROOT, pages

SETTINGS = yaml.safe_load((ROOT / "mkdocs.yml").read_text())
SHOWN = ("docs/", "examples/", "validation/", "agent-skill/")


def listed(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    else:
        for below in part.values() if isinstance(part, dict) else part:
            yield from listed(below)


def test_every_page_is_in_the_navigation_once() -> None:
    names = [str(page.relative_to(ROOT)) for page in pages()]
    expected = [name for name in names if "/" not in name or name.startswith(SHOWN)]
    assert Counter(listed(SETTINGS["nav"])) == Counter(expected)


def test_what_is_shown_is_put_there() -> None:
    script = (ROOT / "scripts" / "site").read_text()
    for part in (*SHOWN, *(page.name for page in ROOT.glob("*.md"))):
        assert f" {part.removesuffix('/')}" in script, part


def test_bars_in_the_code_of_tables() -> None:
    shown = runpy.run_path(str(ROOT / "scripts" / "site_markdown.py"))["on_page_markdown"]
    text = "| `a\\|b` | c \\| d |\n\n`x\\|y`\n"
    assert shown(text, page=None) == "| `a|b` | c \\| d |\n\n`x\\|y`\n"
