"""What in a part of a kernel forbids reordering: found in code, through macros and called functions.

Comments and strings are no code. What cannot be followed is a finding too: a call whose code is not seen may
hold anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from rocm_perf_lab.optimizing.source.device_names import HazardKind, harmless, hazard_kind
from rocm_perf_lab.optimizing.source.dynamic_shared import dynamic_shared_names
from rocm_perf_lab.optimizing.source.macros import calls_in_macro, expanded
from rocm_perf_lab.optimizing.source.model import SourceFile, SourceFunction, Span, Unit
from rocm_perf_lab.optimizing.source.parse import of_type
from rocm_perf_lab.optimizing.source.tokens import Token, code_tokens, words

_CONTROL = frozenset(
    {
        "if",
        "for",
        "while",
        "switch",
        "return",
        "sizeof",
        "alignof",
        "catch",
        "do",
        "else",
        "case",
        "new",
        "delete",
        "throw",
    }
)


@dataclass(frozen=True)
class Hazard:
    kind: HazardKind
    name: str
    place: str
    via: tuple[str, ...] = ()
    """Functions that were followed to it, outermost first."""

    def __str__(self) -> str:
        path = "".join(f" through {name}" for name in self.via[:1])
        return f"{self.name} at {self.place}{path}"


def hazards(unit: Unit, function: SourceFunction, span: Span, file: SourceFile | None = None) -> list[Hazard]:
    """Of a part of a function, in the order of the text, each name once for every place of a call."""
    return list(_within(unit, file or unit.main, function, span, (), set()))


def _within(
    unit: Unit,
    file: SourceFile,
    function: SourceFunction,
    span: Span,
    via: tuple[str, ...],
    followed: set[tuple[str, int]],
) -> Iterator[Hazard]:
    shared = dynamic_shared_names(unit, file, function)
    local_lambdas = _lambdas(function.node)
    called = {name for name, _ in _calls(function.node, span)}
    seen: set[str] = set()
    code = code_tokens(file.text, span.start, span.end)
    for place, token in enumerate(code):
        if token.kind != "word":
            continue
        is_member = place > 0 and code[place - 1].text in (".", "->")
        where = file.place(token.start)
        for name in sorted(expanded([token.text], file.macros)):
            kind = hazard_kind(name)
            if kind is not None and _is_meant(unit, name, kind, is_member, code, place):
                yield Hazard(kind, name, where, via)
            elif name in shared and not is_member:
                yield Hazard("dynamic_shared", name, where, via)
            if name in file.macros and file.macros[name].pastes:
                yield Hazard("unseen", f"{name}, a macro that makes new words", where, via)
        if token.text == "extern" and place + 1 < len(code) and code[place + 1].text == "__shared__":
            yield Hazard("dynamic_shared", "extern __shared__", where, via)
        if token.text in called or token.text in file.macros or token.text in local_lambdas:
            for name in _called_names(file, token.text):
                if name in seen:
                    continue
                seen.add(name)
                yield from _follow(unit, file, function, name, local_lambdas, where, via, followed, is_member)
    for name, node in _lone_names(function, span):
        if name not in file.macros:
            yield Hazard("unseen", f"{name}, which nobody declares", file.place(node.start_byte), via)
    for node in _indirect_calls(function.node, span):
        yield Hazard("unseen", "a call through an expression", file.place(node.start_byte), via)


def _is_meant(
    unit: Unit, name: str, kind: HazardKind, is_member: bool, code: list[Token], place: int
) -> bool:
    """Words such as sync, wait or get are hazards only where they are called."""
    if kind == "volatile":  # of an assembly statement it says nothing of data
        return place == 0 or hazard_kind(code[place - 1].text) != "assembly"
    if name.startswith("__") or kind == "assembly":
        return True
    if unit.named(name):
        return False  # the source's own function of this name: it is followed instead
    after = code[place + 1].text if place + 1 < len(code) else ""
    return after in ("(", "<") or (kind == "atomic" and not is_member and after not in ("=", ";", ",", ")"))


def _called_names(file: SourceFile, name: str) -> list[str]:
    """A call's own name; of a macro, what it calls, through further macros."""
    if name not in file.macros:
        return [name]
    names = expanded([name], file.macros)
    return sorted(
        {
            call
            for macro in names & set(file.macros)
            for call in calls_in_macro(file.macros[macro])
            if call not in file.macros and call not in _CONTROL
        }
    )


