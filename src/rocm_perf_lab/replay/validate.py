"""``replay validate``: proves that replays of a capture mean something, then judges a variant by them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rocm_perf_lab.capture.folder import Capture, open_capture
from rocm_perf_lab.contracts.replay import Canaries
from rocm_perf_lab.contracts.validation import (
    NegativeControl,
    SelfReplay,
    ValidationDocument,
    VariantReport,
    Verdict,
)
from rocm_perf_lab.errors import NotReplayable
from rocm_perf_lab.profile.progress import Progress
from rocm_perf_lab.replay import native_document
from rocm_perf_lab.replay.buffers import names_of
from rocm_perf_lab.replay.captured_buffers import captured_buffers
from rocm_perf_lab.replay.memory_state import CapturedMemory
from rocm_perf_lab.replay.negative_control import control
from rocm_perf_lab.replay.poison_search import find_poison
from rocm_perf_lab.replay.self_replay import prove
from rocm_perf_lab.replay.tolerance import Wish
from rocm_perf_lab.replay.tool import Tool
from rocm_perf_lab.replay.trial import Bench, Trial
from rocm_perf_lab.replay.variant import judge


@dataclass(frozen=True)
class Request:
    runs: int = 5
    wish: Wish = field(default_factory=Wish)
    hsaco: Path | None = None
    iterations: int = 10
    """Of the timing of a variant."""
    timeout_s: float | None = None


def validate(path: Path, request: Request, tool: Tool, progress: Progress) -> ValidationDocument:
    capture = open_capture(path)
    refuse_incomplete(capture)
    with (
        tempfile.TemporaryDirectory(prefix="rocm-perf-validate-") as scratch,
        CapturedMemory(capture) as memory,
    ):
        bench = Bench(
            capture,
            memory,
            captured_buffers(capture),
            tool,
            Path(scratch),
            progress,
            request.timeout_s,
        )
        return _validate(bench, request)


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


def _validate(bench: Bench, request: Request) -> ValidationDocument:
    known = dict.fromkeys(
        name for buffer in bench.buffers for name in (*names_of(buffer), buffer.layout.name)
    )
    request.wish.check([name for name in known if " region " not in name])
    proof = prove(bench, request.runs, request.wish)
    slowest = max(float(trial.document.get("wall_seconds") or 0.0) for trial in proof.trials)
    poison = find_poison(bench, proof.allowed, slowest)
    nothing = control(bench, poison.poisoned, proof.allowed)
    variant: VariantReport | None = None
    trials: list[Trial] = list(proof.trials)
    missing: dict[str, str] = {}
    if request.hsaco is not None:
        variant, further = judge(
            bench, request.hsaco, request.runs, poison.poisoned, proof.allowed, request.iterations
        )
        trials += further
    else:
        missing["variant"] = "no --hsaco was given"
    damage = _canaries(trials)
    if damage is None:
        missing["canaries"] = "the regions leave no room for canaries"
    verdict, reason = _verdict(proof.report, nothing, damage, variant)
    kernel = bench.capture.dispatch.kernel
    environment = native_document.section(trials[0].document, "environment")
    gpu = environment.get("product") or environment.get("gpu_agent")
    if gpu is None:
        missing["gpu"] = "the runtime does not name it"
    said = [note for trial in trials for note in native_document.notes(trial.document)]
    return ValidationDocument(
        origin="derived",
        missing=missing,
        capture=str(bench.capture.path),
        kernel=kernel.demangled,
        gpu=gpu,
        verdict=verdict,
        reason=reason,
        self_replay=proof.report,
        poison=poison.report,
        negative_control=nothing,
        canaries=damage,
        variant=variant,
        notes=tuple(dict.fromkeys(said)),
    )


def _canaries(trials: Sequence[Trial]) -> Canaries | None:
    found = [one for trial in trials if (one := native_document.canaries(trial.document)) is not None]
    if not found:
        return None
    return Canaries(
        checked_bytes=max(one.checked_bytes for one in found),
        damaged=tuple(dict.fromkeys(damage for one in found for damage in one.damaged)),
    )


def _verdict(
    proof: SelfReplay, nothing: NegativeControl, damage: Canaries | None, variant: VariantReport | None
) -> tuple[Verdict, str]:
    if not proof.passed:
        racy = proof.label == "racy" and "not with the capture" not in proof.reason
        return ("void" if racy else "failed"), f"self-replay: {proof.reason}"
    if damage is not None and damage.damaged:
        return "failed", f"memory behind a region was written to: {damage.damaged[0]}"
    if not nothing.found_out:
        return "void", f"negative control: {nothing.reason}"
    if variant is None:
        return "passed", proof.reason
    if not variant.passed:
        return "failed", f"variant: {variant.reason}"
    return "passed", f"variant: {variant.reason}"
