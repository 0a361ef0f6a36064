"""Whatever goes wrong, ``--json`` gives exactly one document on stdout, and the message is on stderr."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import pytest

from rocm_perf_lab.cli.main import main, rocm_perf
from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.failure import FailureDocument


def with_json(group: click.Group = rocm_perf, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    context = click.Context(group)
    found: list[tuple[str, ...]] = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            found += with_json(command, (*path, name))
        elif any("--json" in option.opts for option in command.params):
            found.append((*path, name))
    return found


COMMANDS = with_json()
# What else a command has to be given before it looks for the thing that is not there.
ALSO = {
    ("compare",): ["nothing-else"],
    ("autotune",): ["--space", "nothing.json", "--cmd-template", "./nothing"],
    ("prompt",): ["--source", "nothing.hip"],
    ("replay", "build"): ["--source", "nothing.hip"],
    ("replay", "profile"): ["--att"],
    ("replay", "export"): ["file.tar"],
}
WITHOUT_ARGUMENT = {("autotune",), ("roofline",), ("doctor",)}


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *words: str) -> int:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["rocm-perf", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_most_commands_have_it() -> None:
    assert len(COMMANDS) > 20


@pytest.mark.parametrize("path", [path for path in COMMANDS if path != ("doctor",)], ids=" ".join)
@pytest.mark.parametrize("wrong", ["unknown option", "nothing there"])
def test_one_document(
    path: tuple[str, ...],
    wrong: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    words = ["--json", *ALSO.get(path, ())]
    if wrong == "unknown option":
        words.append("--no-such-option")
    elif path == ("roofline",):
        words += ["--device", "99"]
    if path not in WITHOUT_ARGUMENT:
        words.append("./nothing")
    code = run(monkeypatch, tmp_path, *path, *words)
    out, err = capfd.readouterr()
    error = from_json(FailureDocument, out, "stdout").error  # all of it is the document
    assert code == error.exit_code != 0
    assert json.loads(out)["error"]["kind"] in ("usage", "bad-input", "environment", "not-replayable")
    assert error.cause.splitlines()[0] in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []
