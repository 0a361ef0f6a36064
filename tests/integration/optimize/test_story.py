"""The page of an optimization: written by the command, made anew by rocm-perf report, sound in a browser."""

from __future__ import annotations

import shutil
from pathlib import Path

from ..report.chromium import Chromium, find_chromium
from .conftest import Optimized, rocm_perf


def test_the_page(optimized: Optimized, tmp_path: Path) -> None:
    page = Path(optimized.document["files"]["page"])
    text = page.read_text()
    assert "unroll by" in text
    assert "vector registers" in text  # of the bundle
    for run in (page.parent, page.parent / "optimization.json", page.parent.parent):
        done = rocm_perf(tmp_path, "report", run, "-o", tmp_path / "again.html")
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "again.html").read_text() == text
    done = rocm_perf(tmp_path, "report", page.parent, "--format", "terminal")
    assert "written into the source" in done.stdout
    begun = tmp_path / "begun"
    begun.mkdir()
    shutil.copy(page.parent / "journal.jsonl", begun)
    done = rocm_perf(tmp_path, "report", begun)
    assert done.returncode == 2
    assert "has not come to its end" in done.stderr


def test_in_a_browser(optimized: Optimized, tmp_path: Path) -> None:
    with Chromium(find_chromium(), tmp_path) as browser:
        browser.open(Path(optimized.document["files"]["page"]).as_uri(), width=900)
        assert browser.problems() == []
        assert browser.run("document.querySelectorAll('#changes .diff .added').length") == 1
        assert browser.run("document.documentElement.scrollWidth <= window.innerWidth")
