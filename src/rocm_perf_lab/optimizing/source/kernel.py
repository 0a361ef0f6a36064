"""A kernel for changing: its loops, and what about it cannot be seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocm_perf_lab.contracts.changes.proposal_refusal import Refusal
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.loops import loops_of
from rocm_perf_lab.optimizing.source.model import SourceFunction, SourceKernel, SourceLoop, Unit
from rocm_perf_lab.optimizing.source.parse import UNROLL, problems
from rocm_perf_lab.optimizing.source.tokens import tokens


def kernel_of(unit: Unit, function: SourceFunction) -> SourceKernel:
    body = function.node.child_by_field_name("body")
    assert body is not None
    hidden = {parameter.name for parameter in function.parameters}
    hidden |= {word for text in function.template_parameters or () for word in re.findall(r"\w+", text)}
    constants = {name: value for name, value in unit.constants.items() if name not in hidden}
    return SourceKernel(
        unit=unit,
        function=function,
        loops=loops_of(body, unit.main.text, constants),
        blind=tuple(_blind(unit, function)),
    )


def require_visible(kernel: SourceKernel) -> None:
    """Raises Refused where the body cannot be read well enough to be changed."""
    for refusal in kernel.blind:
        raise Refused(refusal.code, refusal.detail, refusal.place)


def loop_numbered(kernel: SourceKernel, number: int) -> SourceLoop:
    if not 0 <= number < len(kernel.loops):
        raise Refused("no-such-loop", f"loop {number} of {len(kernel.loops)}")
    return kernel.loops[number]


def _blind(unit: Unit, function: SourceFunction) -> Iterator[Refusal]:
    file = unit.main
    for node in problems(function.node):
        wrong = (node.text or b"").decode(errors="replace").strip()[:40]
        yield Refusal(
            code="source-unparsed",
            detail=f"at {wrong!r}" if wrong else f"{node.type} is missing",
            place=file.place(node.start_byte),
        )
        break
    for token in tokens(file.text, function.head.start, function.body.end):
        # Behind a comment, # begins a preprocessor line, too.
        if token.text == "#" or (token.kind == "directive" and not UNROLL.match(token.text)):
            yield Refusal(
                code="preprocessor-in-body",
                detail=token.text.strip().partition("\n")[0],
                place=file.place(token.start),
            )
            break
    for name, macro in file.macros.items():
        # A macro with braces in the body: where blocks begin and end is not what the tree says.
        unbalanced = macro.replacement.count(b"{") != macro.replacement.count(b"}")
        if unbalanced and any(
            token.text == name
            for token in tokens(file.text, function.body.start, function.body.end)
            if token.kind == "word"
        ):
            yield Refusal(code="kernel-in-macro", detail=f"macro {name} opens or closes a block", place=None)


def macro_kernels(unit: Unit) -> dict[str, str]:
    """Macros that make kernels: name -> place of the definition. What they make is not seen."""
    return {
        macro.name: str(unit.main.path)
        for macro in unit.main.macros.values()
        if macro.takes_arguments and "__global__" in macro.words
    }
