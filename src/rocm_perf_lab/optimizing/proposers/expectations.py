"""What a change may bring, for ordering proposals before anything is measured.

expected gain = weight of the transform for the kernel's label · share of the kernel's time in the loop ·
share of that which the change can save. The weights are those of the labels (``analysis.bottleneck.labels``).
"""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.analysis.bottleneck import RULES, UNKNOWN
from rocm_perf_lab.contracts.profiling.att import AttAnalysis
from rocm_perf_lab.optimizing.proposers.interface import Situation
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.constants import evaluate
from rocm_perf_lab.optimizing.source.counted import counted
from rocm_perf_lab.optimizing.source.model import SourceKernel, SourceLoop

_OTHERWISE = 0.02
# The compiler unrolls short inner loops of constant length by itself.
_ALREADY_UNROLLED_TRIPS = 32
_ALREADY_UNROLLED = 0.3
_REMAINDER = 0.8  # a factor that does not divide the trip count leaves a remainder
_REGISTERS = 0.04  # of each copy beyond four: longer bodies take more registers
_UNEVEN = 0.9  # trip counts are mostly multiples of powers of two
_REWRITTEN = 0.9  # the compiler knows more about a loop that it unrolls itself
# It computes no trip count for a step that is a variable: its copies keep a test each, and loads stay apart.
_UNCOUNTED = 0.4
_OUTER = 0.6  # without a trace: what an outer loop has compared with its inner ones


def weight(situation: Situation, transform: str) -> float:
    rule = RULES[situation.analysis.bottleneck.label] if situation.analysis else UNKNOWN
    kind = "unroll" if transform.startswith("unroll") else transform
    return rule.helped_by.get(kind, _OTHERWISE)


def loop_share(situation: Situation, loop: SourceLoop) -> tuple[float, str]:
    """The share of the kernel's time in a loop, and where that is from."""
    if situation.att is not None:
        traced = traced_share(situation.att, situation.kernel, loop.line, loop.last_line)
        if traced is not None:
            return traced, f"the trace has {traced:.0%} of the cost in lines {loop.line} to {loop.last_line}"
    innermost = [each for each in situation.kernel.loops if not _has_inner(situation.kernel, each)]
    share = 1 / len(innermost) if loop in innermost else _OUTER / len(innermost)
    return share, "no trace: inner loops alike"


def traced_share(att: AttAnalysis, kernel: SourceKernel, first: int, last: int) -> float | None:
    """Of the cost of all instructions, that of these lines; None where the trace has no lines of the file."""
    name = Path(kernel.file.path).name
    found = None
    for line in att.source_lines:
        path, _, number = line.source.rpartition(":")
        if Path(path).name == name and number.isdigit():
            found = (found or 0.0) + (line.cost_share if first <= int(number) <= last else 0.0)
    return found


def saved_by_unrolling(kernel: SourceKernel, loop: SourceLoop, factor: int, *, rewritten: bool) -> float:
    """Of a loop's time that could be saved: what is per iteration becomes per ``factor`` iterations."""
    saved = (1 - 1 / factor) * (1 if factor in (2, 4, 8) else _UNEVEN)
    saved *= 1 - _REGISTERS * max(0, factor - 4)
    if loop.trips is not None:
        if loop.trips % factor:
            saved *= _REMAINDER
        if loop.trips <= _ALREADY_UNROLLED_TRIPS and not _has_inner(kernel, loop):
            saved *= _ALREADY_UNROLLED
    if _steps_by_constant(kernel, loop):
        return saved * (_REWRITTEN if rewritten else 1)
    return saved * (1 if rewritten else _UNCOUNTED)


def at_most(situation: Situation) -> float:
    """The share of its time that the kernel's nearest ceiling would leave to gain."""
    room = situation.analysis.headroom if situation.analysis else None
    if room is None or room.time_ms <= 0:
        return 1.0
    return max(0.0, min(1.0, room.gain_ms / room.time_ms))


def _steps_by_constant(kernel: SourceKernel, loop: SourceLoop) -> bool:
    try:
        step = counted(loop.node).step
    except Refused:
        return True  # rewriting is not possible anyway
    return step is None or evaluate(step, kernel.unit.constants) is not None


def _has_inner(kernel: SourceKernel, loop: SourceLoop) -> bool:
    return any(other.parent == loop.number for other in kernel.loops)
