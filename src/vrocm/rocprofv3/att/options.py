"""The options of the thread trace (ATT)."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import RequestRefused
from .perfcounters import ACTIVITY, StreamedCounter, parse_counters

_DEFAULT_BUFFER = 96 << 20  # bytes, as in rocprofv3


@dataclass(frozen=True)
class AttOptions:
    target_cu: int
    shader_engine_mask: int
    simd_select: int
    buffer_size: int  # bytes
    library_path: tuple[str, ...]
    perfcounters: tuple[StreamedCounter, ...]
    perfcounter_period: int  # 0: no counters
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
        "--att-library-path",
        nargs="+",
        metavar="DIR",
        help="folder of AMD's trace decoder: accepted, not used; the virtual GPU's traces need no decoder",
    )
    group.add_argument(
        "--att-target-cu", metavar="CU", help="compute unit of each shader engine to trace (default 1)"
    )
    group.add_argument("--att-simd-select", metavar="MASK", help="SIMDs to trace (default 0xF)")
    group.add_argument(
        "--att-buffer-size",
        metavar="BYTES",
        help="of the trace of one shader engine (default 96 MB); what comes later is lost and reported",
    )
    group.add_argument(
        "--att-shader-engine-mask",
        metavar="MASK",
        help="shader engines to trace, those of the first die first (default 0x1)",
    )
    group.add_argument(
        "--att-perfcounters",
        nargs="+",
        type=str.upper,
        metavar="COUNTER",
        help="up to 8 SQ counters of the compute unit over time, each with :MASK of SIMDs if not all",
    )
    group.add_argument(
        "--att-perfcounter-ctrl", metavar="PERIOD", help="1 to 32: distance of samples; 0: none (default)"
    )
    group.add_argument(
        "--att-activity", metavar="PERIOD", help="1 to 16: --att-perfcounters with those of the activity view"
    )
    flag(group, "--att-serialize-all", text="accepted: traced dispatches are simulated one at a time anyway")


# Hardware has up to 16 units in a shader engine.
_MOST_CU = 15


def _number(option: str, value: Any, default: int) -> int:
    if value is None:
        return default
    try:
        number = value if isinstance(value, int) else int(str(value), 0)
    except ValueError:
        raise RequestRefused(f"--{option}: '{value}' is not a number") from None
    if number < 0:
        raise RequestRefused(f"--{option}: {number} is negative")
    return number


def _within(option: str, value: int, low: int, high: int) -> int:
    if value and not low <= value <= high:
        raise RequestRefused(f"--{option}: {value} is not between {low} and {high}")
    return value


def resolve_att_options(values: dict[str, Any]) -> AttOptions | None:
    """The options, or None when no thread trace is asked for."""
    if not values.get("advanced_thread_trace"):
        given = [name for name in values if name.startswith("att_") and values[name] not in (None, False)]
        if given:
            raise RequestRefused(f"--{given[0].replace('_', '-')} needs --att")
        return None
    path = values.get("att_library_path") or ()
    counters, period = _counters(values)
    return AttOptions(
        target_cu=_within("att-target-cu", _given(values, "att-target-cu", 1), 0, _MOST_CU),
        shader_engine_mask=_mask(values, "att-shader-engine-mask", 0x1, 32),
        simd_select=_mask(values, "att-simd-select", 0xF, 4),
        buffer_size=_positive(values, "att-buffer-size", _DEFAULT_BUFFER),
        library_path=(path,) if isinstance(path, str) else tuple(path),
        perfcounters=counters,
        perfcounter_period=period,
        serialize_all=bool(values.get("att_serialize_all")),
    )


def _given(values: dict[str, Any], option: str, default: int) -> int:
    return _number(option, values.get(option.replace("-", "_")), default)


def _positive(values: dict[str, Any], option: str, default: int) -> int:
    number = _given(values, option, default)
    if number == 0:
        raise RequestRefused(f"--{option}: 0 leaves no room for a trace")
    return number


def _mask(values: dict[str, Any], option: str, default: int, bits: int) -> int:
    mask = _given(values, option, default)
    if mask == 0:
        raise RequestRefused(f"--{option}: 0 selects nothing")
    if mask >> bits:
        raise RequestRefused(f"--{option}: 0x{mask:x} has more than {bits} bits")
    return mask


def _counters(values: dict[str, Any]) -> tuple[tuple[StreamedCounter, ...], int]:
    """The counters to stream, and their period; no period: none are streamed."""
    text = values.get("att_perfcounters")
    names = " ".join(text if isinstance(text, (list, tuple)) else [text or ""]).replace(",", " ").split()
    period = _within("att-perfcounter-ctrl", _given(values, "att-perfcounter-ctrl", 0), 1, 32)
    activity = _within("att-activity", _given(values, "att-activity", 0), 1, 16)
    if activity:
        if values.get("pmc") or names or period:
            raise RequestRefused(
                "--att-activity takes the place of --pmc, --att-perfcounters and their period"
            )
        return parse_counters(list(ACTIVITY)), activity
    if names and not period:
        raise RequestRefused(
            "--att-perfcounters: needs --att-perfcounter-ctrl 1 to 32, the distance of samples"
        )
    if period and not names:
        raise RequestRefused("--att-perfcounter-ctrl: needs --att-perfcounters")
    return parse_counters(names), period
