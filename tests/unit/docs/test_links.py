"""Every relative link of the documentation leads somewhere, and every command is told of."""

from __future__ import annotations

import re
from pathlib import Path

import click
from tests.doc_blocks import ROOT, pages
from tests.table_rows import rows

from rocm_perf_lab.cli.main import rocm_perf

DOCS = ROOT / "docs"
PAGES = pages()
# Pages that are made of the program's own list of commands prove nothing.
MADE = {DOCS / "reference" / "cli.md"}


def prose(page: Path) -> str:
    """The page without its code, in which brackets are no links."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "code", text)


def anchors(page: Path) -> set[str]:
    """The names that headings have, by GitHub's rule."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> list[str]:
    found = re.findall(r"\]\(([^)\s]+)\)", prose(page))
    return [link for link in found if not re.match(r"\w+:", link)]


@rows("page", PAGES)
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert target.is_relative_to(ROOT), link
        if anchor:
            assert anchor in anchors(target), link


def test_pages_that_are_named_without_a_link_are_there() -> None:
    """In messages, comments, and the changelog."""
    kinds = {".py", ".h", ".cpp", ".c", ".def", ".inc", ".hip", ".toml", ".sql", ".html", ".yml", ""}
    folders = ("src", "native", "tests", "scripts", "examples", "validation", "benchmarks", ".ci")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in kinds]
    named = {
        (page, str(path.relative_to(ROOT)))
        for path in (*sources, *PAGES)
        if path.is_file()
        for page in re.findall(r"(?<![\w/.-])docs/[\w/-]+\.md", path.read_text(errors="replace"))
    }
    assert len(named) > 100
    assert {(page, path) for page, path in named if not (ROOT / page).exists()} == set()


def test_there_are_links() -> None:
    assert sum(len(links(page)) for page in PAGES) > 100


def test_every_page_is_on_the_way_through_the_documentation() -> None:
    listed = {(DOCS / link.partition("#")[0]).resolve() for link in links(DOCS / "README.md")}
    assert set(DOCS.rglob("*.md")) - {DOCS / "README.md"} <= listed


@rows("command", lambda: sorted(rocm_perf.list_commands(click.Context(rocm_perf))))
def test_every_command_is_told_of(command: str) -> None:
    words = re.compile(rf"rocm-perf {command}\b")
    assert any(words.search(page.read_text()) for page in DOCS.rglob("*.md") if page not in MADE), command
    assert re.search(rf"`(rocm-perf )?{command}\b", (ROOT / "README.md").read_text()), command
