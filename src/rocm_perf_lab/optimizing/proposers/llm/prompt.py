"""The prompt: what is known of a kernel and what is asked for, built from the analysis alone.

The same situation gives the same prompt. Nothing of the machine is in it but the GPU's name: no paths, no
names of users, no environment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocm_perf_lab.contracts.changes.proposal import Attempt
from rocm_perf_lab.contracts.changes.proposal_prompt import PromptDocument, PromptMessage
from rocm_perf_lab.contracts.changes.proposal_refusal import REASONS
from rocm_perf_lab.optimizing.guards.loop_region import check_loop
from rocm_perf_lab.optimizing.proposers.interface import Situation
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.calls import called_functions
from rocm_perf_lab.optimizing.source.hazards import hazards
from rocm_perf_lab.optimizing.source.model import SourceKernel, SourceLoop

HOT_LINES, HOT_LINES_COMPACT = 12, 5
SMALLEST_SHARE = 0.001  # of the cost; lines with less say nothing
ATTEMPTS, ATTEMPTS_COMPACT = 20, 5
CALLED = 8000  # bytes of the functions that the kernel calls
MESSAGES = 4000  # characters of the compiler's messages that go back

_RULES = """You make HIP kernels for AMD GPUs faster without changing what they compute.

Answer with one block of code that holds the kernel's new body, or the whole kernel, and nothing else in it.
- Keep the kernel's name, parameters and attributes. Only the body is taken from your answer.
- Waves have 64 lanes.
- Every output must stay the same for every size of grid and input, not only for those of the profile. Results
  are compared; out-of-bounds accesses and races are looked for; kernel and program are timed.
- Keep barriers, atomics and operations across the wave: the same ones, in the same order and loops. Do not
  unroll loops that contain them, or that use dynamic shared memory.
- No preprocessor lines but #pragma unroll, no inline assembly, no static or global variables, no printf, no
  host code, no functions that the file or HIP's device library does not have.
