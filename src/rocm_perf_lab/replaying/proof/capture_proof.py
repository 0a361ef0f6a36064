"""The proof that replays of a capture mean something; made once, it serves for every variant."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.capturing.folder import Capture, open_capture
from rocm_perf_lab.contracts.captures.replay import Canaries
from rocm_perf_lab.contracts.captures.validation import (
    NegativeControl,
    ValidationDocument,
    VariantReport,
    Verdict,
)
from rocm_perf_lab.errors import NotReplayable
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.replaying.memory.buffers import names_of
from rocm_perf_lab.replaying.memory.captured_buffers import captured_buffers
from rocm_perf_lab.replaying.memory.memory_state import CapturedMemory
from rocm_perf_lab.replaying.memory.tolerance import ToleranceRequest
from rocm_perf_lab.replaying.native_tool import document as native_document
from rocm_perf_lab.replaying.native_tool.tool import Tool
from rocm_perf_lab.replaying.native_tool.trial import ReplayBench, ReplayTrial
from rocm_perf_lab.replaying.proof.negative_control import control
from rocm_perf_lab.replaying.proof.poison_search import FoundPoison, find_poison
from rocm_perf_lab.replaying.proof.self_replay import SelfReplayed, prove

NO_VARIANT = "no --hsaco was given"


@dataclass(frozen=True)
class CaptureProof:
    """What was found of a capture before any variant is looked at."""

    bench: ReplayBench
    replayed: SelfReplayed
    poison: FoundPoison
    nothing: NegativeControl

    @property
    def verdict(self) -> tuple[Verdict, str]:
        """Whether variants may be judged by this capture, and why."""
        return _verdict(self, canaries_of(self.replayed.trials), None)

    @property
    def slowest_s(self) -> float:
        """Of the original's replays, in seconds of the clock on the wall."""
        return _slowest(self.replayed)

    def document(
        self,
        variant: VariantReport | None = None,
        trials: Sequence[ReplayTrial] = (),
        why_no_variant: str = NO_VARIANT,
    ) -> ValidationDocument:
        """With a variant that was judged by it, and that variant's trials."""
        every = [*self.replayed.trials, *trials]
        missing: dict[str, str] = {} if variant is not None else {"variant": why_no_variant}
        damage = canaries_of(every)
        if damage is None:
            missing["canaries"] = "the regions leave no room for canaries"
        environment = native_document.section(every[0].document, "environment")
        gpu = environment.get("product") or environment.get("gpu_agent")
        if gpu is None:
            missing["gpu"] = "the runtime does not name it"
        verdict, reason = _verdict(self, damage, variant)
        said = [note for trial in every for note in native_document.notes(trial.document)]
        return ValidationDocument(
            origin="derived",
            missing=missing,
            capture=str(self.bench.capture.path),
            kernel=self.bench.capture.dispatch.kernel.demangled,
            gpu=gpu,
            verdict=verdict,
            reason=reason,
            self_replay=self.replayed.report,
            poison=self.poison.report,
            negative_control=self.nothing,
            canaries=damage,
            variant=variant,
            notes=tuple(dict.fromkeys(said)),
        )


@contextlib.contextmanager
def open_bench(
    path: Path, tool: Tool, progress: Progress, timeout_s: float | None, scratch_in: Path | None = None
) -> Iterator[ReplayBench]:
    """A capture opened for trials, with a scratch folder that is gone afterwards."""
    capture = open_capture(path)
    refuse_incomplete(capture)
    with (
        tempfile.TemporaryDirectory(prefix="rocm-perf-validate-", dir=scratch_in) as scratch,
        CapturedMemory(capture) as memory,
    ):
        yield ReplayBench(
            capture, memory, captured_buffers(capture), tool, Path(scratch), progress, timeout_s
        )


def prove_capture(bench: ReplayBench, runs: int, tolerance: ToleranceRequest) -> CaptureProof:
    """Self-replays, poison, negative control."""
    known = dict.fromkeys(
        name for buffer in bench.buffers for name in (*names_of(buffer), buffer.layout.name)
    )
    tolerance.check([name for name in known if " region " not in name])
    replayed = prove(bench, runs, tolerance)
    poison = find_poison(bench, replayed.allowed, _slowest(replayed))
    return CaptureProof(bench, replayed, poison, control(bench, poison.poisoned, replayed.allowed))


def refuse_incomplete(capture: Capture) -> None:
    refused = [item for item in capture.dispatch.verdict.items if item.outcome == "refused"]
    if not capture.dispatch.verdict.complete:
        named = "; ".join(
            f"{item.what} {item.name or ''}".strip() + (f" ({item.reason})" if item.reason else "")
            for item in refused[:3]
        )
        raise NotReplayable(
            f"{capture.path} is not complete: {named or 'its verdict says so'}",
            f"rocm-perf replay inspect {capture.path} lists what was captured and what was not",
        )


def canaries_of(trials: Sequence[ReplayTrial]) -> Canaries | None:
    found = [one for trial in trials if (one := native_document.canaries(trial.document)) is not None]
    if not found:
        return None
    return Canaries(
        checked_bytes=max(one.checked_bytes for one in found),
        damaged=tuple(dict.fromkeys(damage for one in found for damage in one.damaged)),
    )


def _slowest(replayed: SelfReplayed) -> float:
    return max(float(trial.document.get("wall_seconds") or 0.0) for trial in replayed.trials)


def _verdict(
    proof: CaptureProof, damage: Canaries | None, variant: VariantReport | None
) -> tuple[Verdict, str]:
    replayed = proof.replayed.report
    if not replayed.passed:
        racy = replayed.label == "racy" and "not with the capture" not in replayed.reason
        return ("void" if racy else "failed"), f"self-replay: {replayed.reason}"
    if damage is not None and damage.damaged:
        return "failed", f"memory behind a region was written to: {damage.damaged[0]}"
    if not proof.nothing.found_out:
        return "void", f"negative control: {proof.nothing.reason}"
    if variant is None:
        return "passed", replayed.reason
    if not variant.passed:
        return "failed", f"variant: {variant.reason}"
    return "passed", f"variant: {variant.reason}"
