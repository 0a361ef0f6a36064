"""docs/how-it-works/att.md explains every figure."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from rocm_perf_lab.analysis.att.classes import TABLE
from rocm_perf_lab.contracts.profiling import att

TEXT = (Path(__file__).parents[3] / "docs" / "how-it-works" / "att.md").read_text()
FIGURES = (
    att.AttStates,
    att.AttOverTime,
    att.AttOccupancy,
    att.AttIssue,
    att.AttDivergence,
    att.AttMemoryOperation,
)
# What needs no explanation.
PLAIN = {"origin", "missing", "line", "text", "instruction_class", "source"}


@pytest.mark.parametrize("contract", FIGURES)
def test_every_figure(contract: type) -> None:
    names = {field.name for field in dataclasses.fields(contract)} - PLAIN
    assert [name for name in sorted(names) if f"`{name}`" not in TEXT and f"{name} " not in TEXT] == []


@pytest.mark.parametrize("name", sorted({name for _, name in TABLE}))
def test_every_class(name: str) -> None:
    assert f"\n| {name} |" in TEXT
