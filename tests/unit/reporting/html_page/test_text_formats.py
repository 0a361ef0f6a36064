"""Markdown, terminal and CSV: foreign text cannot become markup, move the cursor or be computed."""

from __future__ import annotations

import csv
import io
import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from rocm_perf_lab.reporting.formats import summary_markdown as markdown
from rocm_perf_lab.reporting.formats.csv_tables import csv_tables
from rocm_perf_lab.reporting.terminal import summary as summary_terminal
from rocm_perf_lab.reporting.terminal.printable import printable

from .documents import kernel, run, timeline

HOSTILE = st.one_of(
    st.sampled_from(
        [
            "<img src=x onerror=alert(1)>",
            "| a | b |\n# title",
            "`code` **bold** [link](javascript:alert(1)) @somebody #12",
            "=HYPERLINK(1)",
            "\x1b[2J\u202e",
            "-1+1",
        ]
    ),
    st.text(max_size=30),
)


@given(HOSTILE)
@settings(max_examples=60)
@example("plain")
def test_markdown(text: str) -> None:
    lines = markdown.render(run([kernel(text or "k")], text=text)).splitlines()
    plain = markdown.render(run([kernel("plain")], text="plain")).splitlines()
    assert len(lines) == len(plain), "text made or took a line"
    for line, like in zip(lines, plain, strict=True):
        if like.startswith("    "):  # commands: a block of code
            assert line.startswith("    ")
            continue
        assert set(re.findall(r"<[^>]*>", line)) <= {"<code>", "</code>"}
        assert "@" not in line, "nobody is called"
        assert len(re.findall(r"(?<!\\)\|", line)) == len(re.findall(r"(?<!\\)\|", like)), "cells of a table"
        assert not re.search(r"(?<![\\!])\[[^]]*(?<!\\)\]\(", line), "a link"


@given(st.text())
def test_printable(text: str) -> None:
    shown = printable(text)
    assert not re.search("[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]", shown)
    assert printable(shown) == shown


@given(HOSTILE)
@settings(max_examples=40)
def test_terminal(text: str) -> None:
    out = summary_terminal.render(run([kernel(f"k{text}")], text=text))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e]", out)


def test_terminal_says_what_matters() -> None:
    out = summary_terminal.render(run([kernel("my_kernel", 0.75), kernel("other", 0.25, counted=False)]))
    assert out.startswith("measured on AMD Instinct MI300X (gfx942, 304 CUs)\n")
    assert "my_kernel   75.0% of GPU time" in out
    assert "memory bound. It runs at 50.0% of memory (5.300 TB/s, data sheet)" in out
    assert "What bounds it is not known: no counters" in out
    assert all(len(line) <= summary_terminal.WIDTH for line in out.splitlines())


@given(HOSTILE)
@settings(max_examples=40)
def test_csv(text: str) -> None:
    made = timeline([(0, 5, 0, 0)], calls=[(0, 1, 1, 0)], names=[text, "hipLaunchKernel"])
    tables = {name: "".join(lines) for name, lines in csv_tables(run([kernel(text)]), made)}
    for name, content in tables.items():
        head, *rows = csv.reader(io.StringIO(content, newline=""))
        assert all(len(row) == len(head) for row in rows), name
    for name in ("kernels.csv", "work.csv", "traffic.csv", "counters.csv"):
        (row,) = csv.DictReader(io.StringIO(tables[name], newline=""))
        assert row["kernel"] in (text, f"'{text}")
        assert not row["kernel"].startswith(("=", "+", "-", "@", "\t", "\r"))
    kinds = [row["kind"] for row in csv.DictReader(io.StringIO(tables["timeline.csv"], newline=""))]
    assert kinds == ["kernel", "call"]
