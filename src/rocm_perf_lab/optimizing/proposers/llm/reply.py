"""From a model's answer to the body of the kernel: prose is left out, anything unclear is refused."""

from __future__ import annotations

import re

from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.functions import functions_of
from rocm_perf_lab.optimizing.source.macros import macros_of
from rocm_perf_lab.optimizing.source.model import SourceFunction, SourceKernel
from rocm_perf_lab.optimizing.source.parse import parse
from rocm_perf_lab.optimizing.source.tokens import Token, code_tokens, tokens

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[^\n`]*$", re.MULTILINE)
# Of the kernel's own body, and of any: a change that needs more is another program.
LARGEST_GROWTH = 8
LARGEST_BODY = 64 << 10
SMALLEST_LIMIT = 4 << 10
DEEPEST = 100


def body_in_reply(kernel: SourceKernel, reply: str) -> bytes:
    """The new body, with its braces. Raises Refused."""
    blocks = _blocks(reply)
    bodies: dict[bytes, None] = {}
    others: list[str] = []
    for block in blocks:
        content = block.encode(errors="surrogateescape")
        _check_size(kernel, content)
        found = _body(kernel, content, others)
        if found is not None:
            bodies[found] = None
    if len(bodies) > 1:
        raise Refused("reply-ambiguous", f"{len(bodies)} different bodies")
    if bodies:
        return next(iter(bodies))
    if others:
        raise Refused("reply-wrong-kernel", f"{', '.join(others[:3])} instead of {kernel.function.name}")
    raise Refused("reply-without-code", reply.strip().partition("\n")[0][:80])


def _blocks(reply: str) -> list[str]:
    """Fenced blocks; without any, the answer itself if it looks like code."""
    fences = list(_FENCE.finditer(reply))
    if not fences:
        text = reply.strip()
        if "__global__" in text or text.startswith("{"):
            return [text]
        return []
    if len(fences) % 2:
        raise Refused("reply-truncated", "a block of code is not closed")
    return [
        reply[opening.end() : closing.start()].strip("\n")
        for opening, closing in zip(fences[::2], fences[1::2], strict=True)
    ]


def _check_size(kernel: SourceKernel, content: bytes) -> None:
    present = kernel.function.body.end - kernel.function.body.start
    limit = min(LARGEST_BODY, max(SMALLEST_LIMIT, LARGEST_GROWTH * present))
    # A whole file may come back; then its other parts are those of the file.
    if len(content) > limit + len(kernel.text):
        raise Refused("reply-too-large", f"{len(content)} bytes")
    depth = 0
    for token in code_tokens(content):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(token.text, 0)
        if depth > DEEPEST:
            raise Refused("reply-too-large", f"more than {DEEPEST} brackets in each other")


def _body(kernel: SourceKernel, content: bytes, others: list[str]) -> bytes | None:
    stripped = content.strip()
    if stripped.startswith(b"{"):
        return _checked(kernel, stripped)
    parsed = parse(content, {**kernel.file.macros, **macros_of(content)})
    functions = functions_of(parsed, kernel.file.macros)
    same = [function for function in functions if function.name == kernel.function.name]
    if not same:
        others.extend(function.name for function in functions)
        if b"__global__" in content and not functions:
            raise Refused("reply-truncated", "a kernel begins and does not end")
        return None
    if len(same) > 1:
        raise Refused("reply-ambiguous", f"{len(same)} definitions of {kernel.function.name}")
    _check_same_kernel(kernel.function, same[0])
    _check_nothing_else(kernel, content, same[0])
    return _checked(kernel, same[0].body.of(content))


def _check_same_kernel(ours: SourceFunction, theirs: SourceFunction) -> None:
    names = [parameter.name for parameter in ours.parameters]
    if [parameter.name for parameter in theirs.parameters] != names or not theirs.is_kernel:
        raise Refused("signature-changed", f"parameters {', '.join(str(name) for name in names)} expected")


def _check_nothing_else(kernel: SourceKernel, content: bytes, function: SourceFunction) -> None:
    """What stands around the kernel in the answer is in the file already: else the body may count on it."""
    present = [token.text for token in tokens(kernel.text) if token.kind not in ("comment",)]
    directives = {" ".join(text.split()) for text in present if text.lstrip().startswith("#")}
    for token in tokens(content):
        inside = function.span.start <= token.start < function.span.end
        if token.kind == "directive" and not inside and " ".join(token.text.split()) not in directives:
            raise Refused("forbidden-preprocessor", token.text.strip()[:80])
    code = [token.text for token in code_tokens(kernel.text)]
    for part in ((0, function.span.start), (function.span.end, len(content))):
        around: list[Token] = code_tokens(content, *part)
        if around and not _occurs([token.text for token in around], code):
            text = " ".join(token.text for token in around[:12])
            raise Refused("forbidden-global", f"besides the kernel: {text}")


def _occurs(part: list[str], whole: list[str]) -> bool:
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))


def _checked(kernel: SourceKernel, body: bytes) -> bytes:
    present = kernel.function.body.end - kernel.function.body.start
    limit = min(LARGEST_BODY, max(SMALLEST_LIMIT, LARGEST_GROWTH * present))
    if len(body) > limit:
        raise Refused("reply-too-large", f"{len(body)} bytes where {present} are; at most {limit}")
    depth = 0
    for number, token in enumerate(code := code_tokens(body)):
        depth += {"{": 1, "}": -1}.get(token.text, 0)
        if depth == 0 and number < len(code) - 1:
            raise Refused("body-not-closed", "code follows the body")
    if depth != 0:
        raise Refused("reply-truncated", f"{depth} braces are not closed")
    return body
