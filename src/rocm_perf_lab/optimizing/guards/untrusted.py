"""What a body that somebody else wrote may contain: the kernel's own device code, nothing that reaches out.

The text is looked at as tokens, macros followed, and as a tree. Characters that make lexers disagree about
what is a comment (lone carriage returns, backslashes at line ends, other spellings of #) are refused
outright.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from rocm_perf_lab.contracts.changes.proposal_refusal import ReasonCode
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.device_names import hazard_kind
from rocm_perf_lab.optimizing.source.hazards import hazards
from rocm_perf_lab.optimizing.source.macros import expanded
from rocm_perf_lab.optimizing.source.model import SourceKernel
from rocm_perf_lab.optimizing.source.parse import UNROLL, of_type
from rocm_perf_lab.optimizing.source.tokens import Token, code_tokens, tokens
from rocm_perf_lab.optimizing.transforms.names import declared_name, text_of

_GLOBAL = frozenset(
    {
        "static",
        "extern",
        "thread_local",
        "namespace",
        "template",
        "using",
        "friend",
        "export",
        "import",
        "module",
        "__global__",
        "__constant__",
        "__managed__",
        "__device__",
        "__host__",
        "concept",
        "operator",
        "register",
        "mutable",
        "typeid",
        "__attribute__",
        "__declspec",
        "this",
    }
)
_HOST = re.compile(
    r"hip(?!ThreadIdx_|BlockIdx_|BlockDim_|GridDim_)[A-Z]\w*|cuda[A-Z]\w*|hsa_\w+|cout|cerr|cin|endl|vector|"
    r"string|thread|mutex|async|filesystem|fstream|ifstream|ofstream|iostream|unique_ptr|shared_ptr"
)
# Effects that a program can see besides memory; those that the kernel has already are its own.
_EFFECTS = frozenset(
    {
        "printf",
        "assert",
        "__assert_fail",
        "__trap",
        "abort",
        "malloc",
        "free",
        "new",
        "delete",
        "__builtin_trap",
    }
)
_CLOCKS = frozenset({"clock", "clock64", "wall_clock64", "__clock", "__clock64", "__smid"})
_OTHER_HASH = ("%:", "??=", "??/")


def check_untrusted_text(body: bytes) -> None:
    """Of the text alone, before it is put anywhere. Raises Refused."""
    if re.search(rb"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", body):
        raise Refused("forbidden-preprocessor", "control characters")
    for token in tokens(body):
        if token.kind == "directive" and not UNROLL.match(token.text):
            raise Refused("forbidden-preprocessor", token.text.strip()[:80])
        if token.kind == "string":
            if "R" in token.text.partition('"')[0]:
                raise Refused("forbidden-preprocessor", "a raw string")
            continue
        if "\\" in token.text and token.kind != "comment":
            raise Refused("forbidden-preprocessor", "a backslash in code")
        if re.search(r"\\\s*\n|\\\s*$", token.text):
            raise Refused("forbidden-preprocessor", "a line that goes on behind a backslash")
        if token.kind != "comment" and not token.text.isascii():
            raise Refused("forbidden-preprocessor", f"{token.text!r} in code")
        if token.text == "#":  # behind a comment, a line is a preprocessor line all the same
            raise Refused("forbidden-preprocessor", "# in code")
        if token.text == "<<<":
            raise Refused("forbidden-host-code", "a launch")
        if token.text == "_Pragma" or token.text.startswith("__has_"):
            raise Refused("forbidden-preprocessor", token.text)
    for spelling in _OTHER_HASH:
        if spelling.encode() in body:
            raise Refused("forbidden-preprocessor", f"{spelling} stands for another character")


def check_untrusted(before: SourceKernel, after: SourceKernel) -> None:
    """Of the body in its place: what it names and calls. Raises Refused."""
    present = {token.text for token in _words(before)}
    for token in _words(after):
        for word in sorted(expanded([token.text], after.file.macros)):
            code = _forbidden(word, present)
            if code is not None:
                raise Refused(code, word if word == token.text else f"{word}, by macro {token.text}")
        if token.text in _outside(before) - present:
            raise Refused("forbidden-global", f"{token.text} is a variable outside of the kernel")
    body = after.function.node.child_by_field_name("body")
    assert body is not None
    for detail in _raw_addresses(body):
        raise Refused("forbidden-global", detail)
    known = {
        (hazard.kind, hazard.name) for hazard in hazards(before.unit, before.function, before.function.body)
    }
    for hazard in hazards(after.unit, after.function, after.function.body):
        if hazard.kind == "assembly" and ("assembly", hazard.name) not in known:
            raise Refused("forbidden-assembly", str(hazard))
        if hazard.kind == "unseen" and ("unseen", hazard.name) not in known:
            raise Refused("forbidden-call", hazard.name)


def _forbidden(word: str, present: set[str]) -> ReasonCode | None:
    if hazard_kind(word) == "assembly":
        return "forbidden-assembly" if word not in present else None
    if word in present:
        return None
    if word in _GLOBAL:
        return "forbidden-global"
    if _HOST.fullmatch(word):
        return "forbidden-host-code"
    if word in _EFFECTS or word in _CLOCKS:
        return "forbidden-call"
    return None


def _words(kernel: SourceKernel) -> list[Token]:
    body = kernel.function.body
    return [token for token in code_tokens(kernel.text, body.start, body.end) if token.kind == "word"]


def _outside(kernel: SourceKernel) -> set[str]:
    """Variables of the file that are no constants: they outlive a launch."""
    found: set[str] = set()
    for file in kernel.unit.files:
        waiting: list[Node] = [file.parsed.root]
        while waiting:
            node = waiting.pop()
            if node.type in ("function_definition", "class_specifier", "struct_specifier"):
                continue
            if node.type == "declaration":
                words = {text_of(child) for child in node.children}
                if not words & {"const", "constexpr"}:
                    for declarator in node.children_by_field_name("declarator"):
                        name = declared_name(declarator)
                        if name is not None and declarator.type != "function_declarator":
                            found.add(name)
            waiting.extend(node.children)
    return found


def _raw_addresses(body: Node) -> Iterator[str]:
    """Numbers that are made pointers: nothing of the kernel's own is found that way."""
    for node in of_type(body, "cast_expression"):
        kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        if kind is not None and value is not None and "*" in text_of(kind) and _is_number(value):
            yield text_of(node)[:60]
    for node in of_type(body, "call_expression"):
        callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if callee is None or arguments is None or "reinterpret_cast" not in text_of(callee):
            continue
        if "*" in text_of(callee) and all(_is_number(each) for each in arguments.named_children):
            yield text_of(node)[:60]


def _is_number(node: Node) -> bool:
    """Made of literals only."""
    names = list(of_type(node, "identifier", "this"))
    return not names and any(True for _ in of_type(node, "number_literal")) and text_of(node) not in ("0",)
