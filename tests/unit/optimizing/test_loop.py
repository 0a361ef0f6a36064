"""The loop with stages that are made up: what it accepts, why it ends, and that it can be killed anywhere."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from rocm_perf_lab.codeobj.metadata import KernelMetadata
from rocm_perf_lab.contracts.changes.proposal import Proposal
from rocm_perf_lab.contracts.changes.proposal_refusal import Refusal
from rocm_perf_lab.errors import EnvironmentProblem, NoKernels
from rocm_perf_lab.optimizing.building.built import BuiltKernel, BuiltProgram
from rocm_perf_lab.optimizing.loop import Answer, LoopOutcome, LoopSettings, OptimizationLoop
from rocm_perf_lab.optimizing.proposers.interface import ProposedKernel, Rejected
from rocm_perf_lab.optimizing.proposers.rules import RulesProposer
from rocm_perf_lab.optimizing.records.journal import OptimizationJournal, read_journal
from rocm_perf_lab.optimizing.records.safe_write import revert_change
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.stages import Equality, ProfileFindings, Program, Replays, RunTimes
from rocm_perf_lab.optimizing.transforms.request import LaunchEvidence
from rocm_perf_lab.optimizing.trial import Tried

SOURCE = """#include <hip/hip_runtime.h>
__global__ void k(const float* in, float* out, int n) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += in[i];
    out[0] = sum;
}
"""
NAME = "k(float const*, float*, int)"


def metadata(**changes) -> KernelMetadata:
    values = {
        "symbol": "_Z1kPKfPfi",
        "architecture": "gfx942",
        "arch_vgprs": 32,
        "accum_vgprs": 0,
        "sgprs": 20,
        "vgpr_spills": 0,
        "sgpr_spills": 0,
        "lds_static_bytes": 0,
        "scratch_bytes": 0,
        "kernarg_bytes": 24,
        "max_workgroup_size": 1024,
        "wave_size": 64,
        "uses_dynamic_stack": False,
        "cu_mode": None,
        "code_bytes": 100,
    }
    return KernelMetadata(**{**values, **changes})


class MadeUp:
    """Stages of a machine on which time is what ``cost`` says of a text."""

    def __init__(self, cost=None, **refusals: str) -> None:
        self.cost = cost or (lambda text: 1.0 if "unroll 4" not in text else 0.8)
        self.whole = self.cost
        self.refusals = refusals
        """Stage -> code with which it refuses every variant."""
        self.texts: dict[str, str] = {}
        self.calls: list[str] = []
        self.spills = 0
        self.by_replay: Replays | str | None = None

    def _step(self, name: str, program: Program | None = None) -> None:
        self.calls.append(name)
        if name in self.refusals and (program is None or "#pragma" in self.texts[program.built.digest]):
            raise Refused(self.refusals[name], "made up", messages="error: made up")

    def build(self, text: bytes, name: str) -> Program:
        digest = hashlib.sha256(text).hexdigest()
        self.texts[digest] = text.decode()
        is_variant = b"#pragma" in text
        kernel = BuiltKernel(metadata(vgpr_spills=self.spills if is_variant else 0), ())
        program = Program(Path(name), BuiltProgram({("gfx942", "_Z1kPKfPfi"): kernel}, frozenset(), digest))
        self._step("build", program)
        return program

    def profile(self, program: Program) -> ProfileFindings:
        self._step("profile")
        group = SimpleNamespace(block=(64, 1, 1), lds_bytes=0, grid=(64, 1, 1))
        kernel = SimpleNamespace(
            name=NAME, total_ms=1.0, groups=(group,), resources=SimpleNamespace(lds_static_bytes=0)
        )
        return ProfileFindings(SimpleNamespace(kernels=(kernel,), gpu=None), None, None)

    def evidence(self, program: Program, kernel) -> LaunchEvidence:
        return LaunchEvidence(block_sizes=(64,))

    def check(self, baseline: Program, variant: Program) -> str:
        self._step("check", variant)
        return "nothing new"

    def compare(self, baseline: Program, variant: Program, kernel) -> Equality:
        self._step("compare", variant)
        return Equality("byte for byte", {})

    def time(self, program: Program) -> RunTimes:
        self._step("time", program)
        text = self.texts[program.built.digest]
        return RunTimes({NAME: self.cost(text)}, 10 + self.whole(text), "simulated")

    def replays(self, baseline: Program, kernel):
        return self.by_replay

    def traffic(self, program: Program, kernel) -> float | None:
        self._step("traffic")
        return 100.0 * (1 + self.refusals.get("grows", 0) * ("#pragma" in self.texts[program.built.digest]))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "project" / "k.hip"
    path.parent.mkdir()
    path.write_text(SOURCE)
    return path


def run(source: Path, stages, proposer=None, clock=lambda: 0.0, **settings) -> LoopOutcome:
    place = source.parent.parent
    with OptimizationJournal(place / "journal.jsonl") as journal:
        return OptimizationLoop(
            source,
            stages,
            proposer or RulesProposer(),
            journal,
            place / "records",
            LoopSettings(**settings),
            clock,
        ).run()


def test_the_best_is_kept_and_can_be_taken_back(source: Path) -> None:
    outcome = run(source, MadeUp())
    assert [str(tried.attempt.proposal) for tried in outcome.accepted] == ["unroll by 4 in line 4"]
    assert "#pragma unroll 4" in source.read_text()
    assert outcome.end == "nothing improves"
    (record,) = (source.parent.parent / "records").iterdir()
    revert_change(record)
    assert source.read_text() == SOURCE


def test_of_several_factors_the_best_is_taken(source: Path) -> None:
    def cost(text: str) -> float:
        return 1.0 - 0.1 * ("unroll 2" in text) - 0.2 * ("unroll 4" in text) - 0.3 * ("unroll 8" in text)

    outcome = run(source, MadeUp(cost))
    assert [tried.attempt.proposal.factor for tried in outcome.accepted] == [8]
    assert outcome.text == source.read_bytes()


def test_changes_add_up(source: Path) -> None:
    source.write_text(
        SOURCE.replace("out[0] = sum;", "for (int j = 0; j < n; ++j) sum += in[j + 1];\n    out[0] = sum;")
    )
    outcome = run(source, MadeUp(lambda text: 1.0 - 0.2 * text.count("#pragma unroll 4")))
    assert len(outcome.accepted) == 2
    assert source.read_text().count("#pragma unroll 4") == 2


def test_the_folders_of_changes_are_numbered_from_one(source: Path) -> None:
    test_changes_add_up(source)
    names = {path.name for path in (source.parent.parent / "records").iterdir()}
    assert names == {"change-1", "change-2"}


@pytest.mark.parametrize("resumed", [False, True])
def test_factors_that_were_not_taken_are_not_tried_again(source: Path, resumed: bool) -> None:
    if resumed:
        run(source, MadeUp(), iterations=1)
        assert "#pragma unroll 4" in source.read_text()
    run(source, MadeUp())
    tried = [
        (entry.data["text"], *map(entry.data["attempt"]["proposal"].get, ("transform", "factor")))
        for entry in read_journal(source.parent.parent / "journal.jsonl")
        if entry.event == "decided"
    ]
    before, after = dict.fromkeys(text for text, *_ in tried)
    assert {factor for text, name, factor in tried if (text, name) == (before, "unroll")} == set(range(2, 9))
    assert not [name for text, name, _ in tried if (text, name) == (after, "unroll")]
    assert [name for text, name, _ in tried if (text, name) == (after, "unroll_rewrite")]


def test_factors_that_were_never_tried_still_are(source: Path) -> None:
    outcome = run(source, MadeUp(lambda text: 1 - 0.1 * ("unroll 4" in text)), trials=1)
    assert len(outcome.accepted) == 1
    measured = [attempt.proposal for attempt in outcome.attempts if attempt.kernel_ratio is not None]
    assert [(each.transform, each.factor) for each in measured] == [("unroll", 4), ("unroll", 8)]


def test_nothing_is_accepted_where_nothing_helps(source: Path) -> None:
    outcome = run(source, MadeUp(lambda text: 1.0))
    assert outcome.accepted == []
    assert source.read_text() == SOURCE
    codes = {refusal.code for attempt in outcome.attempts for refusal in attempt.refusals}
    assert codes >= {"kernel-not-faster", "whole-not-faster", "not-allowed"}


@pytest.mark.parametrize(
    ("refusals", "code"),
    [
        ({"build": "build-failed"}, "build-failed"),
        ({"build": "build-timed-out"}, "build-timed-out"),
        ({"check": "defects-found"}, "defects-found"),
        ({"compare": "outputs-differ"}, "outputs-differ"),
        ({"compare": "equivalence-unproven"}, "equivalence-unproven"),
        ({"time": "run-failed"}, "run-failed"),
        ({"grows": 0.5}, "traffic-grown"),
    ],
)
def test_every_stage_can_refuse(source: Path, refusals, code: str) -> None:
    outcome = run(source, MadeUp(**refusals), trials=5)
    assert outcome.accepted == []
    assert source.read_text() == SOURCE
    assert code in {refusal.code for attempt in outcome.attempts for refusal in attempt.refusals}


def test_spilled_registers_end_a_trial_before_anything_runs(source: Path) -> None:
    stages = MadeUp()
    stages.spills = 3
    run(source, stages, trials=3)
    assert not {"check", "compare", "time"} & set(stages.calls)


def test_a_kernel_win_that_the_program_does_not_feel(source: Path) -> None:
    stages = MadeUp()
    stages.whole = lambda text: 1.0
    outcome = run(source, stages, trials=3)
    assert outcome.accepted == []


def test_on_hardware_runs_take_turns_until_it_is_decided(source: Path) -> None:
    """Times that scatter by 1 % and drift: nine pairs show a difference of a fifth."""
    import random

    choose, stages = random.Random(3), MadeUp()
    sides: list[str] = []

    def noisy(program: Program) -> RunTimes:
        text = stages.texts[program.built.digest]
        sides.append("variant" if "#pragma" in text else "baseline")
        noise = 1 + len(sides) / 500 + choose.gauss(0, 0.01)
        return RunTimes({NAME: stages.cost(text) * noise}, (10 * stages.cost(text)) * noise, "measured")

    stages.time = noisy
    outcome = run(source, stages, trials=1, iterations=1)
    assert len(outcome.accepted) == 1
    assert outcome.accepted[0].kernel.pairs == 9
    assert sides[:4] == ["baseline", "variant", "variant", "baseline"]
    assert sides.count("baseline") == sides.count("variant") == 9


@pytest.mark.parametrize(("process", "accepted"), [(0.9, 1), (1.0, 0), (1.1, 0)])
def test_the_process_must_not_become_slower(source: Path, process: float, accepted: int) -> None:
    """Code that takes longer to load than its kernel saves."""
    stages = MadeUp()
    plain = stages.time

    def time(program: Program) -> RunTimes:
        changed = "#pragma" in stages.texts[program.built.digest]
        return replace(plain(program), process_ms=100 * process if changed else 100)

    stages.time = time
    outcome = run(source, stages, trials=1, iterations=1)
    assert len(outcome.accepted) == accepted
    if not accepted:
        (refused,) = [
            one for attempt in outcome.attempts for one in attempt.refusals if "process" in one.detail
        ]
        assert refused.code == "whole-not-faster"


def test_a_process_that_scatters_decides_nothing_and_costs_no_runs(source: Path) -> None:
    import random

    choose, stages = random.Random(5), MadeUp()
    plain, runs = stages.time, []

    def noisy(program: Program) -> RunTimes:
        runs.append(program)
        times = plain(program)
        noise = 1 + choose.gauss(0, 0.003)
        kernels = {name: value * noise for name, value in times.kernels_ms.items()}
        cost = stages.cost(stages.texts[program.built.digest])
        return RunTimes(kernels, cost * noise, "measured", process_ms=100 * choose.uniform(1, 3))

    stages.time = noisy
    outcome = run(source, stages, trials=1, iterations=1)
    assert len(outcome.accepted) == 1
    assert len(runs) == 18


def test_what_does_not_win_by_replays_is_not_timed_in_the_application(source: Path) -> None:
    stages = MadeUp(lambda text: 0.5)
    costs = {"unroll 4": 0.8, "unroll 2": 1.2}

    def sample(program: Program) -> float:
        text = stages.texts[program.built.digest]
        return next((cost for pragma, cost in costs.items() if pragma in text), 1.0)

    stages.cost = lambda text: 0.8 if "unroll 4" in text else 1.0
    stages.whole = stages.cost
    stages.by_replay = Replays("dispatch 0 for 1 launch, warm caches", "simulated", sample)
    outcome = run(source, stages, trials=3, iterations=1)
    assert [tried.attempt.proposal.factor for tried in outcome.accepted] == [4]
    timed = list(read_journal(source.parent.parent / "journal.jsonl"))
    assert [entry.event for entry in timed].count("replayed") == 3
    assert [entry.event for entry in timed].count("measured") == 1
    details = [refusal.detail for attempt in outcome.attempts for refusal in attempt.refusals]
    assert any(detail.startswith("kernel in replays: ") for detail in details)


def test_of_several_winners_by_replays_those_that_rank_lower_are_not_run(source: Path) -> None:
    def cost(text: str) -> float:
        return 1.0 - 0.1 * ("unroll 2" in text) - 0.3 * ("unroll 4" in text) - 0.2 * ("unroll 8" in text)

    stages = MadeUp(cost)
    stages.by_replay = Replays(
        "dispatch 0 for 1 launch, warm caches",
        "simulated",
        lambda program: cost(stages.texts[program.built.digest]),
    )
    outcome = run(source, stages, iterations=1)
    assert [tried.attempt.proposal.factor for tried in outcome.accepted] == [4]
    codes = {
        attempt.proposal.factor: [refusal.code for refusal in attempt.refusals]
        for attempt in outcome.attempts
        if attempt.proposal.transform == "unroll"
    }
    assert codes[8] == codes[2] == ["replays-rank-lower"]
    events = [entry.event for entry in read_journal(source.parent.parent / "journal.jsonl")]
    assert events.count("measured") == 1


def test_a_winner_by_replays_is_confirmed_in_the_application(source: Path) -> None:
    """Replays show what the application does not."""
    stages = MadeUp(lambda text: 1.0)
    stages.by_replay = Replays(
        "dispatch 0 for 1 launch, warm caches",
        "simulated",
        lambda program: 0.5 if "#pragma" in stages.texts[program.built.digest] else 1.0,
    )
    outcome = run(source, stages, trials=3)
    assert outcome.accepted == []
    assert source.read_text() == SOURCE


def test_replays_that_do_not_stand_for_the_program_decide_nothing(source: Path) -> None:
    stages = MadeUp()
    stages.by_replay = "variants are not ranked"
    outcome = run(source, stages, trials=3, iterations=1)
    assert len(outcome.accepted) == 1
    events = [entry.event for entry in read_journal(source.parent.parent / "journal.jsonl")]
    assert "replayed" not in events
    assert events.count("not replayed") == events.count("measured") == 3


def test_dry_runs_write_nothing(source: Path) -> None:
    outcome = run(source, MadeUp(), write=False)
    assert len(outcome.accepted) == 1
    assert b"#pragma unroll 4" in outcome.text
    assert source.read_text() == SOURCE
    assert not (source.parent.parent / "records").exists()


@pytest.mark.parametrize(
    ("answer", "end", "accepted"), [("keep", "iterations", 1), ("decline", "nothing improves", 0)]
)
def test_changes_that_may_not_be_written(source: Path, answer: str, end: str, accepted: int) -> None:
    folder = source.parent.parent
    with OptimizationJournal(folder / "journal") as journal:
        outcome = OptimizationLoop(
            source,
            MadeUp(),
            RulesProposer(),
            journal,
            folder / "records",
            LoopSettings(iterations=1),
            lambda: 0.0,
            lambda before, after, tried: answer,
        ).run()
    assert (outcome.end, len(outcome.accepted)) == (end, accepted)
    assert (b"#pragma" in outcome.text) == (answer == "keep")
    assert source.read_text() == SOURCE
    (record,) = (folder / "records").iterdir()
    assert sorted(path.name for path in record.iterdir()) == ["before", "change.diff"]
    assert "+    #pragma unroll 4" in (record / "change.diff").read_text()


def test_what_is_declined_is_not_offered_again(source: Path) -> None:
    folder = source.parent.parent
    cost = {"unroll 2": 0.9, "unroll 4": 0.7, "unroll 8": 0.8}
    stages = MadeUp(lambda text: next((value for name, value in cost.items() if name in text), 1.0))
    offered: list[int | None] = []

    def looping(answers: list[str]) -> LoopOutcome:
        def answer(before: bytes, after: bytes, tried: Tried) -> Answer:
            offered.append(tried.attempt.proposal.factor)
            return answers.pop(0) if answers else "decline"

        with OptimizationJournal(folder / "journal") as journal:
            records, settings = folder / "records", LoopSettings(iterations=1)
            proposer = RulesProposer()
            return OptimizationLoop(
                source, stages, proposer, journal, records, settings, lambda: 0.0, answer
            ).run()

    assert looping([]).end == "nothing improves"
    assert offered[:3] == [4, 8, 2]  # the next best of its family follows
    assert stages.calls.count("profile") == 1
    assert source.read_text() == SOURCE
    seen = len(offered)
    looping(["write"])  # again, and resumed: nothing that was declined
    assert len(offered) == seen
    refusals = [
        refusal["code"]
        for entry in read_journal(folder / "journal")
        if entry.event == "decided"
        for refusal in entry.data["attempt"]["refusals"]
    ]
    assert "declined" in refusals


def test_budget_and_iterations(source: Path) -> None:
    seconds = itertools.count(0, 10)
    outcome = run(source, MadeUp(lambda text: 1.0), clock=lambda: float(next(seconds)), budget_s=35)
    assert outcome.end == "budget"
    assert sum(attempt.kernel_ratio is not None for attempt in outcome.attempts) <= 3
    assert run(source, MadeUp(), iterations=0).end == "iterations"


def test_kernels_that_are_not_in_the_source(source: Path) -> None:
    source.write_text(SOURCE.replace("void k(", "void other("))
    outcome = run(source, MadeUp())
    assert outcome.left_out[0][1].code == "kernel-not-found"
    import re

    with pytest.raises(NoKernels):
        run(source, MadeUp(), pattern=re.compile("nothing"))


class Repairing:
    """Proposes what does not compile; repairs as often as it is asked to."""

    name = "repairing"

    def __init__(self, good_after: int) -> None:
        self.good_after, self.repairs = good_after, 0

    def _candidate(self, situation) -> ProposedKernel | Rejected:
        mark = (
            "#pragma unroll 4"
            if self.repairs >= self.good_after
            else f"#pragma unroll 3\n// bad {self.repairs}"
        )
        text = situation.kernel.text.replace(b"    for", f"{mark}\n    for".encode())
        from rocm_perf_lab.optimizing.guards.changed_text import check_changed_text

        proposal = Proposal(
            proposer=self.name,
            kernel="k",
            transform="body",
            loop=None,
            line=None,
            factor=None,
            target=None,
            expected_gain=None,
            reasoning="",
        )
        return ProposedKernel(proposal, check_changed_text(situation.kernel, text))

    def propose(self, situation):
        if b"#pragma" not in situation.kernel.text:
            yield self._candidate(situation)

    def repair(self, situation, candidate, messages: str):
        assert "error: made up" in messages
        self.repairs += 1
        return self._candidate(situation)


@pytest.mark.parametrize(("good_after", "accepted"), [(0, 1), (1, 1), (2, 1), (3, 0)])
def test_repairs_are_bounded(source: Path, good_after: int, accepted: int) -> None:
    stages = MadeUp()
    build = stages.build

    def picky(text: bytes, name: str) -> Program:
        if b"// bad" in text:
            raise Refused("build-failed", "made up", messages="error: made up")
        return build(text, name)

    stages.build = picky
    outcome = run(source, stages, Repairing(good_after))
    assert len(outcome.accepted) == accepted
    if not accepted:
        assert outcome.attempts[-1].refusals[0].code == "repairs-exhausted"


class Killed(BaseException):
    pass


def test_killed_at_every_stage_and_resumed(tmp_path: Path) -> None:
    """The source is the old or the new one, and going on ends as if nothing had happened."""
    whole = MadeUp()
    reference = tmp_path / "reference" / "project" / "k.hip"
    reference.parent.mkdir(parents=True)
    reference.write_text(SOURCE)
    run(reference, whole, trials=4)
    for kill_at in range(1, len(whole.calls) + 1, 3):
        source = tmp_path / str(kill_at) / "project" / "k.hip"
        source.parent.mkdir(parents=True)
        source.write_text(SOURCE)
        dying = MadeUp()
        step = dying._step

        def counted(name: str, program: Program | None = None, step=step, dying=dying, limit=kill_at) -> None:
            step(name, program)
            if len(dying.calls) >= limit:
                raise Killed

        dying._step = counted
        with pytest.raises(Killed):
            run(source, dying, trials=4)
        assert source.read_text() in (SOURCE, reference.read_text())
        again = MadeUp()
        outcome = run(source, again, trials=4)
        assert source.read_bytes() == reference.read_bytes()
        assert outcome.text == source.read_bytes()
        # What was decided is not done again; of a family that was begun, those that were accepted are.
        assert len(again.calls) <= len(whole.calls) + 8


def test_the_journal_has_every_decision_with_its_numbers(source: Path) -> None:
    run(source, MadeUp())
    entries = read_journal(source.parent.parent / "journal.jsonl")
    events = [entry.event for entry in entries]
    assert events[0] == "start"
    assert events[-1] == "end"
    accepted = events.index("accepted")
    assert events[accepted - 1] == "accepting"
    measured = next(entry for entry in entries if entry.event == "measured")
    assert measured.data["kernel"]["ratio"] == pytest.approx(0.8)
    assert measured.data["kernel"]["verdict"] == "win"


def test_the_same_input_ends_the_same(tmp_path: Path) -> None:
    results = []
    for number in range(2):
        source = tmp_path / str(number) / "project" / "k.hip"
        source.parent.mkdir(parents=True)
        source.write_text(SOURCE)
        outcome = run(source, MadeUp())
        results.append((outcome.text, [str(attempt.proposal) for attempt in outcome.attempts]))
    assert results[0] == results[1]


class Unheard:
    """A model that is asked, of which the first answers are what rules would say, and then none comes."""

    name = "unheard"

    def __init__(self, answers: int) -> None:
        self.answers = answers
        self.asked = 0

    def propose(self, situation):
        self.asked += 1
        (first, *_) = [one for one in RulesProposer().propose(situation) if isinstance(one, ProposedKernel)]
        if self.asked <= self.answers:
            yield first
        else:
            yield Rejected(first.proposal, Refusal(code="endpoint-timed-out", detail="no answer in 120 s"))

    def repair(self, situation, candidate, messages):
        return None


@pytest.mark.parametrize(("answers", "accepted"), [(0, 0), (1, 1)])
def test_a_model_that_is_not_heard_is_an_error(source: Path, answers: int, accepted: int) -> None:
    """That nothing improves the kernel is not known then; what was accepted before stays."""
    stages = MadeUp(lambda text: 1 - 0.1 * text.count("#pragma"))
    with pytest.raises(EnvironmentProblem) as caught:
        run(source, stages, Unheard(answers))
    assert "the model could not be asked" in caught.value.cause
    assert "endpoint-timed-out" in caught.value.cause
    assert ("what was accepted before (1) stays" in caught.value.cause) == bool(accepted)
    assert source.read_text().count("#pragma") == accepted
    events = [entry.event for entry in read_journal(source.parent.parent / "journal.jsonl")]
    assert events.count("accepted") == accepted
    assert "end" not in events


def test_a_model_that_is_not_heard_when_nothing_more_was_wanted(source: Path) -> None:
    stages = MadeUp(lambda text: 1 - 0.1 * text.count("#pragma"))
    assert run(source, stages, Unheard(1), iterations=1).end == "iterations"
