"""scripts/site makes the site, which needs nothing from elsewhere, and refuses pages with dead links."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.commands import SECONDS, Done
from tests.doc_blocks import ROOT, pages
from tests.integration.report.chromium import Chromium, find_chromium

pytestmark = pytest.mark.survey  # pages, links and the navigation: tests/unit/docs

PARTS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "mkdocs.yml")
FOLDERS = ("docs", "examples", "validation", "agent-skill")
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "object": "data"}


def copy_of_the_documentation(folder: Path) -> Path:
    for name in PARTS:
        shutil.copy(ROOT / name, folder)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "scripts").mkdir()
    for name in ("site", "site_markdown.py"):
        shutil.copy(ROOT / "scripts" / name, folder / "scripts")
    (folder / ".venv").symlink_to(Path(sys.executable).parents[1])
    return folder


def make(folder: Path) -> Done:
    done = subprocess.run([folder / "scripts" / "site"], capture_output=True, text=True, timeout=SECONDS)
    return Done(done.args, done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy_of_the_documentation(tmp_path_factory.mktemp("site"))
    done = make(folder)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder / "build" / "site"


class Page(HTMLParser):
    """What a page loads, and its text outside of code."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.text = ""
        self._code = 0
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._code += tag == "code"
        self.loaded += [value for name, value in attrs if value and name == LOADED.get(tag)]

    def handle_endtag(self, tag: str) -> None:
        self._code -= tag == "code"

    def handle_data(self, data: str) -> None:
        self.text += data * (self._code == 0)


def html_pages(site: Path) -> list[Path]:
    return [page for page in site.rglob("*.html") if page.name != "404.html"]


def test_every_page_is_there(site: Path) -> None:
    shown = [page for page in pages() if page.parent == ROOT or page.relative_to(ROOT).parts[0] in FOLDERS]
    assert len(html_pages(site)) == len(shown)


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in html_pages(site):
        for name in Page(page).loaded:
            assert not re.match(r"\w+:|//", name), f"{page}: {name}"
            assert (page.parent / re.sub(r"[?#].*", "", name)).exists(), f"{page}: {name}"
    for sheet in site.rglob("*.css"):
        assert not re.search(r"""(url\(|@import )["']?(https?:|//)""", sheet.read_text()), sheet


def test_marks_do_not_show(site: Path) -> None:
    for page in html_pages(site):
        assert "<!--" not in Page(page).text, page


@pytest.mark.parametrize("dark", [False, True])
def test_in_a_browser(site: Path, tmp_path: Path, dark: bool) -> None:
    with Chromium(find_chromium(), tmp_path) as browser:
        for name in ("index", "docs/index", "docs/ARCHITECTURE", "docs/guide/optimize", "docs/reference/cli"):
            browser.open((site / f"{name}.html").as_uri(), dark=dark)
            assert [text for text in browser.problems() if not text.startswith("request of data:")] == []
            assert browser.run("document.documentElement.scrollWidth <= window.innerWidth")
            assert browser.run("document.querySelector('article h1').textContent.length > 3")
            assert browser.run("[...document.images].every(image => image.naturalWidth > 0)")


def test_a_dead_link_is_an_error(tmp_path: Path) -> None:
    page = copy_of_the_documentation(tmp_path) / "docs" / "guide" / "check.md"
    text = page.read_text()
    for link in ("nowhere.md", "compare.md#nowhere", "../../nowhere.md"):
        page.write_text(f"{text}\n[dead]({link})\n")
        done = make(tmp_path)
        assert done.returncode != 0
        assert "nowhere" in done.stderr


def test_a_page_outside_the_navigation_is_an_error(tmp_path: Path) -> None:
    page = copy_of_the_documentation(tmp_path) / "docs" / "guide" / "forgotten.md"
    page.write_text("# Forgotten\n")
    done = make(tmp_path)
    assert done.returncode != 0
    assert "guide/forgotten.md" in done.stderr
