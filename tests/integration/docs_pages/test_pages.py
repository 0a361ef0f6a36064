"""Pages of the documentation do what they say: their commands run in order, and print what the pages show.

ROCM_PERF_DOCS_MINUTES=1 runs what is marked to take minutes as well. ROCM_PERF_UPDATE_GOLDEN=1 writes the
figures that are printed now into the pages.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests import doc_blocks
from tests.doc_blocks import FILE, ROOT, SECONDS, Block

EXAMPLES = ROOT / "examples"
PROGRAM = Path(__file__).with_name("app.hip")
SKILL = ROOT / "agent-skill"  # its pages share one folder: tests/integration/agent_skill
PAGES = [
    page
    for page in doc_blocks.pages()
    if any(block.is_run for block in doc_blocks.blocks(page)) and not page.is_relative_to(SKILL)
]
# How the things are made that pages begin with, by commands in a folder that has app.hip and the examples;
# what else is named is a file of that folder, or an example to be compiled.
RECIPES = {
    "examples": "mkdir examples && cp -r *.hip *.h tuning examples",
    ".venv": "mkdir -p .venv/bin && cp bin/rocm-perf .venv/bin"
    " && echo 'PATH=$PWD/.venv/bin:$PATH' > .venv/bin/activate",
    "run": "rocm-perf profile --runs 1 --roofline --focus-critical --deep-analysis --out run ./app",
    ".rocm-perf": "mkdir .rocm-perf && cp -r run .rocm-perf/first && ln -s first .rocm-perf/latest",
    "first.db": "cp run/.rocpd_profile/run-1/*/*.db first.db",
    "second.db": "cp run/critical-path/*/*.db second.db",
    "captures": "mkdir captures && cp -r isolate_capture captures/one",
    "isolate_capture": "rocm-perf capture --kernel column_sums --out isolate_capture -- ./app",
}
# In a folder that is gone afterwards: else pages would find and change the source that is here.
COMPILE = (
    "mkdir gone && cp {name}.hip *.h gone && (cd gone && hipcc -g -O3 {name}.hip -o ../{name}) && rm -r gone"
)
VIRTUAL_ROCM = ("ROCM_PATH", "HIP_PATH", "HIP_PLATFORM", "LD_LIBRARY_PATH")
NEEDS = {
    "run": ["app"],
    ".rocm-perf": ["run"],
    "first.db": ["run"],
    "second.db": ["run"],
    "isolate_capture": ["app"],
    "captures": ["isolate_capture"],
}


class Workshop:
    """A folder for all pages and processes of a test run, in which what pages begin with is made once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with self._alone():
            if not (folder / "app.hip").exists():
                shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
                shutil.copy(PROGRAM, folder)
            self.variables = doc_blocks.environment(folder / "bin", folder / "home")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def give(self, name: str, place: Path) -> None:
        """Puts a thing into the folder of a page."""
        with self._alone():
            self._make(name)
        made = self.folder / name
        if made.is_dir():
            shutil.copytree(made, place / name, symlinks=True)
        else:
            shutil.copy(made, place / name)

    def _make(self, name: str) -> None:
        for needed in NEEDS.get(name, []):
            self._make(needed)
        if not (self.folder / name).exists():
            command = RECIPES.get(name, COMPILE.format(name=name))
            done = subprocess.run(
                ["bash", "-ec", command],
                cwd=self.folder,
                env=self.variables,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, command + done.stdout + done.stderr


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    return Workshop(shared / "documentation")


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    variables = workshop.variables | {"HOME": str(tmp_path / "home")}
    if ".venv" in doc_blocks.begins_with(page):  # a newcomer's shell: the page itself has to set it up
        variables = {name: value for name, value in variables.items() if name not in VIRTUAL_ROCM}
        variables["PATH"] = "/usr/local/bin:/usr/bin:/bin"
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
