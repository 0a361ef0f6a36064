"""The page of an optimization: what it shows, from plain data; nothing in it runs or is loaded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocm_perf_lab.contracts.changes.change_bundle import BundledSide
from rocm_perf_lab.contracts.changes.optimization import (
    AcceptedChange,
    OptimizationDocument,
    OptimizationFiles,
    TimeChange,
    TriedChange,
)
from rocm_perf_lab.contracts.changes.proposal import Proposal
from rocm_perf_lab.contracts.changes.proposal_refusal import Refusal
from rocm_perf_lab.contracts.profiling.resources import Resources
from rocm_perf_lab.reporting.html.story_page import draw, render
from rocm_perf_lab.reporting.html.story_view import story_view

EVIL = "k<script>alert(1)</script>(float*)"


def time(ratio: float, width: float = 0.01, **changes) -> TimeChange:
    values = {
        "origin": "measured",
        "before_ms": 2.0,
        "after_ms": 2.0 * ratio,
        "ratio": ratio,
        "ratio_low": ratio - width,
        "ratio_high": ratio + width,
        "level": 0.99,
        "pairs": 9,
        "exact": False,
        "verdict": "win" if ratio < 0.98 else "loss",
    }
    return TimeChange(**{**values, **changes})


def tried(factor: int, result: str, ratio: float | None = None, code: str | None = None) -> TriedChange:
    return TriedChange(
        kernel=EVIL,
        proposal=Proposal(
            proposer="rules",
            kernel="k",
            transform="unroll",
            loop=0,
            line=4,
            factor=factor,
            target=None,
            expected_gain=0.1,
            reasoning="latency: weight 1",
        ),
        result=result,
        refusals=(Refusal(code=code, detail="here"),) if code else (),
        checkers="out-of-bounds: nothing new" if ratio else None,
        results="byte for byte" if ratio else None,
        replays=None,
        replay_time=None,
        kernel_time=time(ratio) if ratio else None,
        whole_time=time(1 - (1 - ratio) / 2) if ratio else None,
        process_time=None,
    )


@pytest.fixture
def document() -> OptimizationDocument:
    return OptimizationDocument(
        origin="measured",
        source="k.hip",
        command=("./app", "64"),
        build="hipcc {source} -o {output}",
        proposer="rules",
        via="app",
        dry_run=False,
        end="nothing improves",
        before_sha256="0" * 64,
        present_sha256="1" * 64,
        accepted=(
            AcceptedChange(
                trial=1,
                place="written",
                diff="--- a/k.hip\n+++ b/k.hip\n@@ -1 +1,2 @@\n+#pragma unroll 4\n for\n-old\n",
                record="f/changes/change-1",
                bundle="no/such/bundle.tar",
                bundle_sha256="2" * 64,
            ),
        ),
        tried=(
            tried(2, "passed", 0.9),
            tried(4, "taken", 0.8),
            tried(8, "refused", 1.2, "kernel-slower"),
            tried(3, "refused", None, "barrier-in-loop"),
        ),
        left_out=(),
        files=OptimizationFiles(folder="f", journal="f/j", document="f/d", page="f/p", patch=None),
        notes=("a note",),
    )


def test_what_is_told(document: OptimizationDocument) -> None:
    view = story_view(document, {})
    figures = {name: value for name, value, _ in view.figures}
    assert figures == {
        "the whole program": "10.0% less",
        "accepted": "1",
        "tried": "4",
        "ended": "nothing improves",
    }
    assert [row.result for row in view.trials] == ["passed", "taken", "refused", "refused"]
    assert [row.came_to for row in view.trials][2:] == ["timed in the application", "guards and builds"]
    assert [code for _, code, _ in view.reasons] == ["kernel-slower", "barrier-in-loop"]
    (change,) = view.changes
    assert [kind for kind, _ in change.diff] == ["place", "place", "place", "added", "same", "removed"]
    assert [(name, saved) for name, *_, saved, _ in change.times] == [
        ("kernel", "20.0% less"),
        ("whole program", "10.0% less"),
    ]
    assert ("verify it", "rocm-perf verify no/such/bundle.tar") in change.facts
    assert change.figures == ()


def test_intervals_are_where_they_belong(document: OptimizationDocument) -> None:
    chart = story_view(document, {}).chart
    assert chart is not None
    assert [bar.label for bar in chart.bars] == [
        "1: unroll by 2 in line 4",
        "2: unroll by 4 in line 4",
        "3: unroll by 8 in line 4",
    ]
    faster, fastest, slower = chart.bars
    assert fastest.low < fastest.at < fastest.high < faster.low
    assert faster.high < chart.same < slower.low
    assert fastest.figure == "20.0% less"
    nothing = replace(document, tried=document.tried[3:], accepted=())
    assert story_view(nothing, {}).chart is None


def test_code_and_counters_before_and_after(document: OptimizationDocument) -> None:
    resources = Resources(
        origin="spec",
        arch_vgprs=8,
        accum_vgprs=0,
        sgprs=8,
        lds_static_bytes=0,
        lds_dynamic_bytes=0,
        scratch_bytes_per_lane=0,
        vgpr_spills=0,
        sgpr_spills=0,
        code_bytes=100,
    )
    before = BundledSide(
        origin="measured",
        source="s",
        code_object="c",
        code_digest="d",
        resources=resources,
        counters={"SQ_WAIT_ANY": 100.0},
        traffic_bytes=2048.0,
    )
    after = replace(
        before,
        resources=replace(resources, arch_vgprs=24),
        counters={"SQ_WAIT_ANY": 50.0},
        traffic_bytes=None,
    )
    claims = type("Claims", (), {"before": before, "after": after})()
    figures = {name: values for name, *values in story_view(document, {0: claims}).changes[0].figures}
    assert figures["vector registers"] == ["8", "24"]
    assert figures["cycles of waiting (SQ_WAIT_ANY)"] == ["100.0", "50.00"]
    assert "traffic" not in figures


def test_nothing_runs_and_nothing_is_loaded(document: OptimizationDocument) -> None:
    page = render(document)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page
    assert "http" not in page.partition("</head>")[2]
    assert draw(story_view(replace(document, tried=(), accepted=()), {}))
