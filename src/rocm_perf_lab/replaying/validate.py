"""``replay validate``: proves that replays of a capture mean something, then judges a variant by them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from rocm_perf_lab.contracts.captures.validation import ValidationDocument
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.replaying.memory.tolerance import ToleranceRequest
from rocm_perf_lab.replaying.native_tool.tool import Tool
from rocm_perf_lab.replaying.proof.capture_proof import open_bench, prove_capture
from rocm_perf_lab.replaying.variants.judge import judge


@dataclass(frozen=True)
class ValidationRequest:
    runs: int = 5
    tolerance: ToleranceRequest = field(default_factory=ToleranceRequest)
    hsaco: Path | None = None
    iterations: int = 10
    """Of the timing of a variant."""
    timeout_s: float | None = None


def validate(path: Path, request: ValidationRequest, tool: Tool, progress: Progress) -> ValidationDocument:
    with open_bench(path, tool, progress, request.timeout_s) as bench:
        proof = prove_capture(bench, request.runs, request.tolerance)
        if request.hsaco is None:
            return proof.document()
        poisoned, allowed = proof.poison.poisoned, proof.replayed.allowed
        return proof.document(
            *judge(bench, request.hsaco, request.runs, poisoned, allowed, request.iterations)
        )
