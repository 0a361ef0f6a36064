"""The loop's stages with the application itself: rocprofv3, the checkers, replays of a captured dispatch."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import TypeVar

from rocm_perf_lab.capture.request import CaptureRequest
from rocm_perf_lab.capture.run import capture
from rocm_perf_lab.check.request import CheckRequest
from rocm_perf_lab.check.run import check
from rocm_perf_lab.contracts.att import AttDocument
from rocm_perf_lab.contracts.check import CheckDocument
from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.kernel import KernelProfile
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.contracts.validation import ValidationDocument
from rocm_perf_lab.cxx_names import demangle
from rocm_perf_lab.errors import (
    EnvironmentProblem,
    NoKernels,
    NotReplayable,
    ProgramFailed,
    RocmPerfError,
    TimedOut,
)
from rocm_perf_lab.optimize.build import BuildPlan, build_repeatably
from rocm_perf_lab.optimize.built import code_object_of, read_built
from rocm_perf_lab.optimize.choose import block_sizes
from rocm_perf_lab.optimize.refused import Refused
from rocm_perf_lab.optimize.stages import Equality, Findings, Program, Times
from rocm_perf_lab.optimize.transforms.request import Evidence
from rocm_perf_lab.profile.measure import measure
from rocm_perf_lab.profile.profiled import Profiled
from rocm_perf_lab.profile.progress import Progress
from rocm_perf_lab.profile.request import Request
from rocm_perf_lab.profile.run_folder import TIMING
from rocm_perf_lab.replay.tool import find_tool
from rocm_perf_lab.replay.validate import Request as ValidationRequest
from rocm_perf_lab.replay.validate import validate
from rocm_perf_lab.rocpd.read import find_databases, read_trace
from rocm_perf_lab.units import ms

_Result = TypeVar("_Result")

REPLAYS = 2  # of original and variant each; a simulated one repeats


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
    progress: Progress = field(default_factory=Progress)
    origin: Origin | None = None
    """Where times come from; known from the first profile on."""
    _count: int = 0
    _times: dict[str, Times] = field(default_factory=dict)
    _captures: dict[tuple[str, str, int], Path] = field(default_factory=dict)
    _defects: dict[str, set[str] | str] = field(default_factory=dict)
    """Of a program's own; or why it cannot be checked."""

    def build(self, text: bytes, name: str) -> Program:
        path = build_repeatably(self.plan, text, self._place(name))
        return Program(path, read_built(path))

    def profile(self, program: Program) -> Findings:
        found = self._measure(program, "profile", counters=self.deep, deep=self.deep)
        self.origin = _origin(found)
        att = found.folder / "att.json"
        document = from_json(AttDocument, att.read_bytes(), str(att)) if att.is_file() else None
        return Findings(found.profile, found.analysis, document, found.folder)

    def evidence(self, program: Program, kernel: KernelProfile) -> Evidence:
        """Workgroup sizes of the profile. Whether pointers are distinct, one launch would not show."""
        return Evidence(block_sizes=block_sizes(kernel))

    def check(self, baseline: Program, variant: Program) -> str:
        digest = baseline.built.digest
        if digest not in self._defects:
            try:
                self._defects[digest] = _defects(self._checked(baseline))
            except EnvironmentProblem as error:
                self._defects[digest] = error.cause
        known = self._defects[digest]
        if isinstance(known, str):
            return f"not checked: {known}"
        found = self._refusing(lambda: self._checked(variant))
        new = _defects(found) - known
        if new:
            raise Refused("defects-found", "; ".join(sorted(new)[:3]))
        return f"{', '.join(found.classes)}: nothing new"

    def compare(self, baseline: Program, variant: Program, kernel: KernelProfile) -> Equality:
        """By replays of the kernel's first dispatch, and of its last where it is launched more than once."""
        symbol, architecture = self._symbol(baseline, kernel)
        hsaco = variant.path.with_suffix(".hsaco")
        hsaco.write_bytes(code_object_of(variant.path, symbol, architecture))
        found = {
            dispatch: self._validated(self._captured(baseline, kernel, dispatch), hsaco)
            for dispatch in sorted({0, max(0, kernel.launches - 1)})
        }
        return Equality(
            "; ".join(f"dispatch {dispatch}: {one.reason}" for dispatch, one in found.items()),
            {
                f"dispatch {dispatch}": {
                    "capture": one.capture,
                    "negative_control": one.negative_control.reason,
                }
                for dispatch, one in found.items()
            },
        )

    def _validated(self, folder: Path, hsaco: Path) -> ValidationDocument:
        request = ValidationRequest(runs=REPLAYS, hsaco=hsaco, iterations=0, timeout_s=self.timeout_s)
        try:
            found = validate(folder, request, find_tool(), self.progress)
        except NotReplayable as error:
            raise Refused("equivalence-unproven", error.cause) from error
        except (ProgramFailed, TimedOut) as error:
            raise Refused("run-failed", error.cause) from error
        finally:
            self.progress.done()
        if found.verdict == "void":
            raise Refused("equivalence-unproven", found.reason)
        if found.verdict == "failed":
            raise Refused("outputs-differ", found.reason)
        return found

    def time(self, program: Program) -> Times:
        """A simulated run repeats exactly: once for each program is enough."""
        known = self._times.get(program.built.digest)
        if known is None:
            known = self._timed(program)
            if known.origin == "simulated":
                self._times[program.built.digest] = known
        return known

    def _timed(self, program: Program) -> Times:
        found = self._refusing(lambda: self._measure(program, "time"))
        trace = read_trace(find_databases(found.folder / TIMING / "run-1"))
        assert trace.begin_ns is not None  # a profile without dispatches is an error
        assert trace.end_ns is not None
        return Times(
            kernels_ms={kernel.name: kernel.total_ms for kernel in found.profile.kernels},
            whole_ms=ms(trace.end_ns - trace.begin_ns),
            origin=_origin(found),
        )

    def traffic(self, program: Program, kernel: KernelProfile) -> float | None:
        found = self._refusing(lambda: self._measure(program, "traffic", counters=True))
        for one in found.profile.kernels:
            if one.name == kernel.name and one.roofline is not None:
                return one.roofline.bytes
        return None

    def _measure(
        self, program: Program, name: str, *, counters: bool = False, deep: bool = False
    ) -> Profiled:
        request = Request(
            command=(str(program.path), *self.arguments),
            runs=1,
            counters=counters,
            focus_critical=deep,
            deep_analysis=deep,
            out=self._place(name),
            timeout_s=self.timeout_s,
            quiet=not counters and not deep,
        )
        return measure(request, datetime.now(timezone.utc), self.progress)

    def _checked(self, program: Program) -> CheckDocument:
        return check(
            CheckRequest(
                command=(str(program.path), *self.arguments),
                timeout_s=self.timeout_s,
                program_output_to_stderr=True,
            )
        )

    def _captured(self, program: Program, kernel: KernelProfile, dispatch: int) -> Path:
        """A dispatch of the kernel in the baseline, captured once."""
        key = (program.built.digest, kernel.name, dispatch)
        if key not in self._captures:
            folder = self._place("capture")
            try:
                capture(
                    CaptureRequest(
                        command=(str(program.path), *self.arguments),
                        kernel=f"^{re.escape(kernel.name)}$",
                        dispatch=dispatch,
                        out=folder,
                        stop=False,
                        timeout_s=self.timeout_s,
                        program_output_to_stderr=True,
                    )
                )
            except RocmPerfError as error:
                raise Refused("equivalence-unproven", error.cause) from error
            self._captures[key] = folder
        return self._captures[key]

    def _symbol(self, program: Program, kernel: KernelProfile) -> tuple[str, str]:
        for architecture, symbol in program.built.kernels:
            if kernel.name in (symbol, demangle(symbol)):
                return symbol, architecture
        raise Refused("kernel-not-built", kernel.name)

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
