"""What a tool call gives back: the document as structured content with a short text, or an error."""

from __future__ import annotations

import json
from typing import Any

from mcp_types import CallToolResult, TextContent

from rocm_perf_lab.contracts.failure import failure_document
from rocm_perf_lab.contracts.text import to_text
from rocm_perf_lab.errors import RocmPerfError


def result(document: dict[str, Any], text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=document)


def failure(document: dict[str, Any]) -> CallToolResult:
    """Of the error document that a command printed."""
    error = document["error"]
    lines = [f"error: {error['cause']}"]
    lines += [f"try: {error['remedy']}"] if error.get("remedy") else []
    lines += [f"kept: {error['collected']}"] if error.get("collected") else []
    return CallToolResult(
        content=[TextContent(type="text", text="\n".join(lines))], structured_content=document, is_error=True
    )


def failed(error: RocmPerfError) -> CallToolResult:
    return failure(as_json(failure_document(error)))


def as_json(document: object) -> dict[str, Any]:
    """A document as JSON has it."""
    found = json.loads(to_text(document))
    assert isinstance(found, dict)
    return found
