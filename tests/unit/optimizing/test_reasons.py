"""Every reason for a refusal is documented, used in the code, and produced by a test."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from rocm_perf_lab.contracts.changes.proposal_refusal import REASONS, ReasonCode, Refusal

ROOT = Path(__file__).parents[3]
TESTS = [*(ROOT / "tests/unit/optimizing").glob("*.py"), *(ROOT / "tests/integration/optimize").glob("*.py")]
TESTS += [ROOT / "tests/unit/analysis/test_gate.py"]
SOURCES = [
    *(ROOT / "src/rocm_perf_lab/optimizing").rglob("*.py"),
    *(ROOT / "src/rocm_perf_lab/analysis").glob("gate*.py"),
]


def test_codes_and_meanings_are_the_same_set() -> None:
    assert set(get_args(ReasonCode)) == set(REASONS)


def test_documented() -> None:
    text = (ROOT / "docs/guide/optimize.md").read_text()
    table = dict(re.findall(r"^\| `([\w-]+)` \| (.+?) \|$", text, re.MULTILINE))
    assert {code: table.get(code) for code in REASONS} == REASONS


def test_raised_and_tested() -> None:
    raised = "".join(path.read_text() for path in SOURCES)
    tested = "".join(path.read_text() for path in TESTS if path.name != Path(__file__).name)
    assert [code for code in REASONS if f'"{code}"' not in raised] == []
    assert [code for code in REASONS if f'"{code}"' not in tested] == []


def test_in_words() -> None:
    refusal = Refusal(code="lds-exceeded", detail="70000 bytes", place="k.hip:3")
    assert str(refusal) == (
        "k.hip:3: the workgroup needs more LDS than the GPU has for one (70000 bytes) [lds-exceeded]"
    )
