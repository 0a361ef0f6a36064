"""The loops of a kernel's body, in the order of the text, with their nesting and trip counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from rocm_perf_lab.optimizing.source.constants import constants_within
from rocm_perf_lab.optimizing.source.counted import trips
from rocm_perf_lab.optimizing.source.model import LoopKind, SourceLoop, Span
from rocm_perf_lab.optimizing.source.parse import UNROLL
from rocm_perf_lab.optimizing.source.tokens import Token, line_of, tokens

KINDS: dict[str, LoopKind] = {
    "for_statement": "for",
    "while_statement": "while",
    "do_statement": "do",
    "for_range_loop": "range",
}


def loops_of(body: Node, text: bytes, constants: Mapping[str, int]) -> tuple[SourceLoop, ...]:
    inner = constants_within(body, constants)
    pragmas = _pragmas(text, body.start_byte, body.end_byte)
    found: list[SourceLoop] = []
    for node, parent, depth in _walk(body, None, 0, iter(range(1 << 30))):
        inside = node.child_by_field_name("body") or node
        found.append(
            SourceLoop(
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
                pragma=pragmas.get(node.start_byte),
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


def _pragmas(text: bytes, start: int, end: int) -> dict[int, Span]:
    """Unroll pragmas of a part of a text: where the next code begins -> the pragma."""
    found: dict[int, Span] = {}
    waiting: Span | None = None
    for token in tokens(text, start, end):
        if token.kind == "comment":
            continue
        if token.kind == "directive" and UNROLL.match(token.text):
            waiting = Span(token.start + len(token.text) - len(token.text.lstrip()), token.end)
            continue
        if waiting is not None:
            found[token.start] = waiting
            waiting = None
    return found