- More registers, LDS or scratch memory cost occupancy: changes that lose much of it are refused."""
_COMPACT_RULES = """Make this HIP kernel (AMD GPU, waves of 64 lanes) faster; it must compute the same for all
inputs. Answer with one block of code: the new body, or the whole kernel with the same signature. Keep
barriers, atomics and wave operations. No preprocessor lines but #pragma unroll, no assembly, globals, printf
or functions that the file does not have."""


def build_prompt(
    situation: Situation, *, compact: bool = False, full_source: bool = False
) -> tuple[PromptMessage, ...]:
    sections = [section for section in _sections(situation, compact, full_source) if section]
    return (
        PromptMessage(role="system", content=_COMPACT_RULES if compact else _RULES),
        PromptMessage(role="user", content="\n\n".join(sections) + "\n"),
    )


def repair_prompt(before: Sequence[PromptMessage], answer: str, messages: str) -> tuple[PromptMessage, ...]:
    """The conversation so far, and what the compiler said."""
    said = messages.strip()[-MESSAGES:]
    return (
        *before,
        PromptMessage(role="assistant", content=answer),
        PromptMessage(
            role="user",
            content=f"It does not compile:\n```\n{said}\n```\nAnswer with the corrected body.\n",
        ),
    )


def _sections(situation: Situation, compact: bool, full_source: bool) -> Iterator[str]:
    yield _what(situation)
    yield _why(situation, compact)
    yield _resources(situation)
    yield _hot_lines(situation, HOT_LINES_COMPACT if compact else HOT_LINES)
    if not compact:
        yield _loops(situation.kernel)
    yield _tried(situation.attempts, ATTEMPTS_COMPACT if compact else ATTEMPTS)
    if not full_source:
        yield _called(situation.kernel)
    yield _source(situation.kernel, full_source)


def _what(situation: Situation) -> str:
    lines = [f"Kernel: {situation.kernel.function.qualified_name}"]
    if situation.device:
        lines.append(f"GPU: {situation.device}")
    if situation.analysis is not None:
        found = situation.analysis
        lines.append(
            f"Time: {found.mean_ms:.6g} ms a launch, {found.launches} launches, {found.share:.0%} of GPU time"
        )
        if found.criticality is not None:
            lines.append(f"Of the critical path: {found.criticality.weight:.0%}")
    group = situation.profile.groups[0] if situation.profile and situation.profile.groups else None
    if group is not None:
        lines.append(f"Launched with grid {group.grid} in work-items, workgroups of {group.block}")
    return "\n".join(lines)


def _why(situation: Situation, compact: bool) -> str:
    if situation.analysis is None:
        return "What holds it back: not known, no analysis was made."
    found = situation.analysis.bottleneck
    lines = [f"What holds it back: {found.label} (certainty {found.certainty})"]
    lines += [f"- {evidence.statement}" for evidence in found.evidence]
    if not compact:
        lines += [f"- could also be: {other.label} ({other.score:.2f})" for other in found.runners_up[:2]]
    room = situation.analysis.headroom
    if room is not None:
        lines.append(f"At most {room.speedup:.2f} times as fast: then {room.ceiling} is the limit")
    att = situation.analysis.att
    if att is not None and not compact:
        shares = [
            f"{name} {value:.0%}"
            for name, value in (
                ("executing", att.executing_share),
                ("waiting", att.waiting_share),
                ("stalled", att.stalled_share),
                ("idle", att.idle_share),
            )
            if value is not None
        ]
        if shares:
            lines.append(f"Waves: {', '.join(shares)}")
    return "\n".join(lines)


def _resources(situation: Situation) -> str:
    if situation.profile is None:
        return ""
    taken = situation.profile.resources
    figures = {
        "VGPRs": taken.arch_vgprs,
        "accumulation VGPRs": taken.accum_vgprs,
        "SGPRs": taken.sgprs,
        "bytes of LDS": taken.lds_static_bytes,
        "bytes of scratch per lane": taken.scratch_bytes_per_lane,
        "spilled VGPRs": taken.vgpr_spills,
    }
    lines = [
        "Resources: " + ", ".join(f"{count} {what}" for what, count in figures.items() if count is not None)
    ]
    occupied = situation.profile.occupancy
    if occupied is not None and occupied.theoretical is not None:
        limiter = f", limited by {occupied.limiter}" if occupied.limiter else ""
        lines.append(f"Occupancy: {occupied.theoretical:.0%} of the wave slots{limiter}")
        if occupied.next_step is not None:
            lines.append(f"Next step: {occupied.next_step.change}")
    return "\n".join(lines)


def _hot_lines(situation: Situation, count: int) -> str:
    if situation.att is None:
        return ""
    name = situation.kernel.file.path.name
    lines = []
    for line in situation.att.source_lines:
        path, _, number = line.source.rpartition(":")
        if path.rpartition("/")[2] == name and line.cost_share >= SMALLEST_SHARE:
            lines.append(f"- line {number}: {line.cost_share:.1%}  {(line.text or '').strip()}")
    if not lines:
        return ""
    return "\n".join(["Where its waves spend their time (share of the traced cost):", *lines[:count]])


def _loops(kernel: SourceKernel) -> str:
    if not kernel.loops:
        return "It has no loops."
    return "\n".join(["Loops:", *(f"- {_loop(kernel, loop)}" for loop in kernel.loops)])


def _loop(kernel: SourceKernel, loop: SourceLoop) -> str:
    trips = f", {loop.trips} iterations" if loop.trips is not None else ""
    try:
        check_loop(kernel, loop, rewritten=False)
        rule = "may be unrolled"
    except Refused as problem:
        rule = f"may not be unrolled: {REASONS[problem.refusal.code]}"
    kinds = {hazard.kind for hazard in hazards(kernel.unit, kernel.function, loop.span)}
    wave = ", has operations across the wave" if "wave" in kinds else ""
    return f"line {loop.line}: {loop.header}{trips}{wave}; {rule}"


def _tried(attempts: Sequence[Attempt], count: int) -> str:
    if not attempts:
        return ""
    lines = ["Tried before:"]
    for attempt in attempts[-count:]:
        ratio = f", {attempt.kernel_ratio:.3f} of the time" if attempt.kernel_ratio is not None else ""
        if attempt.accepted:
            lines.append(f"- {attempt.proposal}: kept{ratio}; it is in the source below")
        else:
            why = "; ".join(f"{REASONS[refusal.code]} ({refusal.detail})" for refusal in attempt.refusals)
            lines.append(f"- {attempt.proposal}: not kept{ratio}: {why or 'no reason was recorded'}")
    return "\n".join(lines)


def _called(kernel: SourceKernel) -> str:
    functions = called_functions(kernel.unit, kernel.function)
    if not functions:
        return ""
    texts = [function.span.of(file.text) for file, function in functions]
    return "Functions that it calls; they stay as they are:\n" + _fenced(b"\n".join(texts)[:CALLED])


def _source(kernel: SourceKernel, full: bool) -> str:
    if full:
        text = kernel.text
        what = (
            f"The file {kernel.file.path.name}, of which only the body of {kernel.function.name} may change:"
        )
    else:
        text = kernel.function.span.of(kernel.text)
        what = f"The kernel, from line {kernel.file.line(kernel.function.head.start)} on:"
    return f"{what}\n{_fenced(text)}"


def _fenced(text: bytes) -> str:
    fence = "```"
    while fence.encode() in text:  # one that the text does not have itself
        fence += "`"
    return f"{fence}cpp\n{text.decode(errors='replace').rstrip()}\n{fence}"


def prompt_document(
    situation: Situation, *, compact: bool = False, full_source: bool = False
) -> PromptDocument:
    messages = build_prompt(situation, compact=compact, full_source=full_source)
    analysis = situation.analysis
    return PromptDocument(
        origin=analysis.origin if analysis else "derived",
        missing={} if analysis else {"label": "no analysis was made"},
        kernel=situation.profile.name if situation.profile else situation.kernel.function.qualified_name,
        source=str(situation.kernel.file.path),
        label=analysis.bottleneck.label if analysis else None,
        characters=sum(len(message.content) for message in messages),
        messages=messages,
    )
