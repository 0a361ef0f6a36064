"""Pages of the documentation do what they say: their commands run in order, and print what the pages show.

ROCM_PERF_DOCS_MINUTES=1 runs what is marked to take minutes as well. ROCM_PERF_UPDATE_GOLDEN=1 writes the
figures that are printed now into the pages.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests import doc_blocks
from tests.doc_blocks import FILE, ROOT, SECONDS, Block
from tests.integration.docs_pages.workshop import Recipe, Workshop, shared_folder, without_virtual_rocm
from tests.tiers import sweep

EXAMPLES = ROOT / "examples"
PROGRAM = Path(__file__).with_name("app.hip")
SKILL = ROOT / "agent-skill"  # its pages share one folder: tests/integration/agent_skill
PAGES = [
    page
    for page in doc_blocks.pages()
    if any(block.is_run for block in doc_blocks.blocks(page)) and not page.is_relative_to(SKILL)
]
ALWAYS = {
    "README.md",
    *(f"docs/guide/{name}.md" for name in ("profile", "compare", "check")),
    "docs/how-it-works/att.md",
    "docs/reference/rocprofv3.md",
}
# What pages begin with, made in a folder that has app.hip and the examples; what else is named is a file of
# that folder, or an example to be compiled.
RECIPES = {
    "examples": Recipe("mkdir examples && cp -r *.hip *.h tuning examples"),
    ".venv": Recipe(
        "mkdir -p .venv/bin && cp bin/rocm-perf .venv/bin"
        " && echo 'PATH=$PWD/.venv/bin:$PATH' > .venv/bin/activate"
    ),
    "run": Recipe(
        "rocm-perf profile --runs 1 --roofline --focus-critical --deep-analysis --out run ./app", ("app",)
    ),
    ".rocm-perf": Recipe(
        "mkdir .rocm-perf && cp -r run .rocm-perf/first && ln -s first .rocm-perf/latest", ("run",)
    ),
    "first.db": Recipe("cp run/.rocpd_profile/run-1/*/*.db first.db", ("run",)),
    "second.db": Recipe("cp run/critical-path/*/*.db second.db", ("run",)),
    "captures": Recipe("mkdir captures && cp -r isolate_capture captures/one", ("isolate_capture",)),
    "isolate_capture": Recipe(
        "rocm-perf capture --kernel column_sums --out isolate_capture -- ./app", ("app",)
    ),
}
# In a folder that is gone afterwards: else pages would find and change the source that is here.
COMPILE = (
    "mkdir gone && cp {name}.hip *.h gone && (cd gone && hipcc -g -O3 {name}.hip -o ../{name}) && rm -r gone"
)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    folder = shared_folder(tmp_path_factory, "documentation")
    return Workshop(folder, (EXAMPLES, PROGRAM), RECIPES, otherwise=COMPILE)


def run_python(page: Path, folder: Path, variables: dict[str, str]) -> None:
    """All of the page's Python as one program."""
    code = "".join(
        block.text for block in doc_blocks.blocks(page) if block.language == "python" and block.mark is None
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, f"{page}\n{done.stdout}{done.stderr}"


def put_into_page(block: Block, text: str) -> None:
    page = block.page.read_text()
    assert page.count(block.text) == 1, block
    block.page.write_text(page.replace(block.text, text))


@pytest.mark.parametrize("page", sweep(PAGES, keep=ALWAYS, name=name_of), ids=name_of)
def test_page(page: Path, workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    variables = workshop.variables | {"HOME": str(tmp_path / "home")}
    if ".venv" in doc_blocks.begins_with(page):
        variables = without_virtual_rocm(variables)
    folder = tmp_path / "here"
    folder.mkdir()
    for name in doc_blocks.begins_with(page):
        workshop.give(name, folder)
    for block in doc_blocks.blocks(page):
        if block.mark == FILE:
            assert block.detail
            (folder / block.detail).write_text(block.text)
    outputs = doc_blocks.outputs(page)
    printed: dict[Block, str] = {}
    ran_python = False
    for block in doc_blocks.blocks(page):
        if block.language == "bash" and block.is_run:
            printed[block] = doc_blocks.run(block, folder, variables)
        elif block.language == "python" and block.is_run and not ran_python:
            run_python(page, folder, variables)
            ran_python = True
        elif block in outputs and outputs[block] in printed:
            text = printed[outputs[block]]
            if os.environ.get("ROCM_PERF_UPDATE_GOLDEN"):
                put_into_page(block, doc_blocks.with_new_figures(block.text, text))
                continue
            missing = doc_blocks.missing_lines(block.text, text)
            assert not missing, f"{block}: not printed:\n" + "\n".join(missing) + f"\n\nprinted:\n{text}"
