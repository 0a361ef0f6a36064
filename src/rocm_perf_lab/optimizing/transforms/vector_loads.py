"""Vectorised loads: elements that iterations of a loop read one after the other are read 16 bytes at a time.

Legal where the loop may be unrolled by rewriting, steps by one, reads ``p[i]`` in every iteration, and
nothing in it can write what ``p`` reads. Up to an address that is a multiple of 16, elements are read one by
one. The values and their order stay the same.
"""

from __future__ import annotations

from tree_sitter import Node

from rocm_perf_lab.optimizing.guards.loop_region import check_loop
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.kernel import loop_numbered, require_visible
from rocm_perf_lab.optimizing.source.model import SourceKernel, SourceLoop
from rocm_perf_lab.optimizing.source.parse import of_type
from rocm_perf_lab.optimizing.transforms.loop_copies import check_copyable, several_may_run
from rocm_perf_lab.optimizing.transforms.names import (
    code_of,
    declared_types,
    fresh_name,
    modified_names,
    text_of,
)
from rocm_perf_lab.optimizing.transforms.request import TransformRequest
from rocm_perf_lab.optimizing.transforms.stores import check_not_written
from rocm_perf_lab.optimizing.transforms.unconditional import always_runs
from rocm_perf_lab.optimizing.transforms.unroll_rewrite import closed_body, replace_loop, step_of

BYTES = 16  # the widest load of one lane (global_load_dwordx4)
_VECTORS = {
    "float": ("float4", 4),
    "int": ("int4", 4),
    "unsigned": ("uint4", 4),
    "unsigned int": ("uint4", 4),
    "double": ("double2", 2),
}
_PARTS = "xyzw"


def vectorise_loads(kernel: SourceKernel, request: TransformRequest) -> bytes:
    require_visible(kernel)
    loop = loop_numbered(kernel, -1 if request.loop is None else request.loop)
    check_loop(kernel, loop, rewritten=True)
    parts = check_copyable(kernel, loop)
    body = loop.node.child_by_field_name("body")
    assert body is not None
    if not parts.up or (parts.step is not None and text_of(parts.step) != "1"):
        raise Refused("nothing-to-change", "the loop does not go up by one")
    pointer = _chosen(kernel, loop, body, parts.variable, request.target)
    vector, lanes = _VECTORS[_pointee(kernel, pointer) or ""]
    check_not_written(kernel, body, pointer, request.evidence)
    if pointer in modified_names(kernel.unit, body):
        raise Refused("bound-changes", f"the loop changes {pointer}")
    follow = several_may_run(kernel, loop, parts, lanes)
    condition = loop.node.child_by_field_name("condition")
    assert condition is not None
    loaded = fresh_name(kernel, "loaded")
    offset = f"reinterpret_cast<unsigned long long>({pointer} + {parts.variable}) % {BYTES}"
    whole = f"*reinterpret_cast<const {vector}*>({pointer} + {parts.variable})"
    copies = []
    for part in _PARTS[:lanes]:
        copy = _with_loaded(kernel, loop, body, pointer, parts.variable, f"{loaded}.{part}")
        copies.append(f"{{ {copy} }} {step_of(loop)};")
    return replace_loop(
        kernel,
        loop,
        [
            f"for (; ({code_of(condition)}) && {offset} != 0; {step_of(loop)}) {closed_body(kernel, loop)}",
            f"for (; {follow};) {{",
            f"const {vector} {loaded} = {whole};",
            *copies,
            "}",
        ],
    )


def vectorisable(kernel: SourceKernel, loop: SourceLoop, variable: str) -> list[str]:
    """Pointers whose elements the loop reads one after the other."""
    body = loop.node.child_by_field_name("body")
    if body is None:
        return []
    found = {
        text_of(base): None
        for node, base in _reads(body, variable)
        if _pointee(kernel, text_of(base)) in _VECTORS and always_runs(node, body)
    }
    return list(found)


def _chosen(kernel: SourceKernel, loop: SourceLoop, body: Node, variable: str, target: str | None) -> str:
    there = vectorisable(kernel, loop, variable)
    if target is not None and target in there:
        return target
    if target is not None or not there:
        raise Refused(
            "nothing-to-change", f"no element [{variable}] of {target or 'a pointer'} is read always"
        )
    return there[0]


def _reads(body: Node, variable: str) -> list[tuple[Node, Node]]:
    """(p[i], p) below a body; those that are written are no reads."""
    found = []
    for node in of_type(body, "subscript_expression"):
        base, index = node.child_by_field_name("argument"), node.child_by_field_name("indices")
        if base is None or index is None or base.type != "identifier":
            continue
        inside = index.named_children
        parent = node.parent
        is_target = parent is not None and (
            (parent.type == "assignment_expression" and parent.child_by_field_name("left") == node)
            or parent.type in ("update_expression", "pointer_expression")
        )
        if len(inside) == 1 and text_of(inside[0]) == variable and not is_target:
            found.append((node, base))
    return found


def _with_loaded(
    kernel: SourceKernel, loop: SourceLoop, body: Node, pointer: str, variable: str, value: str
) -> str:
    text = loop.body.of(kernel.text)
    reads = [node for node, base in _reads(body, variable) if text_of(base) == pointer]
    for node in reversed(reads):
        start, end = node.start_byte - loop.body.start, node.end_byte - loop.body.start
        text = text[:start] + value.encode() + text[end:]
    ending = "\n" if closed_body(kernel, loop).endswith("\n") else ""
    return text.decode(errors="surrogateescape") + ending


def _pointee(kernel: SourceKernel, name: str) -> str | None:
    kind = declared_types(kernel).get(name)
    if kind is None:
        return None
    marks = [word for word in kind.split() if word not in ("const", "__restrict__", "__restrict")]
    if marks[-1:] != ["*"] or marks.count("*") != 1:
        return None
    return " ".join(marks[:-1])
