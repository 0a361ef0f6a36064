"""Every command of the agent skill runs as the skill says, and every JSON key that it names is there."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from tests import doc_blocks

pytestmark = pytest.mark.survey  # every command of the skill; docs/reference/cli.md has the same ones

SKILL = doc_blocks.ROOT / "agent-skill"
PROGRAM = doc_blocks.ROOT / "tests" / "integration" / "docs_pages" / "app.hip"
PAGES = [
    SKILL / "SKILL.md",
    *(SKILL / "references" / f"{name}.md" for name in ("cli", "profiling", "autotune", "replay")),
]


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
    variables = doc_blocks.environment(folder / "bin", folder)
    for page in PAGES:
        for block in doc_blocks.blocks(page):
            if block.is_run:
                doc_blocks.run(block, folder, variables)
    return folder


def test_every_page_has_commands() -> None:
    assert all(any(block.is_run for block in doc_blocks.blocks(page)) for page in PAGES)
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
