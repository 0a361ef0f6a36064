"""Every fenced block of the documentation is of a kind that a test runs or compares, or says why not."""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from pathlib import Path

import click
import pytest
from tests import doc_blocks
from tests.doc_blocks import CHECKED_BY, FILE, ILLUSTRATION, NEEDS_HARDWARE, ROOT, TAKES_MINUTES, Block
from tests.table_rows import rows

from rocm_perf_lab.cli.main import rocm_perf


@cache
def blocks() -> list[Block]:
    return [block for page in doc_blocks.pages() for block in doc_blocks.blocks(page)]


def not_run() -> list[Block]:
    """Nobody runs them, so the program's own parser has to take them at least."""
    return [one for one in blocks() if one.language == "bash" and one.mark and one.mark != ILLUSTRATION]


def test_there_are_blocks() -> None:
    assert len(blocks()) > 100
    assert sum(block.language == "bash" and block.mark is None for block in blocks()) > 40


@rows("block", blocks)
def test_block_is_looked_after(block: Block) -> None:
    if block.mark == ILLUSTRATION:
        assert block.detail
        assert len(block.detail.split()) > 2, "a reason, in words"
    elif block.mark == CHECKED_BY:
        assert block.detail
        for place in block.detail.split(", "):
            assert (ROOT / place).exists(), place
    elif block.mark in (NEEDS_HARDWARE, TAKES_MINUTES):
        assert block.language == "bash"
    elif block.mark == FILE:
        assert block.detail
        assert not block.detail.startswith(("/", ".."))
    else:
        assert block.mark is None, f"an unknown mark: {block.mark}"
        assert block.language in ("bash", "python", "json", "toml", "text"), (
            "no language that a test runs, and no mark"
        )
        if block.language == "text":
            assert block in doc_blocks.outputs(block.page), "output of no command"


@rows("block", lambda: [one for one in blocks() if one.language == "json" and one.mark != ILLUSTRATION])
def test_json_can_be_read(block: Block) -> None:
    json.loads(block.text)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no tomllib")
@rows("block", lambda: [one for one in blocks() if one.language == "toml"])
def test_toml_can_be_read(block: Block) -> None:
    import tomllib

    tomllib.loads(block.text)


@rows("block", not_run)
def test_commands_that_are_not_run_can_be_parsed(block: Block) -> None:
    for line in doc_blocks.product_commands(block):
        words = list(line)
        command: click.Command = rocm_perf
        while isinstance(command, click.Group):
            found = command.get_command(click.Context(command), words.pop(0))
            assert found is not None, line
            command = found
        command.make_context("rocm-perf", words)


def test_marks_are_on_the_line_above_a_block() -> None:
    """A mark elsewhere would mark nothing."""
    for page in doc_blocks.pages():
        text = page.read_text()
        marks = sum(
            text.count(f"\n<!-- {mark}")
            for mark in (NEEDS_HARDWARE, TAKES_MINUTES, CHECKED_BY, ILLUSTRATION, FILE)
        )
        assert marks == sum(block.mark is not None for block in doc_blocks.blocks(page)), page


def test_folders_are_asked_for_where_something_runs() -> None:
    for page in doc_blocks.pages():
        if doc_blocks.begins_with(page):
            assert any(block.mark in (None, TAKES_MINUTES) for block in doc_blocks.blocks(page)), page


def test_readers_of_blocks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- folder: app.hip app -->\n\n<!-- needs hardware -->\n```bash\nX=1 rocm-perf doctor\n```\n\n"
        "  ```bash\n  a \\\n    b   # exit code 3\n  # nothing\n  ```\n\n```text\nout 3.5 us\n…\n```\n"
    )
    first, second, third = doc_blocks.blocks(page)
    assert (first.mark, first.line, first.is_run) == ("needs hardware", 4, False)
    assert doc_blocks.product_commands(first) == [["doctor"]]
    assert doc_blocks.commands(second) == [("a  b   # exit code 3", 3)]
    assert doc_blocks.outputs(page) == {third: second}
    assert doc_blocks.begins_with(page) == ["app.hip", "app"]
    assert doc_blocks.missing_lines(third.text, "x\nout 3.5 us\ny\n") == []
    assert doc_blocks.missing_lines("b\na\n", "a\nb\n") == ["a"]
    assert doc_blocks.with_new_figures(third.text, "x\nout  12.25 us\n") == "out  12.25 us\n…\n"


def test_commands_that_fail_are_found_out(tmp_path: Path) -> None:
    def run(text: str) -> str:
        return doc_blocks.run(
            Block(ROOT / "README.md", 1, "bash", None, None, text), tmp_path, {"PATH": "/usr/bin:/bin"}
        )

    assert run("x=3\n\n# a comment\necho $x; (exit 4)   # exit code 4\necho \\\n  end\n") == "3\nend\n"
    with pytest.raises(AssertionError, match="exit code 1: false"):
        run("false\ntrue\n")
    with pytest.raises(AssertionError, match="exit code 0: true"):
        run("true   # exit code 8\n")


def test_figures_in_the_words_of_the_guide_are_those_of_its_output() -> None:
    page = ROOT / "docs" / "USER_GUIDE.md"
    printed = " ".join(block.text for block in doc_blocks.blocks(page) if block.language == "text")
    words = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    figures = re.findall(r"\d+(?:\.\d+)? ?(?:us\b|%|x\b)", re.sub(r"`[^`]*`", "", words))
    assert len(figures) > 3
    for figure in figures:
        assert re.sub(r" (?=%)", "", figure) in printed, figure
