"""docs/reference/cli.md is what the program says of itself."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.cli.reference import reference_page

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "cli.md"


def test_the_page_is_current() -> None:
    remedy = "run: python -m rocm_perf_lab.cli.reference > docs/reference/cli.md"
    assert PAGE.read_text(encoding="utf-8") == reference_page(), remedy
