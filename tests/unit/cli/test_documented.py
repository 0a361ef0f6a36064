"""The documentation names every option and every exit code; --json is honoured whatever goes wrong."""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from rocm_perf_lab import errors
from rocm_perf_lab.cli import main as program

DOCS = Path(__file__).parents[3] / "docs"


def subclasses(kind: type) -> list[type]:
    return [kind, *(deeper for below in kind.__subclasses__() for deeper in subclasses(below))]


def test_exit_codes() -> None:
    text = (DOCS / "reference" / "exit-codes.md").read_text()
    documented = {
        int(code): word for code, word in re.findall(r"^\| (\d+) \| ?`?([\w-]*)`? ?\|", text, re.MULTILINE)
    }
    for kind in subclasses(errors.RocmPerfError):
        assert documented[kind.exit_code] == kind.kind  # type: ignore[attr-defined]
    assert program.BROKEN_PIPE in documented


@pytest.mark.parametrize("command", ["profile", "optimize"])
def test_options(command: str) -> None:
    text = (DOCS / "guide" / f"{command}.md").read_text()
    for option in importlib.import_module(f"rocm_perf_lab.cli.{command}").command.params:
        if isinstance(option, click.Option):
            assert f"`{option.opts[0]}" in text, option.opts


@pytest.mark.parametrize(
    ("error", "code", "kind"),
    [
        (errors.BadInput("a file", "another"), 6, "bad-input"),
        (click.UsageError("no such thing"), 2, "usage"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_errors_as_json(
    error: BaseException,
    code: int,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fails_with(error, monkeypatch)
    with pytest.raises(SystemExit) as caught:
        program.main()
    assert caught.value.code == code
    document = json.loads(capsys.readouterr().out)
    assert (document["error"]["kind"], document["error"]["exit_code"]) == (kind, code)


def test_a_mistake_of_ours_as_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fails_with(ZeroDivisionError("of us"), monkeypatch)
    with pytest.raises(ZeroDivisionError):
        program.main()
    document = json.loads(capsys.readouterr().out)
    assert document["error"]["kind"] == "internal"
    assert "ZeroDivisionError: of us" in document["error"]["cause"]


def fails_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """rocm-perf fail --json raises the error."""

    @click.command()
    @click.option("--json", "as_json", is_flag=True)
    def command(as_json: bool) -> None:
        raise error

    monkeypatch.setitem(program.COMMANDS, "fail", ("fail", ""))
    monkeypatch.setitem(sys.modules, "rocm_perf_lab.cli.fail", SimpleNamespace(command=command))  # type: ignore[arg-type]
    monkeypatch.setattr(sys, "argv", ["rocm-perf", "fail", "--json"])
