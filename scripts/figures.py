#!/usr/bin/env python3
"""Makes the figures of the documentation (PNG) from pages that the program draws.

    .venv/bin/python scripts/figures.py

It needs a Chromium (on PATH, or named in CHROMIUM) and some minutes: it takes the tour of ``rocm-perf demo``,
and runs commands of the guide and other pages on the virtual GPU. Names make those figures alone;
--keep FOLDER leaves the pages there, and --from FOLDER takes those that an earlier call left.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT))

from tests import doc_blocks  # noqa: E402  the repository's root has to be on the path
from tests.integration.report.chromium import Chromium, find_chromium  # noqa: E402


@dataclass(frozen=True)
class Figure:
    """A part of a page, from the top of one element to the end of another, or as high as it says."""

    page: str
    first: str
    last: str
    width: int = 1000
    height: int | None = None


FIGURES = {
    "report": Figure("report.html", "body", "#summary", width=1240),
    "roofline": Figure("report.html", "#roofline h2", "#roofline-legend"),
    "timeline": Figure("report.html", "#timeline h2", "#timeline-chart"),
    "code": Figure("softmax.html", "#code h2", "#code .pane"),
    "optimization": Figure("optimization.html", "#course h2", "#course"),
    "tuning": Figure("tuning.html", "#convergence h2", "#convergence"),
}
MARGIN = 16
# Pages are made by blocks of the documentation, each known by words that it alone has.
COMMANDS = (
    ("USER_GUIDE.md", "hipcc -g -O3 softmax_rows.hip -o softmax_rows"),
    ("USER_GUIDE.md", "rocm-perf profile --roofline"),
    ("USER_GUIDE.md", "rocm-perf report"),
    ("guide/optimize.md", "rocm-perf optimize softmax_rows.hip"),
    ("guide/autotune.md", "rocm-perf autotune --space"),
)
# The code view names files by their whole paths, which are those of whoever makes the figures: lines of
# headers, and the path of the program, are left out.
ONLY_THE_PROGRAM = """
let files = 0;
for (const row of document.querySelectorAll('#code-source tbody tr')) {
  const names_a_file = row.textContent.trim().startsWith('/');
  files += names_a_file;
  if (names_a_file || files > 1) row.hidden = true;
}
"""


def make_pages(folder: Path) -> None:
    """Reports of the tour and of the guide's softmax, the story of an optimization, the page of a tuning."""
    variables = doc_blocks.environment(folder / "bin", folder)
    subprocess.run(["rocm-perf", "demo", "--out", "tour"], cwd=folder, env=variables, check=True)
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name in ("softmax_rows.hip", "check.h"):
        shutil.copy(ROOT / "examples" / name, folder)
    for page, words in COMMANDS:
        found = doc_blocks.blocks(ROOT / "docs" / page)
        for block in found:
            if block.mark == doc_blocks.FILE and block.detail:
                (folder / block.detail).write_text(block.text)
        (block,) = (block for block in found if block.language == "bash" and words in block.text)
        print(block.text, end="", flush=True)
        print(doc_blocks.run(block, folder, variables), flush=True)
    (report,) = folder.glob("tour/**/report.html")
    (story,) = folder.glob(".rocm-perf/optimize/*/run-1/optimization.html")
    (softmax,) = folder.glob(".rocm-perf/*-softmax_rows/report.html")
    for made, name in ((report, "report"), (story, "optimization"), (softmax, "softmax")):
        shutil.copy(made, folder / f"{name}.html")
    shutil.copy(folder / "tuning" / "tuning.html", folder)


def draw(pages: Path, names: Sequence[str]) -> None:
    program = find_chromium()
    if program is None:
        sys.exit("figures: no Chromium was found; install chromium, or name one in CHROMIUM")
    with tempfile.TemporaryDirectory() as profile, Chromium(program, Path(profile)) as browser:
        for name in names:
            figure = FIGURES[name]
            browser.open((pages / figure.page).as_uri(), width=figure.width)
            if name == "code":
                browser.run(ONLY_THE_PROGRAM)
            top, bottom = browser.run(
                f"[document.querySelector('{figure.first}').getBoundingClientRect().top + scrollY, "
                f"document.querySelector('{figure.last}').getBoundingClientRect().bottom + scrollY]"
            )
            top = max(0, top - MARGIN)
            height = figure.height or bottom - top + MARGIN
            clip = {"x": 0, "y": top, "width": figure.width, "height": height}
            browser.screenshot(IMAGES / f"{name}.png", clip=clip)
            print(IMAGES / f"{name}.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help=", ".join(FIGURES))
    parser.add_argument("--from", dest="pages", type=Path)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    unknown = set(given.names) - set(FIGURES)
    if unknown:
        parser.error(f"no such figure: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as scratch:
        pages = given.pages
        if pages is None:
            pages = (given.keep or Path(scratch)).resolve()
            pages.mkdir(parents=True, exist_ok=True)
            make_pages(pages)
        draw(pages.resolve(), given.names or list(FIGURES))


if __name__ == "__main__":
    main()
