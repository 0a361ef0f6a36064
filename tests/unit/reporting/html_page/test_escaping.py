"""Kernel names, paths and all else that comes from outside is text in the page, whatever is in it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rocm_perf_lab.reporting.html.page import embedded_json, render
from rocm_perf_lab.reporting.html.view_model import report_view

from .documents import att, kernel, run

HOSTILE = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "<!--<script>",
    "]]><svg/onload=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "a\u2028b\u2029c",
    "\u202egnp.exe",
    "&lt;b&gt; &amp; &#x3c;script&#x3e;",
    "back\\slash ' \" ` ${1}",
    "nul\0bell\x07",
    "template<int N>::operator<<(std::ostream&, T const&)",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
@example(HOSTILE)
@example("\ud800 alone")
def test_embedded_json(value: object) -> None:
    text = embedded_json(value)
    assert json.loads(text) == value
    assert re.fullmatch(r"[\x20-\x7e]*", text), "only printable ASCII"
    assert not set(text) & set("<>&'")


class Page(HTMLParser):
    """The elements of a page, the attributes they have, and what is written in them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.scripts: list[str] = []
        self.values: list[str] = []
        self.words: list[str] = []
        self._script = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.values += [value or "" for _, value in attrs]
        if tag == "script":
            self._script = True
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._script = False

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts[-1] += data
        else:
            self.words.append(data)


def page_of(text: str) -> str:
    made = run([kernel(f"k{text}", suspect="traffic hbm"), kernel("other", 0.5)], text=text)
    return render(report_view(replace(made, att=att(f"k{text}", text))))


@cache
def plain() -> Page:
    return Page(page_of("plain"))


@given(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=40)))
@settings(max_examples=40)
@example("\udcff of a file name")
def test_names_stay_text(text: str) -> None:
    source = page_of(text)
    page = Page(source)
    assert page.tags == plain().tags, "a name made or broke an element"
    assert page.attributes == plain().attributes
    assert page.scripts[1] == plain().scripts[1], "only the data differ"
    data = json.loads(page.scripts[0])
    assert data["kernels"][0]["name"] == f"k{text}"
    assert data["code"]["dispatches"][0]["lines"][0]["text"] == text


@pytest.mark.parametrize("text", [one for one in HOSTILE if "\0" not in one])
def test_names_can_be_read(text: str) -> None:
    page = Page(page_of(text))
    assert f"k{text}" in page.values, "the tip has the whole name"
    assert f"k{text}" in page.words, "so have the details"


def test_only_our_script_may_run_and_nothing_is_loaded() -> None:
    source = page_of("plain")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', source)
    assert policy
    rules = policy[1].replace("&#39;", "'")
    digest = base64.b64encode(hashlib.sha256(plain().scripts[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in rules
    assert rules.startswith("default-src 'none'")
    assert not re.search(r'(?:src|href)="(?!#)', source), "links lead to places in the page only"
    assert "@import" not in source
    assert "url(" not in source.replace("url(#timeline-clip)", "")


def test_no_handlers_in_markup() -> None:
    assert not [name for name in plain().attributes if name.startswith("on")]
