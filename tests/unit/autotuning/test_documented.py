"""The documentation names every option of the command."""

from __future__ import annotations

from pathlib import Path

import click

from rocm_perf_lab.cli.autotune import command

DOCS = Path(__file__).parents[3] / "docs"


def test_options() -> None:
    text = (DOCS / "guide" / "autotune.md").read_text()
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.opts[0] in text, option.opts
