"""Hoisting: an element that a loop reads anew in every iteration and that cannot change is read once.

Legal where the loop counts, reads ``p[e]`` in every iteration with ``p`` and ``e`` unchanged by it, and
nothing in it can write what ``p`` reads. A loop that does not run does not read, before as after.
"""

from __future__ import annotations

from tree_sitter import Node

from rocm_perf_lab.optimizing.guards.loop_region import check_loop
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.counted import counted
from rocm_perf_lab.optimizing.source.kernel import loop_numbered, require_visible
from rocm_perf_lab.optimizing.source.model import SourceKernel, SourceLoop
from rocm_perf_lab.optimizing.source.parse import of_type
from rocm_perf_lab.optimizing.transforms.names import (
    code_of,
    declared_types,
    fresh_name,
    lambdas_of,
    modified_names,
    text_of,
)
from rocm_perf_lab.optimizing.transforms.request import TransformRequest
from rocm_perf_lab.optimizing.transforms.stores import check_not_written
from rocm_perf_lab.optimizing.transforms.unconditional import always_runs
from rocm_perf_lab.optimizing.transforms.unroll_rewrite import closed_body, replace_with, step_of

# An index made with any of these may have another value, or an effect, in the next iteration.
_NOT_PLAIN = (
    "call_expression",
    "subscript_expression",
    "pointer_expression",
    "update_expression",
    "assignment_expression",
    "lambda_expression",
)


def hoist_loads(kernel: SourceKernel, request: TransformRequest) -> bytes:
    require_visible(kernel)
    loop = loop_numbered(kernel, -1 if request.loop is None else request.loop)
    check_loop(kernel, loop, rewritten=False)
    counted(loop.node)
    there = hoistable(kernel, loop)
    chosen = request.target if request.target is not None else next(iter(there), None)
    if chosen is None or chosen not in there:
        raise Refused("nothing-to-change", f"{chosen or 'nothing'} is read in every iteration from one place")
    reads = there[chosen]
    base = reads[0].child_by_field_name("argument")
    assert base is not None
    body = loop.node.child_by_field_name("body")
    assert body is not None
    check_not_written(kernel, body, text_of(base), request.evidence)
    name = fresh_name(kernel, "hoisted")
    text = loop.body.of(kernel.text)
    for node in reversed(reads):
        start, end = node.start_byte - loop.body.start, node.end_byte - loop.body.start
        text = text[:start] + name.encode() + text[end:]
    ending = "\n" if closed_body(kernel, loop).endswith("\n") else ""
    declaration, condition = (loop.node.child_by_field_name(field) for field in ("initializer", "condition"))
    assert declaration is not None
    assert condition is not None
    return replace_with(
        kernel,
        loop,
        [
            "{",
            f"{code_of(declaration).rstrip().rstrip(';')};",
            f"if ({code_of(condition)}) {{",
            f"const auto {name} = {chosen};",
            f"for (; {code_of(condition)}; {step_of(loop)}) {text.decode(errors='surrogateescape')}{ending}",
            "}",
            "}",
        ],
    )


def hoistable(kernel: SourceKernel, loop: SourceLoop) -> dict[str, list[Node]]:
    """Elements that every iteration reads from the same place: as written -> where."""
    body = loop.node.child_by_field_name("body")
    if body is None:
        return {}
    inside = modified_names(kernel.unit, loop.node) | _declared_below(loop.node)
    for node in lambdas_of(kernel):
        inside |= modified_names(kernel.unit, node)
    pointers = {name for name, kind in declared_types(kernel).items() if kind is not None and "*" in kind}
    found: dict[str, list[Node]] = {}
    for node in of_type(body, "subscript_expression"):
        base, index = node.child_by_field_name("argument"), node.child_by_field_name("indices")
        if base is None or index is None or text_of(base) not in pointers:
            continue
        names = {text_of(inner) for inner in of_type(node, "identifier")}
        plain = not any(True for child in index.named_children for _ in of_type(child, *_NOT_PLAIN))
        plain = plain and "->" not in text_of(index)
        if names & inside or not plain or _is_written(node):
            continue
        found.setdefault(code_of(node), []).append(node)
    return {read: nodes for read, nodes in found.items() if any(always_runs(node, body) for node in nodes)}


def _is_written(node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.type in ("field_expression", "parenthesized_expression"):
        node, parent = parent, parent.parent
    if parent is None:
        return False
    if parent.type == "assignment_expression":
        return parent.child_by_field_name("left") == node
    return parent.type in ("update_expression", "pointer_expression")


def _declared_below(loop: Node) -> set[str]:
    return {
        text_of(name)
        for declaration in of_type(loop, "declaration", "parameter_declaration", "for_range_loop")
        for declarator in declaration.children_by_field_name("declarator")
        for name in of_type(declarator, "identifier")
    }
