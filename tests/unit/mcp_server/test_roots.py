"""Paths that clients name are confined to the roots, with links followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.mcp_server import roots as room
from rocm_perf_lab.mcp_server.roots import Roots


@pytest.fixture
def roots(tmp_path: Path) -> Roots:
    for name in ("first", "second", "outside"):
        (tmp_path / name).mkdir()
    (tmp_path / "outside" / "file").write_text("secret")
    return Roots([tmp_path / "first", tmp_path / "second"])


def test_relative_paths_begin_at_the_first_root(roots: Roots, tmp_path: Path) -> None:
    assert roots.inside("a/b") == tmp_path / "first" / "a" / "b"
    assert roots.inside("../second/x") == tmp_path / "second" / "x"
    assert roots.inside(str(tmp_path / "second")) == tmp_path / "second"


@pytest.mark.parametrize(
    "given",
    ["..", "../outside/file", "/etc/passwd", "a/../../outside", "", "a\0b", "../first-not", "ring/x"],
)
def test_refused(roots: Roots, tmp_path: Path, given: str) -> None:
    (tmp_path / "first-not").mkdir()
    (tmp_path / "first" / "ring").symlink_to(tmp_path / "first" / "ring")
    with pytest.raises(UsageProblem):
        roots.inside(given)


def test_links_are_followed(roots: Roots, tmp_path: Path) -> None:
    first = tmp_path / "first"
    (first / "in").symlink_to(tmp_path / "second")
    (first / "out").symlink_to(tmp_path / "outside")
    assert roots.inside("in/x") == tmp_path / "second" / "x"
    for given in ("out", "out/file", "out/new"):
        with pytest.raises(UsageProblem, match="outside"):
            roots.inside(given)


def test_folders_with_links(roots: Roots, tmp_path: Path) -> None:
    deep = tmp_path / "first" / "run" / "deep"
    deep.mkdir(parents=True)
    (deep / "good").symlink_to("../other")
    assert roots.readable("run") == tmp_path / "first" / "run"
    (deep / "bad").symlink_to(tmp_path / "outside" / "file")
    with pytest.raises(UsageProblem, match=r"deep/bad is a link that leads out of the roots"):
        roots.readable("run")


def test_a_root_that_is_a_link_counts_as_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "name").symlink_to(tmp_path / "real")
    assert Roots([tmp_path / "name"]).inside("x") == tmp_path / "real" / "x"


def test_programs(roots: Roots, tmp_path: Path) -> None:
    program = tmp_path / "first" / "app"
    program.write_text("#!/bin/sh\n")
    with pytest.raises(UsageProblem, match="not executable"):
        roots.program("app")
    program.chmod(0o755)
    assert roots.program("./app") == program
    for given in ("sh", "second", "none"):
        with pytest.raises(UsageProblem, match="there is no program"):
            roots.program(given)


def test_what_is_not_there(roots: Roots) -> None:
    with pytest.raises(UsageProblem, match="is not there"):
        roots.readable("none")


def test_folders_that_are_too_large(roots: Roots, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_ENTRIES", 3)
    for name in "abcd":
        (tmp_path / "first" / name).touch()
    with pytest.raises(UsageProblem, match="more than 3 entries"):
        roots.readable(".")


def test_roots_have_to_be_folders(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem):
        Roots([tmp_path / "none"])
    with pytest.raises(UsageProblem):
        Roots([])
