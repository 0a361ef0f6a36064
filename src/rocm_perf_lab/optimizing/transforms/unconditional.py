"""Whether a part of a loop's body runs in every iteration."""

from __future__ import annotations

from tree_sitter import Node

from rocm_perf_lab.optimizing.source.loops import KINDS
from rocm_perf_lab.optimizing.source.parse import of_type
from rocm_perf_lab.optimizing.transforms.names import text_of

_MAY_SKIP = frozenset(
    {*KINDS, "if_statement", "conditional_expression", "switch_statement", "lambda_expression"}
)
_LEAVES = ("break_statement", "continue_statement", "return_statement", "goto_statement")


def always_runs(node: Node, body: Node) -> bool:
    """Not below a condition, an inner loop or a lambda, and nothing leaves the body before it."""
    current = node
    while current != body:
        parent = current.parent
        if parent is None or (parent.type in _MAY_SKIP and parent != body):
            return False
        if parent.type == "binary_expression":
            operator = parent.child_by_field_name("operator")
            if operator is not None and text_of(operator) in ("&&", "||"):
                return False
        if parent.type == "sizeof_expression" or parent.type == "decltype":
            return False
        current = parent
    return not any(leaving.start_byte < node.start_byte for leaving in of_type(body, *_LEAVES))
