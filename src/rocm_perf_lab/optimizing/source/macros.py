"""The macros of a source: what their names stand for, followed through other macros."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rocm_perf_lab.optimizing.source.tokens import Token, code_tokens, tokens

_DEFINE = re.compile(
    rb"[ \t]*#[ \t]*define[ \t]+(?P<name>[A-Za-z_]\w*)(?P<parameters>\([^)]*\))?(?P<text>.*)", re.DOTALL
)
_CONDITIONAL = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b")


@dataclass(frozen=True)
class Macro:
    name: str
    takes_arguments: bool
    replacement: bytes
    start: int
    conditional: bool
    """Defined between #if and #endif, or more than once: this may not be the definition that counts."""

    @property
    def pastes(self) -> bool:
        """Makes new words of parts: what they are is not seen."""
        return b"##" in self.replacement

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(token.text for token in code_tokens(self.replacement) if token.kind == "word")


_NONE = Macro("", False, b"", 0, False)


def macros_of(text: bytes) -> dict[str, Macro]:
    """The macros that a file defines itself."""
    found: dict[str, Macro] = {}
    depth = 0
    guard = _include_guard(text)
    for token in tokens(text):
        if token.kind != "directive":
            continue
        conditional = _CONDITIONAL.match(token.text)
        if conditional:
            depth += {"if": 1, "ifdef": 1, "ifndef": 1, "endif": -1}.get(conditional[1], 0)
        define = _DEFINE.fullmatch(text, token.start, token.end)
        if define:
            name = define["name"].decode()
            text_of_it = re.sub(rb"\\\r?\n", b" \n", define["text"])
            before = found.get(name)
            found[name] = Macro(
                name=name,
                takes_arguments=define["parameters"] is not None or (before or _NONE).takes_arguments,
                # Which of several definitions counts is not known: all that they stand for may be there.
                replacement=text_of_it if before is None else before.replacement + b"\n" + text_of_it,
                start=token.start,
                conditional=depth > (1 if guard else 0) or before is not None,
            )
    return found


def _include_guard(text: bytes) -> bool:
    """Whether the whole file stands in one #ifndef, as headers do."""
    directives = [token.text.strip() for token in tokens(text) if token.kind == "directive"]
    return (
        len(directives) > 2
        and directives[0].startswith("#ifndef")
        and directives[1].startswith("#define")
        and directives[1].split()[1:2] == directives[0].split()[1:2]
        and directives[-1].startswith("#endif")
    )


def expanded(words: Iterable[str], macros: Mapping[str, Macro]) -> set[str]:
    """Words, and those that the macros among them stand for, all the way."""
    found: set[str] = set()
    waiting = list(words)
    while waiting:
        word = waiting.pop()
        if word in found:
            continue
        found.add(word)
        if word in macros:
            waiting.extend(macros[word].words)
    return found


def calls_in_macro(macro: Macro) -> set[str]:
    """Names that are followed by a parenthesis in the replacement."""
    code: list[Token] = code_tokens(macro.replacement)
    return {
        word.text for word, after in itertools.pairwise(code) if word.kind == "word" and after.text == "("
    }
