"""``replay full-vm``: one process that replays a capture some times, as a document."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rocm_perf_lab.contracts.captures.replay import (
    Condition,
    Execution,
    Fidelity,
    ReplayDocument,
    ReplayedKernel,
    ReplayEnvironment,
    Restore,
    Timing,
)
from rocm_perf_lab.replaying.native_tool import document as native
from rocm_perf_lab.replaying.native_tool.run_tool import ReplayRequest, replay
from rocm_perf_lab.replaying.native_tool.tool import Tool
from rocm_perf_lab.replaying.proof.fidelity import fidelity


def full_vm(
    request: ReplayRequest, tool: Tool, *, raw: bool = False, tick: Callable[[], None] | None = None
) -> ReplayDocument:
    return document_of(replay(tool, request, tick=tick), request, tool, raw=raw)


def document_of(told: Mapping[str, Any], request: ReplayRequest, tool: Tool, *, raw: bool) -> ReplayDocument:
    kernel, environment = native.section(told, "kernel"), native.section(told, "environment")
    restore = native.section(told, "restore")
    values = native.values_us(told)
    found = figures(values)
    missing: dict[str, str] = {}
    close = _fidelity(told, values, request, tool, missing)
    canaries = native.canaries(told)
    if canaries is None:
        missing["canaries"] = "the regions leave no room for canaries"
    return ReplayDocument(
        origin=tool.origin,
        missing=missing,
        capture=str(request.capture),
        kernel=ReplayedKernel(
            name=str(kernel["name"]),
            demangled=str(kernel.get("demangled") or kernel["name"]),
            hsaco_path=str(kernel["hsaco_path"]),
            variant=request.hsaco is not None,
        ),
        execution=Execution(
            iterations=len(values),
            mode="stateless" if request.recopy else "stateful",
            recopy=request.recopy,
            warmup=request.warmup,
            cold=request.cold,
        ),
        timing=Timing(
            origin=tool.origin,
            missing={} if raw else {"values": "given with --raw"},
            average=found.average,
            min=found.min,
            max=found.max,
            median=found.median,
            spread=found.spread,
            values=values if raw else None,
        ),
        environment=ReplayEnvironment(
            gpu_agent=str(environment["gpu_agent"]),
            product=environment.get("product") or None,
            gpu_index=int(environment["gpu_index"]),
            rocm_version=environment.get("rocm_version") or tool.prefix.version,
            pid=int(environment["pid"]),
        ),
        wall_seconds=float(told["wall_seconds"]),
        restore=Restore(
            origin="measured",
            missing={
                name: "the tool does not say"
                for name in ("full_seconds", "iteration_seconds", "dirty_pages")
                if restore.get(name) is None
            },
            full_seconds=restore.get("full_seconds"),
            iteration_seconds=restore.get("iteration_seconds"),
            dirty_pages=restore.get("dirty_pages"),
        ),
        fidelity=close,
        addresses=native.addresses(told),
        agreement=native.agreement(told),
        canaries=canaries,
        notes=native.notes(told),
    )


def _fidelity(
    told: Mapping[str, Any],
    values: tuple[float, ...],
    request: ReplayRequest,
    tool: Tool,
    missing: dict[str, str],
) -> Fidelity | None:
    """Of the original kernel only: a variant's time says nothing of how faithful replays are."""
    if request.hsaco is not None:
        missing["fidelity"] = "of the original kernel only; replay it without --hsaco"
        return None
    if not request.recopy:
        missing["fidelity"] = "with --no-recopy iterations do not start from the captured state"
        return None
    condition: Condition = "cold caches" if request.cold else "warm caches"
    if not request.cold and len(values) + request.warmup == 1:
        condition = "first execution"
    return fidelity(native.section(told, "fidelity").get("in_app_us"), values, tool.origin, condition)


@dataclass(frozen=True)
class TimeFigures:
    average: float
    median: float
    min: float
    max: float
    spread: float
    """Sample standard deviation; 0 of a single iteration."""


def figures(microseconds: Sequence[float]) -> TimeFigures:
    return TimeFigures(
        average=math.fsum(microseconds) / len(microseconds),
        median=statistics.median(microseconds),
        min=min(microseconds),
        max=max(microseconds),
        spread=statistics.stdev(microseconds) if len(microseconds) > 1 else 0.0,
    )
