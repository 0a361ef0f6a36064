"""Runs the evidence of an accepted change again, from its bundle, and says which claims hold here.

Both sources are built with the recorded command and compared with the recorded code; the captured dispatches
are replayed, with self-replays, poison and negative control; both programs are checked, counted and timed in
turns. A claim that cannot be run here is said to be so: it is neither confirmed nor refuted.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import partial
from pathlib import Path

from rocm_perf_lab.builds.environment import allowed_alone
from rocm_perf_lab.contracts.changes.change_bundle import BundledDispatch, BundledSide
from rocm_perf_lab.contracts.changes.verification import ClaimResult, VerificationDocument, VerifiedClaim
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument, Setting
from rocm_perf_lab.errors import Interrupted, RocmPerfError
from rocm_perf_lab.optimizing.app_stages import AppStages
from rocm_perf_lab.optimizing.building.build import BuildPlan, build_variant
from rocm_perf_lab.optimizing.building.built import code_object_of, read_built, symbol_of
from rocm_perf_lab.optimizing.building.confined import confined
from rocm_perf_lab.optimizing.bundles.bundle import environment_of
from rocm_perf_lab.optimizing.bundles.claims import (
    Found,
    Replayed,
    counters_agree,
    counters_in_words,
    not_slower,
    replays_agree,
    replays_in_words,
    time_in_words,
    times_agree,
)
from rocm_perf_lab.optimizing.bundles.read_bundle import ReadBundle, read_bundle
from rocm_perf_lab.optimizing.guards.changed_text import HeadChange, check_changed_text
from rocm_perf_lab.optimizing.program_output import OutputRequest
from rocm_perf_lab.optimizing.proved_captures import REPLAYS, capture_dispatch
from rocm_perf_lab.optimizing.records.safe_write import diff
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.match import find_kernel
from rocm_perf_lab.optimizing.source.read import read_unit
from rocm_perf_lab.optimizing.stages import Program
from rocm_perf_lab.optimizing.time_change import time_change
from rocm_perf_lab.optimizing.trial import measure
from rocm_perf_lab.profiling.folder.setting import describe_setting
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.replaying.bundle import import_capture
from rocm_perf_lab.replaying.memory.tolerance import ToleranceRequest
from rocm_perf_lab.replaying.native_tool.tool import find_tool
from rocm_perf_lab.replaying.proof.capture_proof import open_bench, prove_capture
from rocm_perf_lab.replaying.proof.changed_states import judge_in, make_changed_states
from rocm_perf_lab.replaying.variants.judge import judge
from rocm_perf_lab.rocm.find import find_prefix
from rocm_perf_lab.trust import Ask, Foreign, require_trust

Step = Callable[[], Sequence[Found]]
"""Runs something again: what is found of each claim that depends on it. Raises where it cannot be run."""

_NOT_CHECKED = "not checked"  # how stages begin what they say then
_HEADS: dict[str, HeadChange] = {"restrict_const": "restrict", "launch_bounds": "launch-bounds"}


@dataclass(frozen=True)
class VerifyRequest:
    file: Path
    run: bool = True
    """False: nothing of the bundle is built or run."""
    timeout_s: float | None = None
    """Of one run of the program."""
    trust: bool = False
    """It is run although it was not made here."""
    ask: Ask | None = None


def verify(request: VerifyRequest, progress: Progress) -> VerificationDocument:
    with tempfile.TemporaryDirectory(prefix="rocm-perf-verify-") as place:
        bundle = read_bundle(request.file, Path(place) / "bundle")
        if request.run:
            require_trust([_foreign(bundle)], request.trust, request.ask)
        verifier = Verifier(bundle, Path(place) / "work", request, progress)
        try:
            with confined(), allowed_alone():
                claims = tuple(verifier.claims())
        finally:
            verifier.close()
        return _document(bundle, claims, verifier.profile)


def _foreign(bundle: ReadBundle) -> Foreign:
    document = bundle.document
    arguments = f" with the arguments {shlex.join(document.arguments)}" if document.arguments else ""
    written = f", which writes {', '.join(document.files_compared)}" if document.files_compared else ""
    captured = len(document.dispatches)
    return Foreign(
        str(bundle.file),
        bundle.digest,
        (
            f"the build {document.build}",
            f"what that makes{arguments}{written}, in {Path.cwd()}",
            f"replays of {captured} dispatch{'es' * (captured != 1)} of {document.kernel}",
        ),
        f"rocm-perf verify --no-run {shlex.quote(str(bundle.file))}",
    )


@dataclass
class Verifier:
    bundle: ReadBundle
    work: Path
    request: VerifyRequest
    progress: Progress
    profile: ProfileDocument | None = None
    """Of the baseline here, once it was counted."""
    _programs: dict[str, Program | str] = field(default_factory=dict)
    """Built here; or why they cannot be."""

    def __post_init__(self) -> None:
        self.document = self.bundle.document
        self.work.mkdir()
        source = self.bundle.folder / self.document.before.source
        self.plan = BuildPlan(self.document.build, source, Path.cwd())
        self.stages = AppStages(
            self.plan,
            self.document.arguments,
            self.work,
            timeout_s=self.request.timeout_s,
            unchecked=True,  # that it cannot be checked here is said of the claim, not of the program
            progress=self.progress,
            output=OutputRequest(
                self.document.printed_compared, tuple(map(Path, self.document.files_compared))
            ),
        )

    def close(self) -> None:
        self.stages.close()

    def claims(self) -> Iterator[VerifiedClaim]:
        document = self.document
        sides = (("before", document.before), ("after", document.after))
        yield from _compared(
            {"files": f"{len(document.files)} files"}, lambda: [(True, "every SHA-256 is right")]
        )
        yield from _compared({"diff": "turns the old source into the new one"}, self._diff)
        yield from _compared({"guard": "nothing but the kernel differs"}, self._guard)
        for name, side in sides:
            recorded = f"{side.code_digest[:16]} with {document.build}"
            yield from self._running({f"code {name}": recorded}, partial(self._code, side))
        for dispatch in document.dispatches:
            said = replays_in_words(self.bundle.proof(dispatch.proof), dispatch.other_states)
            titles = {f"{name} of dispatch {dispatch.dispatch}": words for name, words in said.items()}
            yield from self._running(titles, partial(self._replayed, dispatch))
        if self.stages.output:
            yield from self._running({"output": "the program's output is the same"}, self._output)
        yield from self._running({"checkers": document.checkers}, self._checked)
        times = {
            "kernel time": time_in_words(document.kernel_time),
            "whole time": time_in_words(document.whole_time),
        }
        if document.process_time is not None:
            times["process time"] = time_in_words(document.process_time)
        yield from self._running(times, self._timed)
        for name, side in sides:
            yield from self._running(
                {f"counters {name}": counters_in_words(side)}, partial(self._counted, side)
            )

    def _running(self, recorded: Mapping[str, str], step: Step) -> Iterator[VerifiedClaim]:
        if not self.request.run:
            yield from _not_run(recorded, "--no-run")
            return
        try:
            yield from _compared(recorded, step)
        finally:
            self.progress.done()

    def _diff(self) -> Sequence[Found]:
        before, after = (
            self.bundle.content(side.source) for side in (self.document.before, self.document.after)
        )
        said = diff(self.document.source, before, after).encode(errors="surrogateescape")
        same = said == self.bundle.content(self.document.diff)
        return [
            (same, "it turns the old source into the new one" if same else "it is that of something else")
        ]

    def _guard(self) -> Sequence[Found]:
        try:
            unit = read_unit(self.bundle.folder / self.document.before.source)
            kernel = find_kernel(unit, self.document.kernel)
            head = _HEADS.get(self.document.proposal.transform)
            check_changed_text(kernel, self.bundle.content(self.document.after.source), head)
        except Refused as problem:
            return [(False, str(problem.refusal))]
        return [(True, "nothing but the kernel differs")]

    def _program(self, side: BundledSide) -> Program:
        """Built once: that it repeats, the recorded digest shows."""
        if side.source not in self._programs:
            try:
                place = self.work / f"built-{len(self._programs)}"
                path = build_variant(self.plan, self.bundle.content(side.source), place)
                self._programs[side.source] = Program(path, read_built(path))
            except Refused as problem:
                self._programs[side.source] = f"it cannot be built here: {problem.refusal}"
        found = self._programs[side.source]
        if isinstance(found, str):
            raise RocmPerfError(found)
        return found

    def _code(self, side: BundledSide) -> Sequence[Found]:
        program = self._program(side)
        if program.built.digest != side.code_digest:
            return [(False, f"{program.built.digest[:16]}: the compiler makes other code of it here")]
        symbol = symbol_of(program.built, self.document.kernel)
        if symbol is None:
            return [(False, f"the program has no {self.document.kernel}")]
        here = self.work / "code.hsaco"
        here.write_bytes(code_object_of(program.path, *symbol))
        same = read_built(here).digest == read_built(self.bundle.folder / side.code_object).digest
        return [(same, program.built.digest[:16] if same else f"{side.code_object} is something else")]

    def _replayed(self, dispatch: BundledDispatch) -> Sequence[Found]:
        proof = self.bundle.proof(dispatch.proof)
        hsaco = self.bundle.folder / self.document.after.code_object
        with contextlib.ExitStack() as keep:
            bench = keep.enter_context(
                open_bench(
                    self._capture(dispatch), find_tool(), self.progress, self.request.timeout_s, self.work
                )
            )
            here = prove_capture(bench, REPLAYS, ToleranceRequest())
            poisoned, allowed = here.poison.poisoned, here.replayed.allowed
            document = here.document(*judge(bench, hsaco, REPLAYS, poisoned, allowed, iterations=0))
            if document.verdict != "passed":
                why = "not looked at: the results differ already"
                return replays_agree(proof, dispatch.other_states, Replayed(document, (), why))
            states = make_changed_states(here, self.work / f"states-{dispatch.dispatch}", keep).used
            wrong = next((said for state in states if (said := judge_in(state, hsaco)) is not None), None)
        found = Replayed(document, tuple(state.name for state in states), wrong)
        return replays_agree(proof, dispatch.other_states, found)

    def _capture(self, dispatch: BundledDispatch) -> Path:
        """That of the bundle; where it is too large for one, captured again."""
        folder = self.work / f"dispatch-{dispatch.dispatch}.capture"
        if dispatch.capture is not None:
            import_capture(self.bundle.folder / dispatch.capture, folder)
            return folder
        command = (str(self._program(self.document.before).path), *self.document.arguments)
        capture_dispatch(command, self.document.kernel, dispatch.dispatch, folder, self.request.timeout_s)
        return folder

    def _output(self) -> Sequence[Found]:
        before, after = self._program(self.document.before), self._program(self.document.after)
        try:
            return [(True, self.stages.same_output(before, after))]
        except Refused as problem:
            if problem.refusal.code != "output-differs":
                raise
            return [(False, str(problem.refusal))]

    def _checked(self) -> Sequence[Found]:
        before, after = self._program(self.document.before), self._program(self.document.after)
        try:
            said = self.stages.check(before, after)
        except Refused as problem:
            return [(False, str(problem.refusal))]
        if said.startswith(_NOT_CHECKED) and not self.document.checkers.startswith(_NOT_CHECKED):
            raise RocmPerfError(said)
        return [(True, said)]

    def _timed(self) -> Sequence[Found]:
        document = self.document
        before, after = self._program(document.before), self._program(document.after)
        kernel, whole, medians, process = measure(
            self.stages, before, after, document.kernel, document.improvement
        )
        found = [
            times_agree(document.kernel_time, time_change(kernel, medians.kernel_ms, medians.origin)),
            times_agree(document.whole_time, time_change(whole, medians.whole_ms, medians.origin)),
        ]
        if document.process_time is not None:
            if process is None or medians.process_ms is None:
                found.append((False, "the trace does not say"))
            else:
                lived = time_change(process, medians.process_ms, medians.origin)
                found.append(not_slower(document.process_time, lived))
        return found

    def _counted(self, side: BundledSide) -> Sequence[Found]:
        profile = self.stages.counters(self._program(side))
        if side is self.document.before:
            self.profile = profile
        kernel = next((one for one in profile.kernels if one.name == self.document.kernel), None)
        if kernel is None:
            return [(False, f"{self.document.kernel} is not launched")]
        return [counters_agree(side, kernel, profile.origin == "simulated")]


def _compared(recorded: Mapping[str, str], step: Step) -> Iterator[VerifiedClaim]:
    try:
        results = step()
    except Interrupted:  # no claim that could not be run: nothing more is to be run
        raise
    except (RocmPerfError, Refused) as error:
        yield from _not_run(recorded, _why(error))
        return
    for (claim, said), (same, found) in zip(recorded.items(), results, strict=True):
        result: ClaimResult = "confirmed" if same else "differs"
        yield VerifiedClaim(claim=claim, result=result, recorded=said, found=found)


def _not_run(recorded: Mapping[str, str], why: str) -> Iterator[VerifiedClaim]:
    for claim, said in recorded.items():
        yield VerifiedClaim(claim=claim, result="not re-run", recorded=said, found=why)


def _why(error: Exception) -> str:
    return str(error.refusal) if isinstance(error, Refused) else str(error)


def _setting() -> Setting:
    return describe_setting((), find_prefix(), os.environ, None, datetime.now(timezone.utc))


def _document(
    bundle: ReadBundle, claims: tuple[VerifiedClaim, ...], profile: ProfileDocument | None
) -> VerificationDocument:
    results = {claim.result for claim in claims}
    verdict: ClaimResult = (
        "differs" if "differs" in results else "not re-run" if "not re-run" in results else "confirmed"
    )
    document = bundle.document
    setting = profile.setting if profile is not None else _setting()
    return VerificationDocument(
        origin="derived",
        bundle=str(bundle.file),
        sha256=bundle.sha256,
        source=document.source,
        kernel=document.kernel,
        proposal=document.proposal,
        verdict=verdict,
        claims=claims,
        recorded_in=document.environment,
        verified_in=environment_of(setting, profile.gpu if profile is not None else None),
    )
