"""What a part of a kernel writes, and whether a pointer may reach it."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.device_names import harmless
from rocm_perf_lab.optimizing.source.model import SourceKernel
from rocm_perf_lab.optimizing.source.parse import of_type
from rocm_perf_lab.optimizing.source.tokens import words
from rocm_perf_lab.optimizing.transforms.names import declared_types, text_of
from rocm_perf_lab.optimizing.transforms.request import LaunchEvidence


def check_not_written(kernel: SourceKernel, node: Node, pointer: str, evidence: LaunchEvidence) -> None:
    """Raises Refused unless nothing below ``node`` can write what ``pointer`` reads.

    No writes through pointers at all; or only such as come from other parameters, where both are declared
    __restrict__ or were seen to reach different allocations in all launches.
    """
    for written in _written(kernel, node):
        if written is None:
            raise Refused("aliasing-unknown", f"something is written that may be what {pointer} reads")
        sources, targets = roots(kernel, pointer), roots(kernel, written)
        if len(sources) != 1 or len(targets) != 1 or sources == targets:
            raise Refused("aliasing-unknown", f"{written} is written, {pointer} is read")
        pair = sources | targets
        if pair & _own(kernel):
            continue
        restricted = {each.name for each in kernel.function.parameters if each.is_restrict}
        distinct = evidence.distinct_pointers
        if pair <= restricted or (distinct and pair <= distinct.names_in(kernel.function)):
            continue
        raise Refused("aliasing-unknown", f"{written} is written, {pointer} is read")


def roots(kernel: SourceKernel, name: str) -> set[str]:
    """The pointer parameters and the arrays of the kernel that a pointer comes from."""
    parameters = {each.name for each in kernel.function.parameters if each.is_pointer and each.name}
    parameters |= _own(kernel)
    if name in parameters:
        return {name}
    found: set[str] = set()
    followed: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current in followed:
            continue
        followed.add(current)
        for value in _values(kernel, current):
            for word in words(value.text or b""):
                if word.text in parameters:
                    found.add(word.text)
                else:
                    waiting.append(word.text)
    return found


def _values(kernel: SourceKernel, name: str) -> Iterator[Node]:
    """All that a variable is set to."""
    for node in of_type(kernel.function.node, "init_declarator", "assignment_expression"):
        target = node.child_by_field_name("declarator") or node.child_by_field_name("left")
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        if target is not None and value is not None and text_of(target).lstrip("*& ") == name:
            yield value


def _written(kernel: SourceKernel, node: Node) -> Iterator[str | None]:
    """Bases of what is written through subscripts and stars; None where that is not known."""
    for found in of_type(node, "assignment_expression", "update_expression"):
        target = found.child_by_field_name("left") or found.child_by_field_name("argument")
        if target is not None and target.type != "identifier":
            yield _base(target)
    for call in of_type(node, "call_expression"):
        callee = call.child_by_field_name("function")
        names = [word.text for word in words(callee.text or b"")] if callee is not None else []
        if not names or not harmless(names[-1]) or names[-1] in ("memcpy", "memset"):
            yield None


def _base(target: Node) -> str | None:
    while target.type in (
        "subscript_expression",
        "parenthesized_expression",
        "field_expression",
        "pointer_expression",
    ):
        below = target.child_by_field_name("argument")
        if below is None:
            below = target.named_children[0] if target.named_children else None
        if below is None:
            return None
        target = below
    return text_of(target) if target.type == "identifier" else None


def _own(kernel: SourceKernel) -> set[str]:
    """Arrays of the kernel itself: no parameter points into them."""
    parameters = {each.name for each in kernel.function.parameters}
    return {
        name
        for name, kind in declared_types(kernel).items()
        if kind is not None and "[]" in kind.split() and "*" not in kind and name not in parameters
    }
