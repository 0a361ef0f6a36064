"""The loops of a kernel's body, in the order of the text, with their nesting and trip counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from rocm_perf_lab.optimize.source.constants import constants_within
from rocm_perf_lab.optimize.source.counted import trips
from rocm_perf_lab.optimize.source.model import Loop, LoopKind, Span
from rocm_perf_lab.optimize.source.tokens import Token, line_of, tokens

KINDS: dict[str, LoopKind] = {
    "for_statement": "for",
    "while_statement": "while",
    "do_statement": "do",
    "for_range_loop": "range",
}
_UNROLL = re.compile(
    r"\s*(#\s*pragma\s+(clang\s+loop\s+)?(nounroll|unroll)\b|_Pragma\s*\(\s*\"\s*(no)?unroll)"
)


def loops_of(body: Node, text: bytes, constants: Mapping[str, int]) -> tuple[Loop, ...]:
    inner = constants_within(body, constants)
    found: list[Loop] = []
    for node, parent, depth in _walk(body, None, 0, iter(range(1 << 30))):
        inside = node.child_by_field_name("body") or node
        found.append(
            Loop(
                number=len(found),
                kind=KINDS[node.type],
                span=Span(node.start_byte, node.end_byte),
                body=Span(inside.start_byte, inside.end_byte),
                line=line_of(text, node.start_byte),
                last_line=line_of(text, node.end_byte - 1),
                depth=depth,
                parent=parent,
                trips=trips(node, inner),
                header=_header(node, inside, text),
                pragma=_pragma(node),
                node=node,
            )
        )
    return tuple(found)


def _walk(
    node: Node, parent: int | None, depth: int, numbers: Iterator[int]
) -> Iterator[tuple[Node, int | None, int]]:
    for child in node.children:
        if child.type in KINDS:
            number = next(numbers)
            yield child, parent, depth
            yield from _walk(child, number, depth + 1, numbers)
        else:
            yield from _walk(child, parent, depth, numbers)


def _header(node: Node, inside: Node, text: bytes) -> str:
    end = inside.start_byte if inside.start_byte > node.start_byte else node.end_byte
    if node.type == "do_statement":
        condition = node.child_by_field_name("condition")
        tail = text[condition.start_byte : condition.end_byte] if condition is not None else b""
        return f"do while {_single(tail)}"
    return _single(text[node.start_byte : end])


def _single(text: bytes) -> str:
    """The text on one line with single blanks, comments left out."""
    kept = b"".join(
        b" " if token.kind == "comment" else text[before.end if before else 0 : token.end]
        for before, token in _with_gap(text)
    )
    return " ".join(kept.decode(errors="replace").split())


def _with_gap(text: bytes) -> Iterator[tuple[Token | None, Token]]:
    """Each token with the one before it, so that the blanks between them are kept."""
    before: Token | None = None
    for token in tokens(text):
        yield before, token
        before = token


def _pragma(node: Node) -> Span | None:
    before = node.prev_sibling
    while before is not None and before.type == "comment":
        before = before.prev_sibling
    if before is not None and before.type == "preproc_call":
        content = (before.text or b"").decode(errors="replace")
        if _UNROLL.match(content):
            return Span(before.start_byte, before.end_byte)
    return None
