"""``replay reserve-check``: whether every address of a capture can be had here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from rocm_perf_lab.contracts.captures.replay import ReserveCheckDocument, ReservedRange
from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.replaying.native_tool.run_tool import call
from rocm_perf_lab.replaying.native_tool.tool import Tool

SECONDS = 120.0
_NOT_RIGHT = "capture"  # the kind of the tool's errors that speak of the folder
EXIT_CODES = {"exact": 0, "failed": 1, "relocated": 2}

Outcome = Literal["exact", "relocated", "failed"]


def reserve_check(capture: Path, tool: Tool) -> ReserveCheckDocument:
    """Raises for a capture that is not there or not right; whatever else the tool finds is the answer."""
    code, told, said = call(tool, tool.command("reserve-check", capture), SECONDS)
    error = told.get("error")
    if isinstance(error, dict) and error.get("kind") == _NOT_RIGHT:
        raise BadInput(str(error["message"]), error.get("remedy") or None)
    reason = str(error["message"]) if isinstance(error, dict) and "message" in error else None
    ranges = tuple(_range(one) for one in told.get("ranges", ()))
    outcome: Outcome = {0: "exact", 2: "relocated"}.get(code, "failed")  # type: ignore[assignment]
    if outcome == "failed" and reason is None and not any(one.outcome == "failed" for one in ranges):
        reason = said or f"the tool ended with exit code {code}"
    return ReserveCheckDocument(
        capture=str(capture),
        outcome=outcome,
        ranges=ranges,
        bytes=sum(one.size for one in ranges),
        reason=reason,
    )


def _range(told: Mapping[str, Any]) -> ReservedRange:
    outcome = told.get("outcome") or told.get("status")
    return ReservedRange(
        base=str(told["base"]),
        size=int(told["size"]),
        outcome=outcome if outcome in ("exact", "relocated") else "failed",
        got=told.get("got"),
        reason=told.get("reason"),
    )
