"""Proposals by rule: complete, in order of what they may bring, and the same every time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rocm_perf_lab.contracts.changes.proposal import Attempt
from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.optimizing.proposers.interface import ProposedKernel, Rejected, Situation
from rocm_perf_lab.optimizing.proposers.rules import RulesProposer
from rocm_perf_lab.optimizing.transforms.request import DistinctPointers, LaunchEvidence

BODY = """float sum = 0;
for (int i = 0; i < n; ++i) {
    sum += in[i];
    for (int j = 0; j < 16; ++j) sum += in[i + j];
}
for (int i = 0; i < n; ++i) atomicAdd(out, sum);
out[0] = sum;"""


def labelled(label: str):
    """An analysis of a kernel with this label."""
    from rocm_perf_lab.contracts.profiling.analysis import KernelAnalysis
    from rocm_perf_lab.contracts.profiling.bottleneck import Bottleneck, BottleneckFigures

    figures = BottleneckFigures(
        origin="derived",
        memory=None,
        compute=None,
        lanes=None,
        lds=None,
        issue=None,
        occupied=None,
        waiting=None,
        outside=None,
        sources={},
        estimates=(),
    )
    bottleneck = Bottleneck(
        label=label,
        score=1.0,
        depth="counters",
        confidence=1.0,
        certainty="high",
        margin=1.0,
        completeness=1.0,
        contenders=(),
        evidence=(),
        runners_up=(),
        not_assessed=(),
        changes=(),
    )
    return KernelAnalysis(
        origin="simulated",
        name="k",
        launches=1,
        total_ms=1.0,
        share=1.0,
        mean_ms=1.0,
        theoretical_occupancy=None,
        achieved_occupancy=None,
        figures=figures,
        bottleneck=bottleneck,
        headroom=None,
        roofline=None,
        criticality=None,
        att=None,
    )


def traced(costs: dict[int, float]):
    """A thread trace with these costs of lines of kernel.hip."""
    from types import SimpleNamespace

    lines = [
        SimpleNamespace(source=f"/x/kernel.hip:{line}", cost_share=share) for line, share in costs.items()
    ]
    return SimpleNamespace(source_lines=lines)


def test_every_loop_and_factor_is_there(kernel) -> None:
    found = RulesProposer().ranked(Situation(kernel(BODY)))
    unrolled = {(each.transform, each.loop, each.factor) for each in found if each.factor is not None}
    assert unrolled == {
        (name, loop, factor)
        for name in ("unroll", "unroll_rewrite")
        for loop in (0, 1, 2)
        for factor in range(2, 9)
    }
    gains = [round(each.expected_gain, 9) for each in found]
    assert gains == sorted(gains, reverse=True)
    assert all(0 <= gain <= 1 for gain in gains)


def test_the_same_input_gives_the_same_proposals(kernel) -> None:
    situation = Situation(kernel(BODY), analysis=labelled("latency bound"))
    first = [str(each) for each in RulesProposer().propose(situation)]
    assert first == [str(each) for each in RulesProposer().propose(situation)]


def test_the_trace_says_which_loop_matters(kernel) -> None:
    found = kernel(BODY)
    outer, _, atomic = found.loops
    for hot in (outer, atomic):
        situation = Situation(found, att=traced({hot.line: 0.9, 1: 0.1}))
        best = RulesProposer().ranked(situation)[0]
        assert best.loop == hot.number
        assert "the trace has 90% of the cost" in best.reasoning


@pytest.mark.parametrize(
    ("label", "first"),
    [
        ("LDS bound", "lds_padding"),
        ("latency bound", "vector_loads"),
        ("compute-throughput limited", "unroll"),
    ],
)
def test_the_label_says_which_transform_comes_first(kernel, label: str, first: str) -> None:
    table = "__shared__ float t[16][16];\nt[n][0] = 1;\n"
    body = table + "float s = 0;\nfor (int i = 0; i < n; ++i) s += in[i];\nout[0] = s;"
    situation = Situation(kernel(body), analysis=labelled(label))
    assert RulesProposer().ranked(situation)[0].transform == first


@pytest.mark.parametrize(
    ("step", "first"), [("++i", "unroll"), ("i += 4", "unroll"), ("i += blockDim.x", "unroll_rewrite")]
)
def test_loops_that_the_compiler_cannot_count_are_rewritten_first(kernel, step: str, first: str) -> None:
    found = kernel(f"float s = 0;\nfor (int i = 0; i < n; {step}) s += in[i * 3];\nout[0] = s;")
    best = RulesProposer().ranked(Situation(found))[0]
    assert (best.transform, best.factor) == (first, 4)


def test_headroom_bounds_what_is_expected(kernel) -> None:
    from rocm_perf_lab.contracts.profiling.bottleneck import Headroom

    room = Headroom(
        origin="derived",
        ceiling="hbm",
        share_of_ceiling=0.99,
        fixed_share=0.0,
        time_ms=1.0,
        floor_ms=0.99,
        gain_ms=0.01,
        speedup=1.01,
        derivation="",
    )
    situation = Situation(kernel(BODY), analysis=replace(labelled("latency bound"), headroom=room))
    assert max(each.expected_gain for each in RulesProposer().ranked(situation)) == pytest.approx(0.01)


def test_what_is_refused_says_why(kernel) -> None:
    found = list(RulesProposer().propose(Situation(kernel(BODY))))
    atomic = [each for each in found if isinstance(each, Rejected) and each.proposal.loop == 2]
    assert {each.refusal.code for each in atomic if each.proposal.factor} == {"atomic-in-loop"}
    assert {each.refusal.code for each in found if isinstance(each, Rejected)} >= {
        "atomic-in-loop",
        "not-allowed",
    }
    good = [each for each in found if isinstance(each, ProposedKernel)]
    assert {each.proposal.loop for each in good} == {0, 1}
    assert all(each.text != each.kernel.unit.main.path.read_bytes() for each in good)


def test_allowed_transforms_are_made(kernel) -> None:
    situation = Situation(
        kernel("float s = 0;\nfor (int i = 0; i < n; ++i) s += in[i] * in[7];\nout[0] = s;"),
        evidence=LaunchEvidence(DistinctPointers(frozenset({0, 1}), 3), (64,)),
        allowed=frozenset({"vector_loads", "restrict_const", "launch_bounds", "hoist_loads"}),
    )
    made = {
        each.proposal.transform
        for each in RulesProposer().propose(situation)
        if isinstance(each, ProposedKernel)
    }
    assert made == {
        "unroll",
        "unroll_rewrite",
        "vector_loads",
        "restrict_const",
        "launch_bounds",
        "hoist_loads",
    }


def test_nothing_is_proposed_twice(kernel) -> None:
    situation = Situation(kernel(BODY))
    first = next(iter(RulesProposer().propose(situation)))
    attempt = Attempt(proposal=first.proposal, accepted=False, refusals=(), kernel_ratio=1.0)
    again = [each.proposal.key for each in RulesProposer().propose(replace(situation, attempts=(attempt,)))]
    assert first.proposal.key not in again
    assert len(again) == len(RulesProposer().ranked(situation)) - 1


@pytest.mark.parametrize(("transform", "factor"), [("unroll_rewrite", 4), ("vector_loads", None)])
def test_what_was_unrolled_is_not_unrolled_again(kernel, transform: str, factor: int | None) -> None:
    """Factors go up to eight; unrolled twice they would be multiplied."""
    body = """float sum = 0;
