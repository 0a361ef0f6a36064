"""The page in a browser: no errors, nothing loaded, and all that can be clicked does what it should."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .chromium import Chromium


@pytest.fixture
def opened(browser: Chromium, page: Path) -> Chromium:
    browser.open(page.as_uri())
    return browser


def texts(browser: Chromium, selector: str) -> list[str]:
    found = browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((e) => e.textContent)")
    return [str(text).strip() for text in found]


def choose(browser: Chromium, selector: str, value: str) -> None:
    """As if chosen from a list, or typed."""
    browser.run(
        f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.value = {json.dumps(value)}; "
        "e.dispatchEvent(new Event('input', {bubbles: true})); "
        "e.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


@pytest.mark.parametrize("dark", [False, True])
def test_no_errors_and_no_requests(browser: Chromium, page: Path, dark: bool) -> None:
    browser.open(page.as_uri(), dark=dark)
    assert browser.problems() == []
    for chart in ("roofline-chart", "timeline-chart", "occupancy-by-vgprs"):
        assert browser.run(f"document.querySelector('#{chart} svg') !== null"), f"{chart} is not drawn"
    assert browser.run("document.documentElement.scrollWidth <= innerWidth"), (
        "the page is wider than the window"
    )


def test_small_screen(browser: Chromium, page: Path) -> None:
    browser.open(page.as_uri(), width=420)
    assert browser.problems() == []
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")


def test_says_that_it_is_simulated(opened: Chromium) -> None:
    (badge,) = texts(opened, "header .badge")
    assert badge.startswith("SIMULATED on a virtual AMD Instinct MI300X")


def test_theme(opened: Chromium) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = opened.run(ground)
    opened.click(*opened.middle("#theme"))
    assert opened.run(ground) != light
    opened.click(*opened.middle("#theme"))
    assert opened.run(ground) == light


def test_table_sorts(opened: Chromium) -> None:
    names = "tr.kernel td.name bdi"
    assert texts(opened, names) == ["scale", "add_halves"]
    opened.click(*opened.middle("#kernel-table th:first-child button"))
    assert texts(opened, names) == ["add_halves", "scale"]
    opened.click(*opened.middle("#kernel-table th:nth-child(2) button"))  # share: the largest first
    assert texts(opened, names) == ["scale", "add_halves"]
    opened.click(*opened.middle("#kernel-table th:nth-child(2) button"))
    assert texts(opened, names) == ["add_halves", "scale"]
    assert opened.problems() == []


def test_table_filters_and_opens(opened: Chromium) -> None:
    choose(opened, "#kernel-filter", "HALVES")
    assert texts(opened, "tr.kernel:not([hidden]) td.name bdi") == ["add_halves"]
    assert texts(opened, "#kernel-count") == ["1 of 2"]
    opened.click(*opened.middle("tr.kernel:not([hidden]) td.name button"))
    assert texts(opened, "tr.detail:not([hidden]) .full") == ["add_halves(float*, int)"]
    choose(opened, "#kernel-filter", "")
    assert len(texts(opened, "tr.kernel:not([hidden])")) == 2


def test_roofline_hover_and_filters(opened: Chromium) -> None:
    points = "document.querySelectorAll('#roofline-chart .point').length"
    every = opened.run(points)
    x, y = opened.middle("#roofline-chart .point")
    opened.mouse("mouseMoved", x, y)
    (tip,) = texts(opened, "#tip:not([hidden])")
    assert "GFLOP/s at" in tip
    assert opened.run("document.querySelector('#roofline-chart .guide').hasAttribute('d')")
    opened.mouse("mouseMoved", 5, 5)
    assert texts(opened, "#tip:not([hidden])") == []
    choose(opened, "#roofline-kernel", "1")
    one_kernel = opened.run(points)
    assert 0 < one_kernel < every
    roofs = "document.querySelectorAll('#roofline-chart .roof').length"
    before = opened.run(roofs)
    opened.click(*opened.middle("[data-roofline-level][value=l1]"))
    assert opened.run(points) == one_kernel - 1
    assert opened.run(roofs) < before
    choose(opened, "#roofline-precision", "f32")
    assert opened.run(points) == one_kernel - 1
    assert opened.problems() == []


def shown_span(browser: Chromium) -> str:
    return texts(browser, "#timeline-view")[0]


def test_timeline_zooms(opened: Chromium) -> None:
    whole = shown_span(opened)
    opened.click(*opened.middle("[data-timeline=in]"))
    half = shown_span(opened)
    assert half != whole
    opened.click(*opened.middle("[data-timeline=right]"))
    assert shown_span(opened) != half
    opened.click(*opened.middle("[data-timeline=all]"))
    assert shown_span(opened) == whole
    x, y = opened.middle("#timeline-chart")
    opened.drag(x, y, x + 150, y)
    dragged = shown_span(opened)
    assert dragged != whole
    opened.run("document.getElementById('timeline-chart').focus()")
    opened.key("-")
    assert shown_span(opened) != dragged
    opened.key("0")
    assert shown_span(opened) == whole
    opened.mouse("mouseWheel", x, y, deltaX=0, deltaY=-120, modifiers=2)
    assert shown_span(opened) != whole
    assert opened.problems() == []


def test_timeline_tells_events_and_the_critical_path(opened: Chromium) -> None:
    lanes = texts(opened, "#timeline-chart .lane-name")
    assert lanes[0].startswith("critical path")
    critical = opened.run("document.querySelectorAll('#timeline-chart .critical').length")
    every = opened.run("document.querySelectorAll('#timeline-chart .event').length")
    assert 0 < critical < every
    opened.mouse("mouseMoved", *opened.middle("#timeline-chart .critical"))
    (tip,) = texts(opened, "#tip:not([hidden])")
    assert "on the critical path" in tip
    opened.click(*opened.middle("#timeline-critical"))
    dimmed = (
        "getComputedStyle(document.querySelector('#timeline-chart .event:not(.critical, .path)')).opacity"
    )
    assert float(opened.run(dimmed)) < 0.5


def test_a_gap_is_shown_in_the_timeline(opened: Chromium) -> None:
    whole = shown_span(opened)
    opened.click(*opened.middle("[data-gap-start]"))
    assert shown_span(opened) != whole


def test_code_links_source_and_instructions(opened: Chromium) -> None:
    rows = texts(opened, "#code-isa tbody tr")
    assert any("global_load" in row for row in rows)
    assert opened.run("document.querySelectorAll('#code-isa td[style*=heat]').length") > 0
    opened.click(*opened.middle("#code-source tr[data-source='0'] td"))
    linked = opened.run("[...document.querySelectorAll('#code-isa tr.linked')].map((e) => e.dataset.source)")
    assert set(linked) == {"0"}
    choose(opened, "#code-dispatch", "1")
    assert texts(opened, "#code-isa tbody tr") != []
    assert opened.problems() == []


def test_occupancy_calculator(opened: Chromium) -> None:
    share = "#occupancy-share"
    assert texts(opened, share) == ["100.0%"]
    choose(opened, "#o-vgprs", "128")
    assert texts(opened, share) == ["50.0%"]
    assert "limited by vector registers" in texts(opened, "#occupancy-words")[0]
    choose(opened, "#o-architecture", "gfx1100")
    assert texts(opened, "#o-wave option") == ["32", "64"]
    assert opened.run("!document.querySelector('[name=cuMode]').closest('label').hidden")
    choose(opened, "[name=kernel]", "1")
    assert opened.problems() == []


def test_under_two_megabytes(page: Path) -> None:
    assert page.stat().st_size < 2_000_000
