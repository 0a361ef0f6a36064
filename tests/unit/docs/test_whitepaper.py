"""The figures of docs/WHITEPAPER.md about simulated times are those of validation/RESULTS.md."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_figures() -> None:
    results = (ROOT / "validation" / "RESULTS.md").read_text()
    page = (ROOT / "docs" / "WHITEPAPER.md").read_text()
    rows = {
        name: cells(row)
        for name, row in re.findall(
            r"^\| \*?\*?(all|held-out programs|memcopy_d2h)\b.*?\|(.*)$", results, re.M
        )
    }
    count, _, median, high, worst = rows["all"]
    assert f"all {count} rows | median {median}, 90th percentile {high}, worst {worst} |" in page
    count, _, median, high, _ = rows["held-out programs"]
    assert (
        f"the {count} rows of programs held out of the fit | median {median}, 90th percentile {high} |"
        in page
    )
    assert f"(held out, median {rows['memcopy_d2h'][2]})" in page
    bands = re.search(r"^(\d+ of \d+) inside their published band", results, re.M)
    pairs = re.search(r"^(\d+ of \d+ pairs) have the winner", results, re.M)
    assert bands is not None
    assert pairs is not None
    assert f"for MI300X | {bands[1]} |" in page
    assert f"wins on hardware | {pairs[1]} |" in page
