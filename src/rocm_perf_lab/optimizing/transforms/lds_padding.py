"""Padding: one more column in a two-dimensional shared array, so that a column lies in different banks.

Legal where the array is used by both subscripts everywhere, and its address, size or a row of it nowhere:
then no code can tell where its rows lie. (Subscripts beyond a row are undefined already.)
"""

from __future__ import annotations

from tree_sitter import Node

from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.kernel import require_visible
from rocm_perf_lab.optimizing.source.model import SourceKernel
from rocm_perf_lab.optimizing.source.parse import of_type
from rocm_perf_lab.optimizing.source.tokens import words
from rocm_perf_lab.optimizing.transforms.names import declared_name, text_of
from rocm_perf_lab.optimizing.transforms.request import TransformRequest

PADDING = b" + 1"


def pad_shared_array(kernel: SourceKernel, request: TransformRequest) -> bytes:
    require_visible(kernel)
    arrays = shared_tables(kernel)
    chosen = request.target if request.target is not None else next(iter(arrays), None)
    if chosen is None or chosen not in arrays:
        raise Refused(
            "nothing-to-change", f"{chosen or 'nothing'} is a static shared array of two dimensions"
        )
    declarator = arrays[chosen]
    columns = declarator.child_by_field_name("size")
    assert columns is not None
    if text_of(columns).replace(" ", "").endswith("+1"):
        raise Refused("already-so", text_of(declarator))
    _check_uses(kernel, chosen, declarator)
    text = kernel.text
    start, end = columns.start_byte, columns.end_byte
    return text[:start] + b"(" + text[start:end] + b")" + PADDING + text[end:]


def shared_tables(kernel: SourceKernel) -> dict[str, Node]:
    """Names of static shared arrays of two dimensions -> their declarator."""
    found: dict[str, Node] = {}
    for declaration in of_type(kernel.function.node, "declaration"):
        qualifiers = {text_of(child) for child in declaration.children}
        if "__shared__" not in qualifiers or "extern" in qualifiers:
            continue
        for declarator in declaration.children_by_field_name("declarator"):
            inner = declarator.child_by_field_name("declarator")
            two = (
                declarator.type == "array_declarator"
                and inner is not None
                and inner.type == "array_declarator"
            )
            deepest = inner.child_by_field_name("declarator") if two and inner is not None else None
            name = declared_name(declarator)
            if deepest is not None and deepest.type == "identifier" and name is not None:
                found[name] = declarator
    return found


def _check_uses(kernel: SourceKernel, name: str, declarator: Node) -> None:
    declared = 0
    counted = 0
    for node in of_type(kernel.function.node, "identifier"):
        if text_of(node) != name:
            continue
        counted += 1
        if declarator.start_byte <= node.start_byte < declarator.end_byte:
            declared += 1
            continue
        row = node.parent
        element = row.parent if row is not None else None
        full = (
            row is not None
            and element is not None
            and row.type == element.type == "subscript_expression"
            and row.child_by_field_name("argument") == node
            and element.child_by_field_name("argument") == row
        )
        outside = element.parent if element is not None else None
        addressed = outside is not None and outside.type == "pointer_expression"
        if not full or addressed:
            raise Refused("array-escapes", f"{name} in line {kernel.file.line(node.start_byte)}")
    body = kernel.function.body
    written = sum(word.text == name for word in words(kernel.text, body.start, body.end))
    hidden = any(name in macro.words for macro in kernel.file.macros.values())
    if declared != 1 or written != counted or hidden:
        raise Refused("array-escapes", f"{name} is declared several times, or used in a way that is not seen")
