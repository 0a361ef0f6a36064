"""Every transform is proposed, is told of on the pages that list them, and has a test of what it makes."""

from __future__ import annotations

import re

from tests.doc_blocks import ROOT

from rocm_perf_lab.optimizing.transforms.catalogue import TRANSFORMS

PAGE = (ROOT / "docs" / "guide" / "optimize.md").read_text()
SKILL = (ROOT / "agent-skill" / "references" / "cli.md").read_text()
RULES = (ROOT / "src" / "rocm_perf_lab" / "optimizing" / "proposers" / "rules.py").read_text()
TESTS = "".join(
    (ROOT / "tests" / "unit" / "optimizing" / f"test_{name}.py").read_text()
    for name in ("allowed_transforms", "unroll")
)


def test_table() -> None:
    (table,) = re.findall(r"^\| name \| made \| legal when \|\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*) \|$", table, re.MULTILINE)
    made = {True: "`--allow`", False: "always"}
    assert rows == [(each.name, made[each.needs_allow], each.legal_when) for each in TRANSFORMS.values()]


def test_the_skill_names_those_that_have_to_be_allowed() -> None:
    (line,) = (line for line in SKILL.splitlines() if "`--allow NAME`" in line)
    allowed = {each.name for each in TRANSFORMS.values() if each.needs_allow}
    assert set(re.findall(r"`(\w+)`", line)) == allowed


def test_rules_propose_all() -> None:
    assert [name for name in TRANSFORMS if f'"{name}"' not in RULES] == []


def test_all_are_tested() -> None:
    assert [name for name in TRANSFORMS if f'"{name}"' not in TESTS] == []
