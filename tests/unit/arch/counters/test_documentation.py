"""docs/ROOFLINE_DESIGN.md has the formulas that are used."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocm_perf_lab.arch.counters import traffic_formulas, valu_width

DOCUMENT = Path(__file__).parents[4] / "docs" / "ROOFLINE_DESIGN.md"


@pytest.mark.parametrize("architecture", ["gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100"])
def test_formulas_are_documented(architecture: str) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    formulas = [str(formula) for level in traffic_formulas(architecture) for formula in level.formulas]
    estimate = valu_width(architecture)
    if estimate:
        formulas.append(str(estimate.formula))
    assert formulas
    for formula in formulas:
        assert f"`{formula}`" in text, formula
