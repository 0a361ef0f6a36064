"""What a bundle claims, and what was found when it was run again: whether they agree, and both in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rocm_perf_lab.analysis.gate_regressions import DEFAULT_LIMITS
from rocm_perf_lab.contracts.captures.validation import ValidationDocument
from rocm_perf_lab.contracts.changes.change_bundle import BundledSide
from rocm_perf_lab.contracts.changes.optimization import TimeChange
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile

_SAME = 1e-9  # of ratios that repeat exactly: what writing them as decimals may change

Found = tuple[bool, str]
"""Whether it is as recorded, and what it is."""


def time_in_words(time: TimeChange) -> str:
    ratio = "no ratio" if time.ratio is None else f"ratio {time.ratio:.4f}"
    if time.exact:
        return f"{ratio}, repeats exactly: {time.verdict}"
    if time.ratio_low is None or time.ratio_high is None:
        return f"{ratio}: {time.verdict}"
    return f"{ratio} ({time.ratio_low:.4f} … {time.ratio_high:.4f}): {time.verdict}"


def times_agree(recorded: TimeChange, found: TimeChange) -> Found:
    """The same verdict, and intervals that have something in common."""
    said = time_in_words(found)
    if recorded.origin != found.origin:
        return False, f"{said}; {found.origin}, not {recorded.origin}"
    return found.verdict == recorded.verdict and _overlap(recorded, found), said


def not_slower(recorded: TimeChange, found: TimeChange) -> Found:
    """Of processes: what is not the GPU's may scatter more than any change saves; it must not be slower."""
    if recorded.origin != found.origin:
        return False, f"{time_in_words(found)}; {found.origin}, not {recorded.origin}"
    return found.verdict != "loss", time_in_words(found)


def _overlap(one: TimeChange, other: TimeChange) -> bool:
    if one.ratio_low is None or one.ratio_high is None or other.ratio_low is None or other.ratio_high is None:
        return False
    slack = _SAME * one.ratio_high
    return one.ratio_low <= other.ratio_high + slack and other.ratio_low <= one.ratio_high + slack


def counters_in_words(side: BundledSide) -> str:
    traffic = (
        "traffic not counted" if side.traffic_bytes is None else f"{side.traffic_bytes:.0f} bytes of traffic"
    )
    return f"{len(side.counters)} counters, {traffic}"


def counters_agree(side: BundledSide, kernel: KernelProfile, simulated: bool) -> Found:
    """The simulator counts the same every time; on hardware traffic has to be within the gate's threshold."""
    if kernel.resources != side.resources:
        return False, "registers, LDS, scratch or size of the code differ"
    counters = kernel.roofline.counters if kernel.roofline else {}
    traffic = kernel.roofline.bytes if kernel.roofline else None
    if simulated and side.origin == "simulated":
        other = sorted(
            name for name in {*counters, *side.counters} if counters.get(name) != side.counters.get(name)
        )
        if other:
            first = other[0]
            return False, f"{len(other)} differ: {first} {side.counters.get(first)} -> {counters.get(first)}"
        return True, f"all {len(counters)} are the same"
    if traffic is None or side.traffic_bytes is None:
        return traffic is side.traffic_bytes, "traffic is counted on one side only"
    off = abs(traffic - side.traffic_bytes) / max(side.traffic_bytes, 1.0)
    return off <= DEFAULT_LIMITS.traffic_growth, f"{traffic:.0f} bytes of traffic"


def replays_in_words(proof: ValidationDocument, other_states: Sequence[str]) -> dict[str, str]:
    return {
        "self-replay": proof.self_replay.reason,
        "negative control": proof.negative_control.reason,
        "results": proof.variant.reason if proof.variant is not None else "not compared",
        "other states": "; ".join(other_states) or "none could be used",
    }


@dataclass(frozen=True)
class Replayed:
    """A dispatch that was replayed again."""

    proof: ValidationDocument
    other_states: tuple[str, ...]
    wrong: str | None
    """What the variant does otherwise than the original in one of these."""


def replays_agree(recorded: ValidationDocument, other_states: Sequence[str], here: Replayed) -> list[Found]:
    """In the order of ``replays_in_words``."""
    found = here.proof
    one, other = recorded.self_replay, found.self_replay
    before, after = recorded.variant, found.variant
    same = (
        (one.passed, one.label) == (other.passed, other.label),
        recorded.negative_control.found_out == found.negative_control.found_out,
        before is not None
        and after is not None
        and (before.passed, before.byte_equal == before.runs)
        == (after.passed, after.byte_equal == after.runs),
    )
    *words, used = replays_in_words(found, here.other_states).values()
    missing = [name for name in other_states if name not in here.other_states]
    if here.wrong is not None:
        states = (False, here.wrong)
    elif missing:
        states = (False, f"{missing[0]} cannot be used here")
    else:
        states = (True, used)
    return [*zip(same, words, strict=True), states]
