"""One rule for the program's command line, whichever way it is written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.profiling.processes.command_line import find_program, parse_command


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["./app"], ["./app"]),
        (["./app", "a b", "'c'"], ["./app", "a b", "'c'"]),
        (["./app", "--", "-x"], ["./app", "--", "-x"]),
        (["./app a b"], ["./app", "a", "b"]),
        (["./app 'a b' \"c d\" e\\ f"], ["./app", "a b", "c d", "e f"]),
        (["  ./app   x  "], ["./app", "x"]),
        (["./app 'a | b' \"> c\""], ["./app", "a | b", "> c"]),
        (["./app --size=3 # $HOME *"], ["./app", "--size=3", "#", "$HOME", "*"]),
        (["./größe 数"], ["./größe", "数"]),
        (["./app ''"], ["./app", ""]),
    ],
)
def test_words(arguments: list[str], words: list[str]) -> None:
    assert list(parse_command(arguments)) == words


def test_a_file_with_spaces_is_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my app").touch()
    assert parse_command(["./my app"]) == ("./my app",)
    assert parse_command(["./my app x"]) == ("./my", "app", "x")


@pytest.mark.parametrize(
    ("arguments", "cause", "remedy"),
    [
        ([], "no program", "./app"),
        ([" "], "empty", "./app"),
        (["./app 'x"], "quotes", "close"),
        (["./app | head"], "shell", "sh -c './app | head'"),
        (["cd x && ./app"], "shell", "sh -c"),
        (["./app > file"], "shell", "sh -c"),
        (["A=1 ./app x"], "variable", "A=1 rocm-perf profile ./app x"),
    ],
)
def test_refused(arguments: list[str], cause: str, remedy: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        parse_command(arguments)
    assert cause in caught.value.cause
    assert remedy in str(caught.value.remedy)


def test_the_program_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app").write_text("")
    with pytest.raises(UsageProblem, match="not executable"):
        find_program("./app", os.environ)
    (tmp_path / "app").chmod(0o755)
    assert find_program("./app", os.environ) == Path("app")
    assert find_program("app", {"PATH": str(tmp_path)}) == tmp_path / "app"
    with pytest.raises(UsageProblem, match="on PATH"):
        find_program("app", {"PATH": "/nowhere"})
