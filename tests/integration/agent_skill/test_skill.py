"""Every command of the agent skill runs as the skill says, and every JSON key that it names is there."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rocm_perf_lab.vrocm import prefix

SKILL = Path(__file__).parents[3] / "agent-skill"
PROGRAM = Path(__file__).with_name("app.hip")
PAGES = [
    SKILL / "SKILL.md",
    *(SKILL / "references" / f"{name}.md" for name in ("cli", "profiling", "autotune", "replay")),
]
SECONDS = 300


def commands(page: Path) -> list[tuple[str, int]]:
    """Lines of the fenced blocks that need no hardware, with the exit codes that they should have."""
    blocks = re.findall(
        r"(<!-- needs hardware -->\n)?^```bash\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL
    )
    lines = [line for hardware, block in blocks if not hardware for line in block.splitlines()]
    found = []
    for line in lines:
        expected = re.search(r"# exit code (\d+)$", line)
        found.append((line, int(expected[1]) if expected else 0))
    return found


def named_keys(page: Path) -> list[tuple[str, str]]:
    """File and key for each row of the tables headed `in FILE`."""
    found = []
    for file, rows in re.findall(
        r"^\| in (\S+\.json) \| meaning \|\n\|[-|]+\|\n((?:\|.*\n)+)", page.read_text(), re.MULTILINE
    ):
        found += [(file, key) for key in re.findall(r"^\| `([^`]+)` \|", rows, re.MULTILINE)]
    return found


def has(document: object, key: str) -> bool:
    """Whether a path such as kernels[].share leads to something; lists need one element at least."""
    for word in key.split("."):
        if not isinstance(document, dict) or word.removesuffix("[]") not in document:
            return False
        document = document[word.removesuffix("[]")]
        if word.endswith("[]"):
            if not isinstance(document, list) or not document:
                return False
            document = document[0]
    return True


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program, in which all commands have been run in the order of the pages."""
    folder = tmp_path_factory.mktemp("skill")
    shutil.copy(PROGRAM, folder)
    tools = folder / "bin"
    tools.mkdir()
    command = tools / "rocm-perf"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m rocm_perf_lab "$@"\n')
    command.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ROCM_PERF")}
    environment |= prefix.environment() | {"ROCM_PERF_CALIBRATIONS": "/no/calibrations"}
    environment["PATH"] = f"{tools}:{environment['PATH']}"
    for page in PAGES:
        for line, expected in commands(page):
            done = subprocess.run(
                ["bash", "-c", line],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                stdin=subprocess.DEVNULL,
            )
            assert done.returncode == expected, f"{page.name}: {line}\n{done.stdout}{done.stderr}"
    return folder


def test_every_page_has_commands() -> None:
    assert all(commands(page) for page in PAGES)
    assert {page.name for page in PAGES[1:]} == {file.name for file in (SKILL / "references").iterdir()}


def test_keys_are_there(place: Path) -> None:
    keys = [(page, file, key) for page in PAGES for file, key in named_keys(page)]
    assert len(keys) > 40
    lost = [
        f"{page.name}: {file} has no {key}"
        for page, file, key in keys
        if not has(json.loads((place / file).read_text()), key)
    ]
    assert not lost


def test_what_came_of_it(place: Path) -> None:
    def document(name: str) -> dict[str, object]:
        read = json.loads((place / name).read_text())
        assert isinstance(read, dict)
        return read

    assert len(document("optimization.json")["accepted"]) == 1  # type: ignore[arg-type]
    assert document("verification.json")["verdict"] == "confirmed"
    assert (place / "app.hip").read_text() == (place / "before.hip").read_text()  # --revert
    assert document("comparison.json")["total"]["verdict"] == "slower"  # type: ignore[index]
    assert document("validation.json")["verdict"] == "passed"
    assert document("tuning.json")["against_baseline"]["verdict"] == "faster"  # type: ignore[index]


def test_front_matter() -> None:
    head = re.match(r"---\nname: (.*)\ndescription: (.*)\n---\n", (SKILL / "SKILL.md").read_text())
    assert head is not None
    assert head[1] == "rocm-perf-lab"
    assert head[2].startswith("Deterministic multi-kernel GPU performance analysis and guarded closed-loop")
    assert head[2].endswith("critical-path–weighted kernel optimization.")
