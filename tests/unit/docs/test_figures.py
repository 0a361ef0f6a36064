"""Every figure of the documentation is made by scripts/figures.py, is shown on a page, and is small."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from tests.doc_blocks import ROOT, blocks, pages

IMAGES = ROOT / "docs" / "images"
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "figures.py"))
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
    assert set(SCRIPT["FIGURES"]) == {path.stem for path in IMAGES.iterdir()}
    assert shown() == {*IMAGES.iterdir(), OF_THE_VALIDATION}


def test_commands_that_make_them_are_on_the_pages() -> None:
    for page, words in SCRIPT["COMMANDS"]:
        found = [block for block in blocks(ROOT / "docs" / page) if block.language == "bash"]
        assert sum(words in block.text for block in found) == 1, words


def test_figures_are_small_pictures() -> None:
    for path in IMAGES.iterdir():
        picture = path.read_bytes()
        assert picture.startswith(b"\x89PNG\r\n"), path
        assert len(picture) < LARGEST, path
