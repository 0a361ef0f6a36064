"""docs/guide/capture.md names every option of the commands it is about."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from rocm_perf_lab.cli.capture import command
from rocm_perf_lab.cli.replay.bundle import export_command, import_command
from rocm_perf_lab.cli.replay.inspect import inspect_command

PAGE = (Path(__file__).parents[3] / "docs" / "guide" / "capture.md").read_text()


@pytest.mark.parametrize("of", [command, export_command, import_command, inspect_command])
def test_options(of: click.Command) -> None:
    for option in of.params:
        if isinstance(option, click.Option):
            for name in (*option.opts, *option.secondary_opts):
                assert f"{name}" in PAGE, name
