"""Every picture of the documentation is made by a script, is shown on a page, and is small."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.doc_blocks import ROOT, blocks, pages

IMAGES = ROOT / "docs" / "images"
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "figures.py"))
DRAWINGS = runpy.run_path(str(ROOT / "scripts" / "drawings.py"))["DRAWINGS"]
LARGEST = 200_000
# Drawn by the validation itself, together with the page that shows it.
OF_THE_VALIDATION = ROOT / "validation" / "scatter.svg"


def shown() -> set[Path]:
    """Pictures on pages, each with words for those who do not see it."""
    found = set()
    for page in pages():
        for words, path in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", page.read_text()):
            assert len(words.split()) > 2, f"{page.name}: {path}"
            found.add((page.parent / path).resolve())
    return found


def test_figures_are_made_and_shown() -> None:
    made = {f"{name}.png" for name in SCRIPT["FIGURES"]} | {f"{name}.svg" for name in DRAWINGS}
    assert made == {path.name for path in IMAGES.iterdir()}
    assert shown() == {*IMAGES.iterdir(), OF_THE_VALIDATION}


def test_commands_that_make_them_are_on_the_pages() -> None:
    for page, words in SCRIPT["COMMANDS"]:
        found = [block for block in blocks(ROOT / "docs" / page) if block.language == "bash"]
        assert sum(words in block.text for block in found) == 1, words


def test_figures_are_small_pictures() -> None:
    for path in IMAGES.glob("*.png"):
        picture = path.read_bytes()
        assert picture.startswith(b"\x89PNG\r\n"), path
        assert len(picture) < LARGEST, path


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawings_are_as_they_would_be_drawn_now(name: str) -> None:
    drawn = (IMAGES / f"{name}.svg").read_text()
    assert drawn == DRAWINGS[name](), "run: .venv/bin/python scripts/drawings.py"
    ElementTree.fromstring(drawn)
    assert len(drawn) < LARGEST


def test_drawings_name_what_is_there() -> None:
    way = re.findall(r">((?:native|src)/[\w./]+)<", (IMAGES / "dispatch.svg").read_text())
    assert len(way) > 10
    assert [path for path in way if not (ROOT / path).is_file()] == []
    words = set(re.findall(r"\w+", (IMAGES / "rooms.svg").read_text()))
    for head in ("native", "src/vrocm"):
        rooms = {path.name for path in (ROOT / head).iterdir() if path.is_dir() and any(path.iterdir())}
        assert rooms - {"__pycache__"} <= words, head
