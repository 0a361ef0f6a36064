"""Dispatches of a baseline, captured and proved once, by which all its variants are judged."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rocm_perf_lab.capturing.request import CaptureRequest
from rocm_perf_lab.capturing.run_captured import capture
from rocm_perf_lab.contracts.captures.validation import ValidationDocument
from rocm_perf_lab.errors import Interrupted, NotReplayable, ProgramFailed, RocmPerfError, TimedOut
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.stages import Program
from rocm_perf_lab.profiling.passes.deep_analysis import exactly
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.replaying.memory.tolerance import ToleranceRequest
from rocm_perf_lab.replaying.native_tool.tool import find_tool
from rocm_perf_lab.replaying.proof.capture_proof import CaptureProof, open_bench, prove_capture
from rocm_perf_lab.replaying.proof.changed_states import ChangedStates, judge_in, make_changed_states
from rocm_perf_lab.replaying.variants.judge import judge

REPLAYS = 2  # of original and variant each; from the second on, workgroups start in another order


@dataclass
class ProvedCaptures:
    arguments: tuple[str, ...]
    """Of the program."""
    place: Callable[[str], Path]
    """A new folder of this name."""
    timeout_s: float | None
    progress: Progress
    _open: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _proofs: dict[tuple[str, str, int], CaptureProof | Refused] = field(default_factory=dict)
    _states: dict[Path, ChangedStates] = field(default_factory=dict)
    """By the capture that they were made of."""

    def proof(self, program: Program, kernel: str, dispatch: int) -> CaptureProof:
        """Raises Refused where variants cannot be judged by this dispatch: for each of them again."""
        key = (program.built.digest, kernel, dispatch)
        if key not in self._proofs:
            try:
                self._proofs[key] = self._prove(self._capture(program, kernel, dispatch))
            except Refused as problem:
                self._proofs[key] = problem
            finally:
                self.progress.done()
        found = self._proofs[key]
        if isinstance(found, Refused):
            raise found
        return found

    def judge(self, proof: CaptureProof, hsaco: Path) -> ValidationDocument:
        """Raises Refused where the variant does not give what the original gave."""
        poisoned, allowed = proof.poison.poisoned, proof.replayed.allowed
        try:
            report, trials = judge(proof.bench, hsaco, REPLAYS, poisoned, allowed, iterations=0)
        except NotReplayable as error:
            raise Refused("equivalence-unproven", error.cause) from error
        finally:
            self.progress.done()
        document = proof.document(report, trials)
        if document.verdict == "failed":
            raise Refused("outputs-differ", document.reason)
        return document

    def judge_elsewhere(self, proof: CaptureProof, hsaco: Path) -> ChangedStates:
        """The states other than the captured one in which the variant did what the original does. Raises
        Refused where it does not."""
        path = proof.bench.capture.path
        try:
            if path not in self._states:
                self._states[path] = make_changed_states(proof, self.place("states"), self._open)
            for state in self._states[path].used:
                wrong = judge_in(state, hsaco)
                if wrong is not None:
                    raise Refused("outputs-differ", wrong)
        finally:
            self.progress.done()
        return self._states[path]

    def close(self) -> None:
        self._open.close()

    def _capture(self, program: Program, kernel: str, dispatch: int) -> Path:
        folder = self.place("capture")
        command = (str(program.path), *self.arguments)
        try:
            capture_dispatch(command, kernel, dispatch, folder, self.timeout_s)
        except Interrupted:  # by the user, who wants no other trial either
            raise
        except RocmPerfError as error:
            raise Refused("equivalence-unproven", error.cause) from error
        return folder

    def _prove(self, folder: Path) -> CaptureProof:
        try:
            bench = self._open.enter_context(
                open_bench(folder, find_tool(), self.progress, self.timeout_s, folder.parent)
            )
            proof = prove_capture(bench, REPLAYS, ToleranceRequest())
        except (NotReplayable, ProgramFailed, TimedOut) as error:
            raise Refused("equivalence-unproven", error.cause) from error
        verdict, reason = proof.verdict
        if verdict != "passed":
            raise Refused("equivalence-unproven", reason)
        return proof


def capture_dispatch(
    command: tuple[str, ...], kernel: str, dispatch: int, folder: Path, timeout_s: float | None
) -> None:
    """One dispatch of the kernel of this name; the program runs to its end."""
    capture(
        CaptureRequest(command, kernel=exactly(kernel), dispatch=dispatch, out=folder, timeout=timeout_s),
        quiet=True,
    )
