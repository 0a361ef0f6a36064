"""Comparisons as text, Markdown and JUnit: figures are there, foreign names do no harm."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from rocm_perf_lab.analysis.compare import compare
from rocm_perf_lab.reporting.formats import compare_junit as junit
from rocm_perf_lab.reporting.formats import compare_markdown
from rocm_perf_lab.reporting.terminal import compare as compare_terminal

from .made_profiles import kernel, profile

HOSTILE = [
    "a|b(`x`)",
    "k<script>alert(1)</script>]]>&\"'",
    "control \x00\x1b[31m\x07 end",
    "line\nbreak|",
    "``",
    "имя(ядра) 核",
]


def made(name: str = "scale(float*)") -> compare_terminal.ComparisonDocument:
    base = profile(kernel(name, 5.0, 5.01, 4.99), kernel("gone()", 1, 1, 1))
    new = profile(kernel(name, 7.5, 7.51, 7.49, arch_vgprs=64), kernel("fresh()", 1, 1, 1))
    return compare(base, new, base_name="before", new_name="after", fail_on_regression=0.05)


def test_terminal() -> None:
    text = compare_terminal.render(made())
    row = next(line for line in text.splitlines() if line.startswith("  scale"))
    assert row.split()[1:6] == ["5.000", "ms", "7.500", "ms", "+50.0%"]
    assert row.endswith("slower REGRESSION")
    assert "VGPRs 32 -> 64" in text
    assert "regressions beyond 5.00%: total, scale(float*)" in text
    assert any("gone" in line and "removed" in line for line in text.splitlines())


def test_junit() -> None:
    suite = ElementTree.fromstring(junit.render(made()))[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "2", "2")
    failure = suite.find("testcase[@name='scale(float*)']/failure")
    assert failure is not None
    assert failure.get("message", "").startswith("slower +50.0%")
    assert "VGPRs 32 -> 64" in (failure.text or "")


@pytest.mark.parametrize("name", HOSTILE)
def test_foreign_names(name: str) -> None:
    document = made(name)
    names = [case.get("name") for case in ElementTree.fromstring(junit.render(document)).iter("testcase")]
    assert len(names) == 4
    rows = [line for line in compare_markdown.render(document).splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 1 + 3
    for row in rows:
        assert row.replace("\\|", "").count("|") == 7  # six cells, whatever the name is
    assert "\x1b" not in compare_markdown.render(document)
    assert "\x1b" not in compare_terminal.render(document)
