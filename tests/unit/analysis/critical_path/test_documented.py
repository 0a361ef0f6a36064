"""docs/how-it-works/critical-path.md names every type of edge, cause of a gap and option of the command."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import click

from rocm_perf_lab.analysis.critical_path.edges import EdgeConfidence, EdgeType
from rocm_perf_lab.cli.whatif import command
from rocm_perf_lab.contracts.profiling.dag import GapCause

TEXT = (Path(__file__).parents[4] / "docs" / "how-it-works" / "critical-path.md").read_text()


def test_edges() -> None:
    types = {
        word.strip()
        for row in re.findall(r"^\| ([a-z, ]+) \|", TEXT, re.MULTILINE)
        for word in row.split(",")
    }
    assert {type_.label for type_ in EdgeType} <= types
    for confidence in EdgeConfidence:
        assert confidence.label in TEXT


def test_causes_of_gaps() -> None:
    for cause in get_args(GapCause):
        assert f"*{cause}*" in TEXT


def test_options() -> None:
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.opts[0] in TEXT
