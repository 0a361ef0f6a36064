"""Text to syntax tree, with the grammar of CUDA and what HIP adds to it taken out of its way.

Words that the grammar does not know and that change nothing of the structure (alignment, attributes of
lambdas, macros that stand for specifiers) are overwritten with blanks before parsing: every byte keeps its
place, so that positions in the tree are positions in the text.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import tree_sitter
import tree_sitter_cuda
from tree_sitter import Node

from rocm_perf_lab.optimizing.source.macros import Macro
from rocm_perf_lab.optimizing.source.tokens import Token, code_tokens, tokens

# Words of which a macro may consist to be a specifier: it can be left out of the tree.
_SPECIFIERS = frozenset(
    {
        "__global__",
        "__device__",
        "__host__",
        "__forceinline__",
        "__noinline__",
        "inline",
        "static",
        "extern",
        "constexpr",
        "__launch_bounds__",
        "__restrict__",
        "__restrict",
        "restrict",
        "__attribute__",
        "always_inline",
        "noinline",
        "amdgpu_flat_work_group_size",
        "amdgpu_waves_per_eu",
        "__constant__",
        "__shared__",
        "__managed__",
        "__align__",
        "alignas",
        "__inline__",
        "unused",
    }
)
UNROLL = re.compile(r"\s*#\s*pragma\s+(clang\s+loop\b|(no)?unroll\b)")
_CONTROL = frozenset({"if", "for", "while", "switch", "else", "do", "case"})
_BLANKED_WITH_ARGUMENTS = frozenset({"__align__", "alignas", "__attribute__", "HIP_DYNAMIC_SHARED"})
_BLANKED = frozenset({"__noinline__", "__inline__", "__forceinline__", "__restrict"})


@dataclass(frozen=True)
class Parsed:
    text: bytes
    masked: bytes
    """The same with blanks where the grammar was helped."""
    root: Node
    masks: tuple[Token, ...]
    """The words that were blanked."""


def parse(text: bytes, macros: Mapping[str, Macro] | None = None) -> Parsed:
    masked, masks = _mask(text, macros or {})
    return Parsed(text, masked, _parser().parse(masked).root_node, masks)


@functools.cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))


def specifier_macro(macro: Macro) -> bool:
    """Stands for specifiers only (possibly none)."""
    if macro.takes_arguments:
        return False
    code = code_tokens(macro.replacement)
    words = [token.text for token in code if token.kind == "word"]
    return set(words) <= _SPECIFIERS and (bool(words) or not code) and b"{" not in macro.replacement


def _mask(text: bytes, macros: Mapping[str, Macro]) -> tuple[bytes, tuple[Token, ...]]:
    code = code_tokens(text)
    specifiers = {name for name, macro in macros.items() if specifier_macro(macro)}
    masks: list[Token] = []
    place = 0
    while place < len(code):
        token = code[place]
        end = place + 1
        if token.kind == "word":
            if token.text in _BLANKED_WITH_ARGUMENTS and end < len(code) and code[end].text == "(":
                end = _closing(code, end) + 1
            in_lambda = place > 0 and code[place - 1].text == "]" and token.text in ("__device__", "__host__")
            both = place > 1 and masks and masks[-1].end == code[place - 1].end and token.text == "__device__"
            if end > place + 1 or token.text in _BLANKED | specifiers or in_lambda or both:
                masks.append(Token("word", token.text, token.start, code[end - 1].end))
        place = end
    statements = list(_statements(code, macros))
    # The grammar takes a pragma for a statement of its own: "if (x) #pragma unroll for …" would fall apart.
    masks.extend(token for token in tokens(text) if token.kind == "directive" and UNROLL.match(token.text))
    masked = bytearray(text)
    for mask in [*masks, *statements]:
        for position in range(mask.start, mask.end):
            if masked[position] not in b"\r\n":
                masked[position] = 32
    return bytes(masked), tuple(masks)


def _statements(code: list[Token], macros: Mapping[str, Macro]) -> Iterator[Token]:
    """Macros that are used as statements without a semicolon: the grammar has none of that.

    They are no part of the tree. What they stand for is found by their name in the text. One that
    begins a condition or a loop is left as it is: what follows it is not a statement of its own.
    """
    for place, token in enumerate(code[:-1]):
        macro = macros.get(token.text)
        if macro is None or not macro.takes_arguments or code[place + 1].text != "(":
            continue
        end = _closing(code, place + 1)
        follows = code[end + 1] if end + 1 < len(code) else None
        begins = place == 0 or code[place - 1].text in ("{", "}", ";")
        ends = follows is None or follows.text == "}" or follows.kind == "word"
        if begins and ends and not (set(macro.words) & _CONTROL and follows and follows.text != "}"):
            yield Token("word", token.text, token.start, code[end].end)


def _closing(code: list[Token], opening: int) -> int:
    """The index of the parenthesis that closes the one at ``opening``; the last token where none does."""
    depth = 0
    for place in range(opening, len(code)):
        depth += {"(": 1, ")": -1}.get(code[place].text, 0)
        if depth == 0:
            return place
    return len(code) - 1


def descend(node: Node) -> Iterator[Node]:
    """The node and all below it, in the order of the text."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(current.children))


def of_type(node: Node, *types: str) -> Iterator[Node]:
    return (found for found in descend(node) if found.type in types)


def problems(node: Node) -> Iterator[Node]:
    """What the parser did not understand."""
    if node.has_error:
        for found in descend(node):
            if found.type == "ERROR" or found.is_missing:
                yield found
