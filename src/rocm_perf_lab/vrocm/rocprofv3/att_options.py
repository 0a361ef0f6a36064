"""The options of the thread trace (ATT)."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .errors import Refused

_DEFAULT_BUFFER = 96 << 20  # bytes, as in rocprofv3


@dataclass(frozen=True)
class AttOptions:
    target_cu: int
    shader_engine_mask: int
    simd_select: int
    buffer_size: int  # bytes
    library_path: tuple[str, ...]
    perfcounters: str | None
    perfcounter_period: int
    activity_period: int
    serialize_all: bool


def add_att_options(parser: argparse.ArgumentParser, flag: Callable[..., None]) -> None:
    group = parser.add_argument_group("thread trace (ATT)")
    flag(
        group,
        "--advanced-thread-trace",
        "--att",
        text="trace the waves of a compute unit instruction by instruction",
    )
    group.add_argument(
        "--att-library-path", nargs="+", metavar="DIR", help="folder of the trace decoder (not needed)"
    )
    group.add_argument("--att-target-cu", metavar="CU", help="compute unit to trace (default 1)")
    group.add_argument("--att-simd-select", metavar="MASK", help="SIMDs to trace (default 0xF)")
    group.add_argument(
        "--att-buffer-size", metavar="BYTES", help="of the trace of one shader engine (default 96 MB)"
    )
    group.add_argument(
        "--att-shader-engine-mask", metavar="MASK", help="shader engines to trace (default 0x1)"
    )
    group.add_argument("--att-perfcounters", type=str.upper, metavar="LIST", help="SQ counters to stream")
    group.add_argument("--att-perfcounter-ctrl", type=int, metavar="PERIOD", help="1 to 32; 0: none")
    group.add_argument("--att-activity", type=int, metavar="PERIOD", help="1 to 16: activity counters")
    flag(group, "--att-serialize-all", text="no other kernel beside any kernel")


def _number(option: str, value: Any, default: int) -> int:
    if value is None:
        return default
    try:
        number = value if isinstance(value, int) else int(str(value), 0)
    except ValueError:
        raise Refused(f"--{option}: '{value}' is not a number") from None
    if number < 0:
        raise Refused(f"--{option}: {number} is negative")
    return number


def _within(option: str, value: int, low: int, high: int) -> int:
    if value and not low <= value <= high:
        raise Refused(f"--{option}: {value} is not between {low} and {high}")
    return value


def resolve_att_options(values: dict[str, Any]) -> AttOptions | None:
    """The options, or None when no thread trace is asked for."""
    if not values.get("advanced_thread_trace"):
        given = [name for name in values if name.startswith("att_") and values[name] not in (None, False)]
        if given:
            raise Refused(f"--{given[0].replace('_', '-')} needs --att")
        return None
    path = values.get("att_library_path") or ()
    return AttOptions(
        target_cu=_number("att-target-cu", values.get("att_target_cu"), 1),
        shader_engine_mask=_number("att-shader-engine-mask", values.get("att_shader_engine_mask"), 0x1),
        simd_select=_within(
            "att-simd-select", _number("att-simd-select", values.get("att_simd_select"), 0xF), 0, 0xF
        ),
        buffer_size=_number("att-buffer-size", values.get("att_buffer_size"), _DEFAULT_BUFFER),
        library_path=(path,) if isinstance(path, str) else tuple(path),
        perfcounters=values.get("att_perfcounters"),
        perfcounter_period=_within(
            "att-perfcounter-ctrl",
            _number("att-perfcounter-ctrl", values.get("att_perfcounter_ctrl"), 0),
            1,
            32,
        ),
        activity_period=_within(
            "att-activity", _number("att-activity", values.get("att_activity"), 0), 1, 16
        ),
        serialize_all=bool(values.get("att_serialize_all")),
    )
