"""The tokens of C++ text: what is code, what is comment, string or preprocessor line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["comment", "string", "directive", "number", "word", "mark"]

_STRING = rb'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
_COMMENT = rb"//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z)"
_TOKEN = re.compile(
    rb"(?P<comment>" + _COMMENT + rb")"
    rb'|(?P<string>(?:u8|[uUL])?R"(?P<fence>[^()\\\s]*)\(.*?\)(?P=fence)"|(?:u8|[uUL])?(?:' + _STRING + rb"))"
    rb"|(?P<directive>(?:(?<=\n)|(?<![\s\S]))[ \t]*\#(?:" + _COMMENT + rb"|" + _STRING + rb"|\\\r?\n|[^\n])*)"
    rb"|(?P<number>\.?[0-9](?:[eEpP][+-]|'[0-9a-zA-Z]|[\w.])*)"
    rb"|(?P<word>[A-Za-z_]\w*)"
    rb"|(?P<mark>\.\.\.|::|->|<<<|>>>|\+\+|--|[-+*/%&|^=<>!]=|&&|\|\||<<|\S)",
    re.DOTALL,
)


class Token(NamedTuple):
    kind: Kind
    text: str
    start: int
    end: int


def tokens(text: bytes, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """All tokens of a part of a text, in order. Never fails: what is no token is a mark of its own."""
    for match in _TOKEN.finditer(text, start, len(text) if end is None else end):
        kind: Kind = match.lastgroup if match.lastgroup != "fence" else "string"  # type: ignore[assignment]
        if kind == "string" or match["string"] is not None:
            kind = "string"
        yield Token(kind, match[0].decode(errors="replace"), match.start(), match.end())


def code_tokens(text: bytes, start: int = 0, end: int | None = None) -> list[Token]:
    """Without comments, strings and preprocessor lines."""
    return [
        token for token in tokens(text, start, end) if token.kind not in ("comment", "string", "directive")
    ]


def words(text: bytes, start: int = 0, end: int | None = None) -> list[Token]:
    """The identifiers and keywords of the code."""
    return [token for token in tokens(text, start, end) if token.kind == "word"]


def line_of(text: bytes, position: int) -> int:
    """Counted from 1."""
    return text.count(b"\n", 0, position) + 1
