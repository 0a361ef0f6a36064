"""A tuning that was made before: configurations with what they took, whatever file it came from."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rocm_perf_lab.autotuning.space import Levels, Space, SpaceParameter, Value
from rocm_perf_lab.errors import BadInput

Failure = Literal["compile", "runtime", "timeout", "correctness", "constraints"]

# Kernel Tuner writes this number, or words, where there is no time (its util.py).
ERROR_VALUE = 1e20


@dataclass(frozen=True)
class RecordedResult:
    """What one configuration gave."""

    configuration: Mapping[str, Value]
    value: float | None
    """Of the objective; None where it failed."""
    failure: Failure | None
    samples: tuple[float, ...] = ()


@dataclass(frozen=True)
class Recording:
    format: str
    space: Space
    levels: Levels
    times: tuple[float | None, ...]
    """To be made small; of an objective that should be large, its inverse."""
    failures: tuple[Failure | None, ...]
    objective: str
    device: str | None
    kernel: str | None

    @property
    def optimum(self) -> float:
        return min(time for time in self.times if time is not None)


def recording(
    results: Sequence[RecordedResult],
    *,
    name: str,
    format_name: str,
    objective: str,
    parameters: Mapping[str, Sequence[Value]] | None = None,
    device: str | None = None,
    kernel: str | None = None,
) -> Recording:
    """Puts results together; those of one configuration are averaged."""
    if not results:
        raise BadInput(f"{name} has no results")
    listed = parameters or _found(results)
    chosen = tuple(SpaceParameter(key, _completed(key, values, results)) for key, values in listed.items())
    plain = Space(chosen)
    by_row: dict[tuple[int, ...], list[RecordedResult]] = {}
    for result in results:
        by_row.setdefault(plain.levels_of(result.configuration), []).append(result)
    levels = np.array(list(by_row), dtype=np.int32)
    larger_is_better = higher_is_better(objective)
    times: list[float | None] = []
    failures: list[Failure | None] = []
    for same in by_row.values():
        values = [result.value for result in same if result.value is not None]
        time = sum(values) / len(values) if values else None
        times.append(1.0 / time if time is not None and larger_is_better else time)
        failures.append(None if values else same[0].failure or "runtime")
    if all(time is None for time in times):
        raise BadInput(f"{name}: no configuration has a value for {objective!r}")
    return Recording(
        format_name,
        Space(chosen, (), levels),
        levels,
        tuple(times),
        tuple(failures),
        objective,
        device,
        kernel,
    )


def result_of(
    configuration: Mapping[str, Value], value: float | None, failure: str | None, samples: Sequence[float]
) -> RecordedResult:
    """A trial of ours in the words of the community."""
    words: dict[str, Failure] = {
        "compile": "compile",
        "timeout": "timeout",
        "correctness": "correctness",
        "constraints": "constraints",
        "launch": "constraints",
    }
    return RecordedResult(
        configuration, value, None if failure is None else words.get(failure, "runtime"), tuple(samples)
    )


def higher_is_better(objective: str) -> bool:
    """Rates are to be large, everything else small."""
    word = objective.lower()
    return "/s" in word or any(part in word for part in ("throughput", "bandwidth", "gflop", "tflop"))


def usable(value: Any) -> float | None:
    """A measured figure; None for the ways in which files say that there is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) and 0 < value < ERROR_VALUE else None


def is_value(value: Any) -> bool:
    return isinstance(value, (bool, int, float, str))


def _found(results: Sequence[RecordedResult]) -> dict[str, list[Value]]:
    """Parameters and values as they occur; numbers in order."""
    found: dict[str, list[Value]] = {}
    for result in results:
        for key, value in result.configuration.items():
            values = found.setdefault(key, [])
            if value not in values:
                values.append(value)
    return {
        key: sorted(values) if all(isinstance(value, (int, float)) for value in values) else values
        for key, values in found.items()
    }


def _completed(key: str, values: Sequence[Value], results: Sequence[RecordedResult]) -> tuple[Value, ...]:
    """The values listed and those that occur beyond them."""
    known = list(dict.fromkeys(values))
    seen = set(known)
    for result in results:
        value = result.configuration.get(key)
        if value is not None and value not in seen:
            seen.add(value)
            known.append(value)
    return tuple(known)
