"""The fenced blocks of the documentation: what the mark above each says, and how their commands are run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.commands import ROOT, rocm_perf_words, virtual_rocm

LEFT_OUT = "…"
SECONDS = 900  # for the commands of one block, on a machine that has other things to do as well
MINUTES = 60
# What may stand in a comment on the line above a block, and what follows from it.
NEEDS_HARDWARE = "needs hardware"  # commands are only parsed
TAKES_MINUTES = "takes minutes"  # run where ROCM_PERF_DOCS_MINUTES is set, else parsed
CHECKED_BY = "checked by"  # names the tests that read or run it
ILLUSTRATION = "illustration"  # gives the reason why nothing runs it
FILE = "file"  # it is written to the page's folder under this name
# And once on a page, anywhere: what its folder has in it before the first command.
FOLDER = "folder"

_FENCE = re.compile(r"^( *)```(\S*)$")
_MARK = re.compile(r"^<!-- ([a-z ]+?)(?:: (.*?))? -->$")
_FOLDER = re.compile(rf"^<!-- {FOLDER}: (.*?) -->$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    language: str
    mark: str | None
    detail: str | None
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def is_run(self) -> bool:
        if self.mark == TAKES_MINUTES:
            return bool(os.environ.get("ROCM_PERF_DOCS_MINUTES"))
        return self.mark is None


def pages() -> list[Path]:
    """All Markdown that is ours: of the root, and of every folder that is part of the product."""
    folders = ("docs", "agent-skill", "examples", "validation", "benchmarks", "native", "src", "tests")
    below = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.md"))]
    return [*sorted(ROOT.glob("*.md")), *below]


def blocks(page: Path) -> list[Block]:
    found: list[Block] = []
    lines = page.read_text().splitlines()
    at = 0
    while at < len(lines):
        opened = _FENCE.match(lines[at])
        if opened:
            end = lines.index(opened[1] + "```", at + 1)
            marked = _MARK.match(lines[at - 1]) if at else None
            mark, detail = (marked[1], marked[2]) if marked and marked[1] != FOLDER else (None, None)
            text = "".join(line.removeprefix(opened[1]) + "\n" for line in lines[at + 1 : end])
            found.append(Block(page, at + 1, opened[2], mark, detail, text))
            at = end
        at += 1
    return found


def begins_with(page: Path) -> list[str]:
    """The names in <!-- folder: app.hip app -->."""
    return [name for names in _FOLDER.findall(page.read_text()) for name in names.split()]


def outputs(page: Path) -> dict[Block, Block]:
    """Blocks of text, each with the block of commands that printed it: the last one above them."""
    found: dict[Block, Block] = {}
    printing: Block | None = None
    for block in blocks(page):
        if block.language == "bash":
            printing = block
        elif block.language == "text" and block.mark is None and printing:
            found[block] = printing
    return found


def commands(block: Block) -> list[tuple[str, int]]:
    """The commands of a block with their exit codes: 0, or what a comment at the end of the line says."""
    found = []
    for line in re.sub(r"\\\n\s*", " ", block.text).splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            expected = re.search(r"# exit code (\d+)$", line)
            found.append((line, int(expected[1]) if expected else 0))
    return found


def product_commands(block: Block) -> list[list[str]]:
    """The words of every call of rocm-perf in a block, without the name."""
    found = []
    for line, _ in commands(block):
        for call in re.findall(r"(?:^|&& |\$\(|=\S* )(rocm-perf [^)]*?)(?= && |\)|$)", line):
            words = shlex.split(re.sub(r" >>? .*", "", call), comments=True)
            found.append(words[1:])
    return found


def environment(tools: Path, home: Path) -> dict[str, str]:
    """That of somebody who has just run `eval "$(rocm-perf vrocm env)"`, and has set nothing else."""
    tools.mkdir(exist_ok=True)
    for name, words in (("rocm-perf", rocm_perf_words()), ("python", [sys.executable])):
        launcher = tools / name
        text = f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n'
        if not launcher.exists() or launcher.read_text() != text:  # another process may be running it
            launcher.write_text(text)
            launcher.chmod(0o755)
    ours = virtual_rocm(COLUMNS="80", HOME=str(home))
    # The compile cache is that of the tests: a home of its own would have to compile everything again.
    ours.setdefault("VROCM_CACHE", str(Path.home() / ".cache" / "rocm-perf-lab" / "vrocm"))
    ours["PATH"] = f"{tools}:{ours['PATH']}"
    return ours


def run(block: Block, folder: Path, variables: dict[str, str]) -> str:
    """Runs the commands of a block in one shell and gives what they print; names the first that fails."""
    script = ['expect() { code=$?; [ $code = $1 ] || { echo "exit code $code: $2" >&2; exit 99; }; }']
    for line, expected in commands(block):
        script += [line, f"expect {expected} {shlex.quote(line)}"]
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=MINUTES * 60 if block.mark == TAKES_MINUTES else SECONDS,
    )
    assert done.returncode == 0, f"{block}\n{done.stdout}"
    return done.stdout


def missing_lines(shown: str, printed: str) -> list[str]:
    """Lines of a page that were not printed, or not in this order; … stands for any that are left out."""
    rest = printed.splitlines()
    missing = []
    for line in shown.splitlines():
        if line == LEFT_OUT:
            continue
        if line in rest:
            rest = rest[rest.index(line) + 1 :]
        else:
            missing.append(line)
    return missing


def with_new_figures(shown: str, printed: str) -> str:
    """The lines of a page as they are printed now, where nothing but figures and spaces is different."""

    def shape(line: str) -> str:
        return re.sub(r"\s+", " ", re.sub(r"\d[\d.,]*(e-?\d+)?", "#", line))

    rest = printed.splitlines()
    lines = []
    for line in shown.splitlines():
        alike = [one for one in rest if shape(one) == shape(line)]
        lines.append(alike[0] if alike and line not in rest else line)
        if lines[-1] in rest:
            rest = rest[rest.index(lines[-1]) + 1 :]
    return "".join(line + "\n" for line in lines)
