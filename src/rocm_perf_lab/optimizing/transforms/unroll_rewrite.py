"""Unrolling in the source: copies of the body in a row, and the loop itself for what is left.

``for (T i = a; i < b; i += c) S`` becomes ::

    { T i = a;
      for (; <several iterations follow>;) { {S} i += c; {S} i += c; … }
      for (; i < b; i += c) S }

Every copy runs with the same value of ``i`` as in the loop, in the same order: all variables that go from one
iteration to the next do so unchanged, for every trip count. Legal for loops that count, that are left only at
their end or by return, and in which nothing changes the variable, the bound or the step.
"""

from __future__ import annotations

from tree_sitter import Node

from rocm_perf_lab.optimizing.guards.loop_region import check_loop
from rocm_perf_lab.optimizing.source.model import SourceKernel, SourceLoop
from rocm_perf_lab.optimizing.source.tokens import tokens
from rocm_perf_lab.optimizing.transforms.loop_copies import check_copyable, several_may_run
from rocm_perf_lab.optimizing.transforms.names import code_of
from rocm_perf_lab.optimizing.transforms.request import TransformRequest
from rocm_perf_lab.optimizing.transforms.unroll_pragma import checked_loop


def unroll_by_rewriting(kernel: SourceKernel, request: TransformRequest) -> bytes:
    loop, factor = checked_loop(kernel, request)
    check_loop(kernel, loop, rewritten=True)
    parts = check_copyable(kernel, loop)
    follow = several_may_run(kernel, loop, parts, factor)
    copy = f"{{ {closed_body(kernel, loop)} }} {step_of(loop)};"
    return replace_loop(kernel, loop, [f"for (; {follow};) {{", *[copy] * factor, "}"])


def is_rewritten(loop: SourceLoop) -> bool:
    """Whether the loop is one of those that ``replace_loop`` writes: in a row, without a declaration in their
    heads, and one of them steps in its body."""
    row = [
        loop.node,
        *_headless(loop.node, "prev_named_sibling"),
        *_headless(loop.node, "next_named_sibling"),
    ]
    return (
        len(row) > 1 and not _has(loop.node, "initializer") and any(not _has(node, "update") for node in row)
    )


def _headless(node: Node, direction: str) -> list[Node]:
    """The loops without a declaration that stand directly before or after."""
    found: list[Node] = []
    while (beside := getattr(node, direction)) is not None:
        node = beside
        if node.type == "comment" or node.type.startswith("preproc"):
            continue
        if node.type != "for_statement" or _has(node, "initializer"):
            break
        found.append(node)
    return found


def _has(loop: Node, name: str) -> bool:
    return loop.child_by_field_name(name) is not None


def step_of(loop: SourceLoop) -> str:
    return code_of(_field(loop, "update"))


def closed_body(kernel: SourceKernel, loop: SourceLoop) -> str:
    """The body's text; a comment to the end of the line does not swallow what is put behind it."""
    text = loop.body.of(kernel.text)
    last = None
    for token in tokens(text):
        last = token
    ending = "\n" if last is not None and last.kind == "comment" and last.text.startswith("//") else ""
    return text.decode(errors="surrogateescape") + ending


def replace_loop(kernel: SourceKernel, loop: SourceLoop, main: list[str]) -> bytes:
    """The text with the lines of ``main`` in front of the loop, and its variable declared before both."""
    declared = code_of(_field(loop, "initializer")).rstrip().rstrip(";")
    head = f"for (; {code_of(_field(loop, 'condition'))}; {step_of(loop)})"
    rest = f"{head} {closed_body(kernel, loop)}"
    return replace_with(kernel, loop, ["{", f"{declared};", *main, rest, "}"])


def replace_with(kernel: SourceKernel, loop: SourceLoop, lines: list[str]) -> bytes:
    """The text with other lines in the loop's place, indented as it was; its pragma goes with it."""
    text = kernel.text
    start = loop.pragma.start if loop.pragma is not None else loop.span.start
    before = text[text.rfind(b"\n", 0, start) + 1 : start]
    between = "\n" + (before.decode(errors="replace") if not before.strip() else "")
    return text[:start] + between.join(lines).encode(errors="surrogateescape") + text[loop.span.end :]


def _field(loop: SourceLoop, name: str) -> Node:
    node = loop.node.child_by_field_name(name)
    assert node is not None  # counted loops have all of them
    return node
