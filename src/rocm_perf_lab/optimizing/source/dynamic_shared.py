"""Names that reach dynamic shared memory: the array, and pointers and references that are made from it."""

from __future__ import annotations

import re

from tree_sitter import Node

from rocm_perf_lab.optimizing.source.model import SourceFile, SourceFunction, Unit
from rocm_perf_lab.optimizing.source.parse import of_type
from rocm_perf_lab.optimizing.source.tokens import code_tokens, words

_ARITHMETIC = re.compile(
    rb"(unsigned |signed )?(bool|char|short|int|long|float|double|half|__half|size_t|u?int\d+_t|unsigned)"
)


def dynamic_shared_names(unit: Unit, file: SourceFile, function: SourceFunction) -> set[str]:
    """In a function: extern __shared__ of its own and of the file, and what is made from it.

    A name that is assigned from an expression with such a name counts: rather one too many.
    """
    found = {name for other in unit.files for name in _declared_outside(other)}
    found |= _declared_in(file.text, function.body.start, function.body.end)
    if not found:
        return found
    while True:
        before = len(found)
        for target, value in _assignments(function.node):
            if {word.text for word in words(value.text or b"")} & found:
                found |= target
        if len(found) == before:
            return found


def _declared_outside(file: SourceFile) -> set[str]:
    bodies = [(function.body.start, function.body.end) for function in file.functions]
    names: set[str] = set()
    start = 0
    for begin, end in [*bodies, (len(file.text), len(file.text))]:
        names |= _declared_in(file.text, start, begin)
        start = end
    return names


def _declared_in(text: bytes, start: int, end: int) -> set[str]:
    """``extern __shared__ … name[]`` and ``HIP_DYNAMIC_SHARED(type, name)``."""
    code = code_tokens(text, start, end)
    names: set[str] = set()
    for place, token in enumerate(code):
        if token.text == "HIP_DYNAMIC_SHARED":
            inside = code[place + 1 : place + 40]
            closing = next((at for at, other in enumerate(inside) if other.text == ")"), 0)
            if closing > 1 and inside[closing - 1].kind == "word":
                names.add(inside[closing - 1].text)
        if token.text != "extern":
            continue
        end_of = next((at for at in range(place, len(code)) if code[at].text == ";"), len(code))
        statement = code[place:end_of]
        if any(other.text == "__shared__" for other in statement):
            bracket = next((at for at, other in enumerate(statement) if other.text == "["), len(statement))
            if bracket and statement[bracket - 1].kind == "word":
                names.add(statement[bracket - 1].text)
    return names


def _assignments(function: Node) -> list[tuple[set[str], Node]]:
    """What is assigned, and from what: initialisers, = and references."""
    found = []
    values = _plain_variables(function)
    for node in of_type(function, "init_declarator", "assignment_expression"):
        target = node.child_by_field_name("declarator") or node.child_by_field_name("left")
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        if target is None or value is None:
            continue
        if node.type == "assignment_expression" and target.type not in ("identifier", "field_expression"):
            continue  # an element is written: the value goes into memory, not into a name
        names = {word.text for word in words(target.text or b"")}
        if target.type == "identifier" and names <= values:
            continue  # int x = shared[3] copies a value; auto p = shared + 3 does not
        found.append((names, value))
    return found


def _plain_variables(function: Node) -> set[str]:
    """Variables of arithmetic types, which cannot point anywhere."""
    found: set[str] = set()
    for declaration in of_type(function, "declaration"):
        kind = declaration.child_by_field_name("type")
        if kind is None or not _ARITHMETIC.fullmatch(kind.text or b""):
            continue
        for declarator in declaration.children_by_field_name("declarator"):
            inner = declarator.child_by_field_name("declarator") or declarator
            if inner.type == "identifier" and inner.text:
                found.add(inner.text.decode(errors="replace"))
    return found