for (int i = 0; i < n; ++i) sum += in[i];
for (int i = 0; i < n; ++i) { if (in[i] > 2) break; sum += in[i]; }
out[0] = sum;"""
    situation = Situation(
        kernel(body),
        evidence=LaunchEvidence(DistinctPointers(frozenset({0, 1}), 3), (64,)),
        allowed=frozenset({"vector_loads"}),
    )
    changed = next(
        each
        for each in RulesProposer().propose(situation)
        if isinstance(each, ProposedKernel)
        and (each.proposal.transform, each.proposal.loop, each.proposal.factor) == (transform, 0, factor)
    )
    after = RulesProposer().ranked(replace(situation, kernel=changed.kernel))
    loops = changed.kernel.loops
    assert len(loops) == (3 if factor else 4)
    assert {each.loop for each in after if each.factor is not None} == {loops[-1].number}


def test_a_loop_without_a_declaration_is_unrolled(kernel) -> None:
    body = "int i = 0;\nfor (; i < n; ++i) out[i] = 1;\nfor (i = 0; i < n; ++i) out[i] += 1;"
    found = RulesProposer().ranked(Situation(kernel(body)))
    assert {each.loop for each in found if each.factor is not None} == {0, 1}


def test_plug_ins(kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    from rocm_perf_lab.errors import UsageProblem
    from rocm_perf_lab.optimizing.proposers import plugged_in
    from rocm_perf_lab.optimizing.proposers.interface import GROUP

    points = [EntryPoint("mine", "rocm_perf_lab.optimizing.proposers.rules:RulesProposer", GROUP)]
    monkeypatch.setattr(plugged_in, "entry_points", lambda group: points if group == GROUP else [])
    found = plugged_in.load_proposer("mine")
    assert found.name == "rules"
    assert any(isinstance(idea, ProposedKernel) for idea in found.propose(Situation(kernel(BODY))))
    with pytest.raises(UsageProblem, match="no proposer 'yours'"):
        plugged_in.load_proposer("yours")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (b"__global__", b"int more; __global__", "outside-body-changed"),
        (b"{", b"{ static int calls; ", "forbidden-global"),
        (b"{", b'{ asm volatile("s_nop 0"); ', "forbidden-assembly"),
        (b"{", b"{\n#include <fstream>\n", "forbidden-preprocessor"),
        (b"{", b"{ __syncthreads(); ", "synchronisation-changed"),
    ],
)
def test_what_is_plugged_in_goes_through_all_guards(kernel, old: bytes, new: bytes, code: str) -> None:
    from rocm_perf_lab.optimizing.proposers.plugged_in import PluggedIn
    from rocm_perf_lab.optimizing.source.read import read_unit

    chosen = kernel(BODY)
    at = chosen.function.body.start if old == b"{" else chosen.text.index(old)
    text = chosen.text[:at] + chosen.text[at:].replace(old, new, 1)
    changed = replace(chosen, unit=read_unit(chosen.file.path, text=text))
    first = next(iter(RulesProposer().ranked(Situation(chosen))))

    class Careless:
        name = "careless"

        def propose(self, situation: Situation):
            yield ProposedKernel(first, changed)

    (idea,) = PluggedIn(Careless()).propose(Situation(chosen))
    assert isinstance(idea, Rejected)
    assert idea.refusal.code == code


def test_documents_of_proposals_are_strict(tmp_path: Path) -> None:
    from rocm_perf_lab.contracts.changes.proposal_prompt import PromptDocument
    from rocm_perf_lab.errors import BadInput

    with pytest.raises(BadInput):
        from_json(PromptDocument, b'{"schema_version": "1.0", "more": 1}', "prompt.json")
