"""Names in a kernel: how they are declared, and which of them a part of the code may change."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from rocm_perf_lab.optimizing.source.model import SourceKernel, Unit
from rocm_perf_lab.optimizing.source.parse import of_type
from rocm_perf_lab.optimizing.source.tokens import tokens, words

# Functions of the library that change what they are given, without an & to be seen.
_CHANGES_ARGUMENTS = frozenset({"swap", "exchange", "modf", "frexp", "sincos", "sincosf", "sincospi"})


def text_of(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def code_of(node: Node) -> str:
    """The text of an expression without comments, so that it can stand in front of other code."""
    text = node.text or b""
    kept, at = [], 0
    for token in tokens(text):
        if token.kind == "comment":
            kept.append(text[at : token.start] + b" ")
            at = token.end
    return (b"".join(kept) + text[at:]).decode(errors="surrogateescape")


def declared_name(declarator: Node) -> str | None:
    """The name in a declarator, however many stars and brackets are around it."""
    node: Node | None = declarator
    while node is not None and node.type not in ("identifier", "field_identifier"):
        below = node.child_by_field_name("declarator")
        if below is None:
            below = next(
                (child for child in node.named_children if child.type.endswith(("declarator", "identifier"))),
                None,
            )
        node = below
    return text_of(node) if node is not None else None


def declared_types(kernel: SourceKernel) -> dict[str, str | None]:
    """Parameters and variables -> type as written with its stars; None where a name has several."""
    found: dict[str, str | None] = {}

    def add(name: str | None, kind: str) -> None:
        if name:
            found[name] = kind if found.get(name, kind) == kind else None

    for parameter in kernel.function.parameters:
        add(parameter.name, parameter.type)
    body = kernel.function.node.child_by_field_name("body")
    assert body is not None
    for declaration in of_type(body, "declaration", "for_range_loop", "parameter_declaration"):
        kind = declaration.child_by_field_name("type")
        if kind is None:
            continue
        qualifiers = [text_of(child) for child in declaration.children if child.type == "type_qualifier"]
        for declarator in declaration.children_by_field_name("declarator"):
            inner = declarator
            if inner.type == "init_declarator":
                inner = inner.child_by_field_name("declarator") or inner
            shape = _shape(inner)
            add(declared_name(inner), " ".join([*qualifiers, *text_of(kind).split(), *shape]))
    return found


def _shape(declarator: Node) -> list[str]:
    """Stars, references and brackets of a declarator."""
    marks = {"pointer_declarator": "*", "reference_declarator": "&", "array_declarator": "[]"}
    found: list[str] = []
    node: Node | None = declarator
    while node is not None and node.type not in ("identifier",):
        if node.type in marks:
            found.append(marks[node.type])
        elif node.type not in ("parenthesized_declarator",):
            found.append("?")
        node = node.child_by_field_name("declarator") or next(
            (child for child in node.named_children if child.type.endswith(("declarator", "identifier"))),
            None,
        )
    return found


def modified_names(unit: Unit, node: Node) -> set[str]:
    """Variables that the code below a node may change: assigned, counted, or given away by address."""
    return set(_modified(unit, node))


def _modified(unit: Unit, node: Node) -> Iterator[str]:
    for found in of_type(
        node, "assignment_expression", "update_expression", "pointer_expression", "init_declarator"
    ):
        if found.type == "init_declarator":
            declarator, value = found.child_by_field_name("declarator"), found.child_by_field_name("value")
            if declarator is not None and value is not None and declarator.type == "reference_declarator":
                yield from (word.text for word in words(value.text or b""))
            continue
        target = found.child_by_field_name("left") or found.child_by_field_name("argument")
        if target is None:
            continue
        if found.type == "pointer_expression" and not text_of(found).startswith("&"):
            continue
        name = _base(target)
        if name is not None:
            yield name
    for call in of_type(node, "call_expression"):
        yield from _given_by_reference(unit, call)


def _base(target: Node) -> str | None:
    """The variable that an assignment changes itself; none where it writes through a pointer or subscript."""
    while target.type in ("parenthesized_expression", "field_expression"):
        below = target.child_by_field_name("argument")
        if below is None:
            below = target.named_children[0] if target.named_children else None
        if below is None or "->" in text_of(target):
            return None
        target = below
    return text_of(target) if target.type == "identifier" else None


def _given_by_reference(unit: Unit, call: Node) -> Iterator[str]:
    callee, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if callee is None or arguments is None:
        return
    names = [word.text for word in words(callee.text or b"")]
    taken = names and names[-1] in _CHANGES_ARGUMENTS
    for _, function in unit.named(names[-1]) if names else ():
        taken = taken or any(
            "&" in parameter.type and "const" not in parameter.type for parameter in function.parameters
        )
    if taken:
        for argument in arguments.named_children:
            name = _base(argument)
            if name is not None:
                yield name


def lambdas_of(kernel: SourceKernel) -> list[Node]:
    return list(of_type(kernel.function.node, "lambda_expression"))


def fresh_name(kernel: SourceKernel, stem: str) -> str:
    """A name that the file does not have."""
    taken = {word.text for word in words(kernel.text)}
    number = 0
    while f"{stem}{number}" in taken:
        number += 1
    return f"{stem}{number}"
