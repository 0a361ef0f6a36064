"""Every reason for a refusal is documented, used in the code, and produced by a test."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from rocm_perf_lab.contracts.proposal_refusal import REASONS, ReasonCode, Refusal

ROOT = Path(__file__).parents[3]
TESTS = [*(ROOT / "tests/unit/optimize").glob("*.py"), *(ROOT / "tests/integration/optimize").glob("*.py")]
TESTS += [ROOT / "tests/unit/analysis/test_gate.py"]
SOURCES = [
    *(ROOT / "src/rocm_perf_lab/optimize").rglob("*.py"),
    *(ROOT / "src/rocm_perf_lab/analysis").glob("gate*.py"),
]


def test_codes_and_meanings_are_the_same_set() -> None:
    assert set(get_args(ReasonCode)) == set(REASONS)


@pytest.mark.parametrize("code", REASONS)
def test_documented(code: str) -> None:
    table = dict(
        re.findall(r"^\| `([\w-]+)` \| (.+?) \|$", (ROOT / "docs/optimize.md").read_text(), re.MULTILINE)
    )
    assert table[code] == REASONS[code]


@pytest.mark.parametrize("code", REASONS)
def test_raised_and_tested(code: str) -> None:
    quoted = f'"{code}"'
    assert any(quoted in path.read_text() for path in SOURCES), "nothing raises it"
    here = Path(__file__).name
    assert any(quoted in path.read_text() for path in TESTS if path.name != here), "no test produces it"


def test_in_words() -> None:
    refusal = Refusal(code="lds-exceeded", detail="70000 bytes", place="k.hip:3")
    assert str(refusal) == (
        "k.hip:3: the workgroup needs more LDS than the GPU has for one (70000 bytes) [lds-exceeded]"
    )
