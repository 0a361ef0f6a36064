"""The developer guide's lists of files: all are there, and who follows them has added what they are for.

Nothing on a list is superfluous, either: with a step left out something fails (survey tier)."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.another_gpu import python_of
from tests.commands import SECONDS
from tests.doc_blocks import ROOT
from tests.integration.developer_guide.lists import Step, lists
from tests.integration.developer_guide.recipes import RECIPES, Recipe

ADDED = (
    *("Add a GPU", "Add an architecture", "Add an instruction", "Add a HIP function", "Add a counter"),
    *("Add a bottleneck label", "Add a transform", "Add a command", "Add an option"),
)
TREE = ("agent-skill", "docs", "examples", "scripts", "src", "tests", "validation")
FILES = ("CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "mkdocs.yml", "pyproject.toml")
# A step of the guide in which files of a family are named once for all.
PLACEHOLDERS = ("<name>", "<gfx>", "<area>", "<command>")


def named(file: str, recipe: Recipe) -> str:
    return file.replace("<name>", recipe.name)


def done_by(step: Step, recipe: Recipe) -> list[str]:
    return [file for file in (named(one, recipe) for one in step.files) if file in recipe.edits]


def test_there_is_a_list_for_each() -> None:
    assert set(ADDED) <= set(lists())
    assert all(len(lists()[title]) > 1 for title in ADDED)


def test_files_are_there() -> None:
    for title, steps in lists().items():
        for file in (file for step in steps for file in step.files):
            if any(word in file for word in PLACEHOLDERS):
                folder, like = ROOT / Path(file).parent, Path(file).name
                for word in PLACEHOLDERS:
                    like = like.replace(word, "*")
                assert any(folder.glob(like)), f"{title}: nothing is like {file}"
            else:
                assert (ROOT / file).exists(), f"{title}: {file}"


@pytest.mark.parametrize("title", RECIPES)
def test_all_steps_are_followed_in_their_order(title: str) -> None:
    recipe, followed = RECIPES[title], []
    for step in lists()[title]:
        done = done_by(step, recipe)
        assert done or step.command or step.is_conditional, step
        followed += done
    assert followed == list(recipe.edits)


def copy_of_the_tree(into: Path) -> Path:
    for name in TREE:
        shutil.copytree(ROOT / name, into / name)
    for name in FILES:
        shutil.copy2(ROOT / name, into)
    return into


def follow(title: str, tree: Path, *, without: Step | None = None) -> Path:
    """An interpreter that imports the tree in which the steps have been taken."""
    python = python_of(tree, tree / "python")
    recipe = RECIPES[title]
    for step in lists()[title]:
        if step == without:
            continue
        for file in done_by(step, recipe):
            path = tree / file
            path.write_text(recipe.edits[file](path.read_text() if path.exists() else ""))
        if step.command and not step.is_conditional:
            words = step.command.replace("python ", f"{python} ", 1)
            subprocess.run(words, shell=True, cwd=tree, check=False, timeout=SECONDS, env=environment())
    return python


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}


def problems(title: str, tree: Path, python: Path) -> str:
    """What is wrong with the tree, by the program and the tests of the recipe; empty when all is well."""
    recipe = RECIPES[title]
    calls = [[python, "-c", recipe.works]]
    if recipe.tests:
        calls.append([python, "-m", "pytest", "-qx", "-p", "no:cacheprovider", *recipe.tests])
    for words in calls:
        done = subprocess.run(
            words, cwd=tree, capture_output=True, text=True, timeout=SECONDS, env=environment()
        )
        if done.returncode:
            return done.stdout[-5000:] + done.stderr[-5000:]
    return ""


@pytest.mark.parametrize("title", RECIPES)
def test_who_follows_the_list_has_added_it(title: str, tmp_path: Path) -> None:
    tree = copy_of_the_tree(tmp_path)
    assert problems(title, tree, follow(title, tree)) == ""


def left_out() -> Iterator[object]:
    for title, recipe in RECIPES.items():
        for step in lists()[title]:
            done = done_by(step, recipe)
            if (done or (step.command and not step.is_conditional)) and not set(
                done
            ) & recipe.judged_by_people:
                yield pytest.param(title, step, id=f"{title}-{step.files[0]}")


@pytest.mark.survey
@pytest.mark.parametrize(("title", "step"), list(left_out()))
def test_no_step_can_be_left_out(title: str, step: Step, tmp_path: Path) -> None:
    tree = copy_of_the_tree(tmp_path)
    assert problems(title, tree, follow(title, tree, without=step)) != ""