def _follow(
    unit: Unit,
    file: SourceFile,
    function: SourceFunction,
    name: str,
    local_lambdas: dict[str, Node],
    where: str,
    via: tuple[str, ...],
    followed: set[tuple[str, int]],
    is_member: bool,
) -> Iterator[Hazard]:
    if name in _CONTROL or (hazard_kind(name) is not None and not unit.named(name)):
        return
    if name in local_lambdas and not is_member:
        node = local_lambdas[name]
        if (str(file.path), node.start_byte) not in followed:
            followed.add((str(file.path), node.start_byte))
            span = Span(node.start_byte, node.end_byte)
            yield from _within(unit, file, function, span, (*via, name), followed)
        return
    definitions = unit.named(name)
    if not definitions:
        variables = {parameter.name for parameter in function.parameters} | _declared(function.node)
        if name in variables and not is_member:
            yield Hazard("unseen", f"{name}, a variable that is called", where, via)
        elif not harmless(name) and name not in _types(unit) and name not in _template_names(function):
            yield Hazard("unseen", name, where, via)
        return
    for other, definition in definitions:
        key = (str(other.path), definition.body.start)
        if key not in followed:
            followed.add(key)
            yield from _within(unit, other, definition, definition.body, (*via, name), followed)


def _template_names(function: SourceFunction) -> set[str]:
    """Types that a template is given: T(0) makes a value."""
    return {word.text for text in function.template_parameters or () for word in words(text.encode())}


def _types(unit: Unit) -> set[str]:
    return {name for file in unit.files for name in file.types}


def _calls(function: Node, span: Span) -> Iterator[tuple[str, Node]]:
    for node in of_type(function, "call_expression", "compound_literal_expression"):
        if not span.contains(Span(node.start_byte, node.end_byte)):
            continue
        name = _callee(node)
        if name is not None:
            yield name, node
    # T x(a, b) and T x{a} call constructors, and unary macros look like declarations: their type names count.
    for node in of_type(function, "declaration"):
        kind = node.child_by_field_name("type")
        if kind is not None and span.contains(Span(node.start_byte, node.end_byte)) and kind.text:
            yield kind.text.decode(errors="replace").rpartition("::")[2].partition("<")[0], node


def _callee(node: Node) -> str | None:
    found = node.child_by_field_name("function") or node.child_by_field_name("type")
    while found is not None:
        if found.type in ("identifier", "field_identifier", "type_identifier", "primitive_type"):
            return (found.text or b"").decode(errors="replace")
        found = found.child_by_field_name("field") or found.child_by_field_name("name")
    return None


def _lone_names(function: SourceFunction, span: Span) -> Iterator[tuple[str, Node]]:
    """``NAME;`` as a statement: a variable would do nothing there, so it is a macro from somewhere else."""
    known = {parameter.name for parameter in function.parameters} | _declared(function.node)
    for node in of_type(function.node, "expression_statement"):
        inside = [child for child in node.named_children if child.type != "comment"]
        if len(inside) == 1 and inside[0].type == "identifier" and inside[0].text:
            name = inside[0].text.decode(errors="replace")
            if name not in known and span.contains(Span(node.start_byte, node.end_byte)):
                yield name, node


def _indirect_calls(function: Node, span: Span) -> Iterator[Node]:
    for node in of_type(function, "call_expression"):
        if span.contains(Span(node.start_byte, node.end_byte)) and _callee(node) is None:
            callee = node.child_by_field_name("function")
            if callee is not None and callee.type not in ("sized_type_specifier", "lambda_expression"):
                yield node


def _lambdas(function: Node) -> dict[str, Node]:
    """Variables of a function that are lambdas."""
    found: dict[str, Node] = {}
    for node in of_type(function, "init_declarator"):
        name, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
        if name is not None and value is not None and value.type == "lambda_expression" and name.text:
            found[name.text.decode(errors="replace")] = value
    return found


def _declared(function: Node) -> set[str]:
    """Names of variables that a function declares."""
    found: set[str] = set()
    for declaration in of_type(function, "declaration", "for_range_loop", "parameter_declaration"):
        for declarator in declaration.children_by_field_name("declarator"):
            node: Node | None = declarator
            while node is not None and node.type != "identifier":
                below = node.child_by_field_name("declarator")
                node = (
                    below
                    if below is not None
                    else next(
                        (
                            child
                            for child in node.named_children
                            if "identifier" in child.type or "declarator" in child.type
                        ),
                        None,
                    )
                )
            if node is not None and node.text:
                found.add(node.text.decode(errors="replace"))
    return found
