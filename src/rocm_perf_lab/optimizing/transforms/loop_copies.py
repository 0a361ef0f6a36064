"""Checks for stringing copies of a loop's body together, and the condition under which several may run."""

from __future__ import annotations

from tree_sitter import Node

from rocm_perf_lab.contracts.changes.proposal_refusal import ReasonCode
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.constants import constants_within, evaluate
from rocm_perf_lab.optimizing.source.counted import CountedLoop, counted
from rocm_perf_lab.optimizing.source.loops import KINDS
from rocm_perf_lab.optimizing.source.macros import expanded
from rocm_perf_lab.optimizing.source.model import SourceKernel, SourceLoop
from rocm_perf_lab.optimizing.source.parse import of_type
from rocm_perf_lab.optimizing.source.tokens import words
from rocm_perf_lab.optimizing.transforms.integers import common, expression_type, is_small, named_type
from rocm_perf_lab.optimizing.transforms.names import (
    code_of,
    declared_types,
    lambdas_of,
    modified_names,
    text_of,
)

LARGEST_STEP = 1 << 20  # of constant steps: seven of them are far from wrapping around in 32 bits
_LEAVING: dict[str, ReasonCode] = {
    "break": "break-in-loop",
    "continue": "continue-in-loop",
    "goto": "goto-in-loop",
}


def check_copyable(kernel: SourceKernel, loop: SourceLoop) -> CountedLoop:
    """The parts of a counted loop whose body may stand several times in a row. Raises Refused."""
    parts = counted(loop.node)
    body = loop.node.child_by_field_name("body")
    assert body is not None
    _check_leaving(kernel, loop, body)
    for node in of_type(body, "declaration"):
        if any(text_of(child) in ("__shared__", "static", "extern") for child in node.children):
            raise Refused("shared-declared-in-loop", text_of(node).partition("\n")[0])
    changed = modified_names(kernel.unit, body)
    for node in lambdas_of(kernel):
        changed |= modified_names(kernel.unit, node)
    if parts.variable in changed:
        raise Refused("index-modified", parts.variable)
    _check_invariant(kernel, parts, changed)
    return parts


def _check_leaving(kernel: SourceKernel, loop: SourceLoop, body: Node) -> None:
    for word in words(kernel.text, loop.body.start, loop.body.end):
        if word.text in kernel.file.macros:
            inside = expanded([word.text], kernel.file.macros)
            for leaving, code in _LEAVING.items():
                if leaving in inside:
                    raise Refused(code, f"macro {word.text}")
    for node in of_type(body, "goto_statement", "labeled_statement"):
        raise Refused("goto-in-loop", text_of(node).partition("\n")[0])
    waiting = [body]
    while waiting:
        node = waiting.pop()
        if node.type == "continue_statement":
            raise Refused("continue-in-loop", f"line {kernel.file.line(node.start_byte)}")
        if node.type == "break_statement":
            raise Refused("break-in-loop", f"line {kernel.file.line(node.start_byte)}")
        for child in node.children:
            if child.type in KINDS or child.type == "lambda_expression":
                continue  # what is in there is of the inner loop
            if child.type == "switch_statement":
                for inner in of_type(child, "continue_statement"):
                    raise Refused("continue-in-loop", f"line {kernel.file.line(inner.start_byte)}")
                continue
            waiting.append(child)


def _check_invariant(kernel: SourceKernel, parts: CountedLoop, changed: set[str]) -> None:
    declared = declared_types(kernel)
    given_away = {
        name
        for node in of_type(kernel.function.node, "pointer_expression")
        if text_of(node).startswith("&")
        for name in [text_of(node)[1:].strip()]
    }
    for node in (parts.bound, parts.step):
        if node is None:
            continue
        for inner in of_type(node, "subscript_expression", "pointer_expression", "update_expression"):
            raise Refused("bound-changes", f"{text_of(inner)} is read from memory or counted")
        for inner in of_type(node, "identifier"):
            name = text_of(inner)
            if name in changed or name in given_away:
                raise Refused("bound-changes", f"the loop may change {name}")
            if "&" in (declared.get(name) or "").split():
                raise Refused("bound-changes", f"{name} is a reference")
            known = name in declared or name in kernel.unit.constants or name in _BUILTINS
            if not known and not _is_template_parameter(kernel, name):
                raise Refused("bound-changes", f"{name} is not the kernel's own")


_BUILTINS = frozenset(
    {
        "threadIdx",
        "blockIdx",
        "blockDim",
        "gridDim",
        "warpSize",
        "int",
        "unsigned",
        "size_t",
        "static_cast",
        "float",
    }
)


def _is_template_parameter(kernel: SourceKernel, name: str) -> bool:
    return any(
        name in [word.text for word in words(text.encode())]
        for text in kernel.function.template_parameters or ()
    )


def several_may_run(kernel: SourceKernel, loop: SourceLoop, parts: CountedLoop, copies: int) -> str:
    """The condition in C++ that ``copies`` iterations follow: the loop's own, and that the last is within.

    Let d be bound - variable (variable - bound when it counts down), computed without a sign: where the
    loop's own condition holds, d is exact. The last of the copies runs with the variable (copies - 1) · step
    farther, so that it runs if and only if d > (copies - 1) · step (or equal, where the bound is included),
    for a step above 0. Nothing in this wraps around, whatever the values are.
    """
    body = kernel.function.node.child_by_field_name("body")
    assert body is not None
    constants = constants_within(body, kernel.unit.constants)
    declared = declared_types(kernel)
    condition = loop.node.child_by_field_name("condition")
    assert condition is not None
    own = named_type(parts.type)
    bound = expression_type(parts.bound, declared, constants)
    if own is None or is_small(parts.type):
        raise Refused("type-unknown", f"{parts.variable} is {parts.type}")
    if bound is None:
        raise Refused("type-unknown", f"bound {code_of(parts.bound)}")
    if declared.get(parts.variable) is None:
        raise Refused("type-unknown", f"{parts.variable} is declared several times, with different types")
    whole = common(own, bound)
    unsigned = whole.unsigned_name
    high, low = (code_of(parts.bound), parts.variable) if parts.up else (parts.variable, code_of(parts.bound))
    distance = f"({unsigned})({high}) - ({unsigned})({low})"
    comparison = ">" if parts.comparison in ("<", ">") else ">="
    step = 1 if parts.step is None else evaluate(parts.step, constants)
    if step is not None:
        if not 0 < step <= LARGEST_STEP:
            raise Refused("loop-not-counted", f"a step of {step}")
        suffix = "u" if whole.bits == 32 else "ull"
        return f"({code_of(condition)}) && {distance} {comparison} {(copies - 1) * step}{suffix}"
    assert parts.step is not None
    step_type = expression_type(parts.step, declared, constants)
    if step_type is None or step_type.bits != 32:
        raise Refused("type-unknown", f"step {code_of(parts.step)}")
    positive = f"({code_of(parts.step)}) > 0"
    farthest = f"{copies - 1}ull * (unsigned)({code_of(parts.step)})"
    return f"({code_of(condition)}) && {positive} && (unsigned long long)({distance}) {comparison} {farthest}"
