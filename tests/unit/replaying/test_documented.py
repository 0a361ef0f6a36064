"""docs/guide/replay.md names every option of the commands that it describes."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from rocm_perf_lab.cli.replay import COMMANDS, command

TEXT = (Path(__file__).parents[3] / "docs" / "guide" / "replay.md").read_text()
ELSEWHERE = {"inspect", "export", "import"}  # docs/guide/capture.md


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_and_options(name: str) -> None:
    assert f"`{name}`" in TEXT
    found = command.get_command(click.Context(command), name)
    assert found is not None
    for option in found.params if name not in ELSEWHERE else ():
        if isinstance(option, click.Option):
            assert f"`{option.opts[0]}" in TEXT or f"[{option.opts[0]}" in TEXT, option.opts
