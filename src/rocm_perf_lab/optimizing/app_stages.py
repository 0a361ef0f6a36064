"""The loop's stages with the application itself: rocprofv3, the checkers, replays of a captured dispatch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Literal, TypeVar

from rocm_perf_lab.checking.request import CheckRequest
from rocm_perf_lab.checking.run_checked import check
from rocm_perf_lab.contracts.check import CheckDocument
from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.profiling.att import AttDocument
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.errors import (
    EnvironmentProblem,
    NoKernels,
    ProgramFailed,
    TimedOut,
)
from rocm_perf_lab.optimizing.building.build import BuildPlan, build_repeatably
from rocm_perf_lab.optimizing.building.built import code_object_of, read_built, symbol_of
from rocm_perf_lab.optimizing.choose import block_sizes
from rocm_perf_lab.optimizing.chosen_dispatches import Choice, choose_dispatches
from rocm_perf_lab.optimizing.distinct_pointers import distinct_pointers
from rocm_perf_lab.optimizing.program_output import OutputRequest, ProgramOutput, output_of
from rocm_perf_lab.optimizing.proved_captures import ProvedCaptures
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.replay_times import replays_of
from rocm_perf_lab.optimizing.stages import Equality, ProfileFindings, Program, Replays, RunTimes
from rocm_perf_lab.optimizing.transforms.request import NEED_DISTINCT_POINTERS, LaunchEvidence
from rocm_perf_lab.profiling.folder.run_folder import TIMING
from rocm_perf_lab.profiling.measure import measure
from rocm_perf_lab.profiling.profiled import Profiled
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.profiling.request import ProfileRequest
from rocm_perf_lab.rocpd.process_span import process_span_ns
from rocm_perf_lab.rocpd.read import find_databases, read_trace
from rocm_perf_lab.units import ms

_Result = TypeVar("_Result")
Via = Literal["app", "replay"]


@dataclass
class AppStages:
    plan: BuildPlan
    arguments: tuple[str, ...]
    """Of the program; the same for baseline and variants."""
    work: Path
    """A folder for all that is made on the way."""
    deep: bool = True
    """Counters and thread traces for the profile of a baseline."""
    timeout_s: float | None = None
    via: Via = "app"
    """How variants are timed first; what wins by replays is timed in the application, too."""
    allowed: frozenset[str] = frozenset()
    """Transforms that --allow names."""
    unchecked: bool = False
    """Programs on which the checkers cannot run are optimized all the same."""
    output: OutputRequest = field(default_factory=OutputRequest)
    """What the program prints and writes that has to stay the same."""
    progress: Progress = field(default_factory=Progress)
    origin: Origin | None = None
    """Where times come from; known from the first profile on."""
    _count: int = 0
    _times: dict[str, RunTimes] = field(default_factory=dict)
    _traced: dict[str, Sequence[Path]] = field(default_factory=dict)
    """Databases of the profile of a program."""
    _outputs: dict[str, ProgramOutput] = field(default_factory=dict)
    _choices: dict[tuple[str, str], Choice] = field(default_factory=dict)
    _replays: dict[tuple[str, str], Replays | str] = field(default_factory=dict)
    _replay_ms: dict[tuple[str, str], float] = field(default_factory=dict)
    _counted: dict[str, ProfileDocument] = field(default_factory=dict)
    _defects: dict[str, set[str] | str] = field(default_factory=dict)
    """Of a program's own; or why it cannot be checked."""

    def __post_init__(self) -> None:
        self._captures = ProvedCaptures(self.arguments, self._place, self.timeout_s, self.progress)

    def close(self) -> None:
        """What was kept for further variants."""
        self._captures.close()

    def build(self, text: bytes, name: str) -> Program:
        path = build_repeatably(self.plan, text, self._place(name))
        return Program(path, read_built(path))

    def profile(self, program: Program) -> ProfileFindings:
        found = self._measure(program, "profile", counters=self.deep, deep=self.deep)
        self.origin = _origin(found)
        self._traced[program.built.digest] = find_databases(found.folder / TIMING / "run-1")
        att = found.folder / "att.json"
        document = from_json(AttDocument, att.read_bytes(), str(att)) if att.is_file() else None
        return ProfileFindings(found.profile, found.analysis, document, found.folder)

    def evidence(self, program: Program, kernel: KernelProfile) -> LaunchEvidence:
        """Workgroup sizes of the profile; where a transform needs it, pointers in all launches of a run."""
        distinct = None
        if self.allowed & NEED_DISTINCT_POINTERS:
            distinct = distinct_pointers(
                program.path,
                program.built,
                self.arguments,
                kernel.name,
                self._place("pointers"),
                self.timeout_s,
            )
        return LaunchEvidence(distinct_pointers=distinct, block_sizes=block_sizes(kernel))

    def check(self, baseline: Program, variant: Program) -> str:
        digest = baseline.built.digest
        if digest not in self._defects:
            try:
                self._defects[digest] = _defects(self._checked(baseline))
            except (EnvironmentProblem, ProgramFailed, TimedOut) as error:
                self._defects[digest] = error.cause
        known = self._defects[digest]
        if isinstance(known, str):
            if not self.unchecked:
                raise Refused("not-checked", f"{known}; --unchecked accepts changes all the same")
            return f"not checked: {known}"
        found = self._refusing(lambda: self._checked(variant))
        new = _defects(found) - known
        if new:
            raise Refused("defects-found", "; ".join(sorted(new)[:3]))
        return f"{', '.join(found.classes)}: nothing new"

    def compare(self, baseline: Program, variant: Program, kernel: KernelProfile) -> Equality:
        """By replays of some of the kernel's dispatches: see ``chosen_dispatches``."""
        hsaco = self._code_object(variant, kernel)
        choice = self._choice(baseline, kernel)
        said: list[str] = []
        details: dict[str, object] = {"launch_geometries_left_out": choice.shapes_left_out}
        for one in choice.dispatches:
            try:
                proof = self._captures.proof(baseline, kernel.name, one.index)
                found = self._captures.judge(proof, hsaco)
                states = self._captures.judge_elsewhere(proof, hsaco)
            except Refused as problem:
                refusal = problem.refusal
                raise Refused(refusal.code, f"dispatch {one.index}: {refusal.detail}") from problem
            elsewhere = "".join(f"; as the original with {state.name}" for state in states.used)
            said.append(f"dispatch {one.index}: {found.reason}{elsewhere}")
            details[f"dispatch {one.index}"] = found
            details[f"other states of dispatch {one.index}"] = {
                "used": [state.name for state in states.used],
                "not_used": states.unused,
            }
        if self.output:
            said.append(self.same_output(baseline, variant))
        return Equality("; ".join(said), details)

    def same_output(self, baseline: Program, variant: Program) -> str:
        """Raises Refused: output-differs; equivalence-unproven where that of the baseline does not repeat."""
        digest = baseline.built.digest
        if digest not in self._outputs:
            first, again = (self._output(baseline) for _ in range(2))
            problem = first.difference_to(again)
            if problem is not None:
                raise Refused("equivalence-unproven", f"run again without any change, {problem}")
            self._outputs[digest] = first
        problem = self._outputs[digest].difference_to(self._output(variant))
        if problem is not None:
            raise Refused("output-differs", problem)
        return f"the program's output is the same: {self._outputs[digest]}"

    def _output(self, program: Program) -> ProgramOutput:
        command = (str(program.path), *self.arguments)
        return self._refusing(lambda: output_of(command, self.output, self.timeout_s))

    def replays(self, baseline: Program, kernel: KernelProfile) -> Replays | str | None:
        if self.via == "app":
            return None
        key = (baseline.built.digest, kernel.name)
        if key not in self._replays:
            choice = self._choice(baseline, kernel)
            proofs = [
                (one.index, one.launches, self._captures.proof(baseline, kernel.name, one.index))
                for one in choice.dispatches
                if one.launches
            ]
            self._replays[key] = replays_of(
                proofs,
                choice.shapes_left_out,
                lambda program: None if program == baseline else self._code_object(program, kernel),
            )
            self.progress.done()
        known = self._replays[key]
        if isinstance(known, str) or known.origin != "simulated":
            return known
        return replace(known, sample=lambda program: self._replayed(known, program, kernel))

    def _replayed(self, replays: Replays, program: Program, kernel: KernelProfile) -> float:
        """A simulated replay repeats exactly: once for each program is enough."""
        key = (program.built.digest, kernel.name)
        if key not in self._replay_ms:
            self._replay_ms[key] = replays.sample(program)
            self.progress.done()
        return self._replay_ms[key]

    def _choice(self, program: Program, kernel: KernelProfile) -> Choice:
        key = (program.built.digest, kernel.name)
        if key not in self._choices:
            traced = self._traced.get(program.built.digest, [])
            self._choices[key] = choose_dispatches(kernel.name, traced, kernel.launches)
        return self._choices[key]

    def time(self, program: Program) -> RunTimes:
        """A simulated run repeats exactly: once for each program is enough."""
        known = self._times.get(program.built.digest)
        if known is None:
            known = self._timed(program)
            if known.origin == "simulated":
                self._times[program.built.digest] = known
        return known

    def _timed(self, program: Program) -> RunTimes:
        found = self._refusing(lambda: self._measure(program, "time"))
        databases = find_databases(found.folder / TIMING / "run-1")
        trace, lived_ns = read_trace(databases), process_span_ns(databases)
        assert trace.begin_ns is not None  # a profile without dispatches is an error
        assert trace.end_ns is not None
        return RunTimes(
            kernels_ms={kernel.name: kernel.total_ms for kernel in found.profile.kernels},
            whole_ms=ms(trace.end_ns - trace.begin_ns),
            origin=_origin(found),
            process_ms=None if lived_ns is None else ms(lived_ns),
        )

    def traffic(self, program: Program, kernel: KernelProfile) -> float | None:
        for one in self.counters(program).kernels:
            if one.name == kernel.name and one.roofline is not None:
                return one.roofline.bytes
        return None

    def counters(self, program: Program) -> ProfileDocument:
        """Counted once for each program."""
        digest = program.built.digest
        if digest not in self._counted:
            found = self._refusing(lambda: self._measure(program, "counters", counters=True))
            self._counted[digest] = found.profile
        return self._counted[digest]

    def _measure(
        self, program: Program, name: str, *, counters: bool = False, deep: bool = False
    ) -> Profiled:
        request = ProfileRequest(
            (str(program.path), *self.arguments),
            runs=1,
            roofline=counters,
            focus_critical=deep,
            deep_analysis=deep,
            out=self._place(name),
            timeout=self.timeout_s,
            quiet=not counters and not deep,
        )
        return measure(request, datetime.now(timezone.utc), self.progress)

    def _checked(self, program: Program) -> CheckDocument:
        command = (str(program.path), *self.arguments)
        return check(CheckRequest(command, timeout=self.timeout_s), quiet=True)

    def _code_object(self, program: Program, kernel: KernelProfile) -> Path:
        """The one with the kernel, by itself in a file."""
        symbol, architecture = self._symbol(program, kernel)
        file = program.path.with_suffix(".hsaco")
        file.write_bytes(code_object_of(program.path, symbol, architecture))
        return file

    def _symbol(self, program: Program, kernel: KernelProfile) -> tuple[str, str]:
        found = symbol_of(program.built, kernel.name)
        if found is None:
            raise Refused("kernel-not-built", kernel.name)
        return found

    def _refusing(self, step: Callable[[], _Result]) -> _Result:
        """A variant that fails is refused; that ends its trial, not the loop."""
        try:
            return step()
        except (ProgramFailed, TimedOut, NoKernels) as error:
            raise Refused("run-failed", error.cause) from error

    def _place(self, name: str) -> Path:
        self._count += 1
        return self.work / f"{self._count:04}-{name}"


def _origin(found: Profiled) -> Origin:
    return "simulated" if found.profile.origin == "simulated" else "measured"


def _defects(document: CheckDocument) -> set[str]:
    return {f"{defect.defect} in {defect.kernel}" for defect in document.defects if not defect.suppressed_by}
