"""Results in the T4 format of the auto-tuning community (schema version 1.0.0): read and written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rocm_perf_lab.autotuning.formats.json_file import write_json
from rocm_perf_lab.autotuning.formats.recording import (
    Failure,
    RecordedResult,
    Recording,
    is_value,
    recording,
    usable,
)
from rocm_perf_lab.errors import BadInput

NAME = "T4"
VERSION = "1.0.0"
CORRECT = "correct"
_INVALIDITIES: dict[str, Failure] = {
    "timeout": "timeout",
    "compile": "compile",
    "runtime": "runtime",
    "correctness": "correctness",
    "constraints": "constraints",
}


def is_t4(document: Any) -> bool:
    return isinstance(document, dict) and isinstance(document.get("results"), list)


def read_t4(document: Any, name: str) -> Recording:
    entries = document["results"]
    objective = _objective(entries, name)
    return recording(
        [_result(entry, objective, name) for entry in entries],
        name=name,
        format_name=NAME,
        objective=objective,
    )


def _objective(entries: list[Any], name: str) -> str:
    """What was to be optimised; of several ``time``, if that is among them."""
    for entry in entries:
        named = entry.get("objectives") if isinstance(entry, dict) else None
        if isinstance(named, list) and named and isinstance(named[0], str):
            return "time" if "time" in named else named[0]
    return "time"


def _result(entry: Any, objective: str, name: str) -> RecordedResult:
    configuration = entry.get("configuration") if isinstance(entry, dict) else None
    if not isinstance(configuration, dict) or not all(is_value(value) for value in configuration.values()):
        raise BadInput(f"{name}: a result has no configuration with plain values")
    invalid = str(entry.get("invalidity", CORRECT))
    times = entry.get("times")
    runtimes = times.get("runtimes") if isinstance(times, dict) else None
    samples = tuple(float(one) for one in runtimes if usable(one)) if isinstance(runtimes, list) else ()
    value = next(
        (
            usable(measured.get("value"))
            for measured in entry.get("measurements") or []
            if isinstance(measured, dict) and measured.get("name") == objective
        ),
        sum(samples) / len(samples) if samples else None,
    )
    if invalid != CORRECT:
        value = None
    failure = None if value is not None else _INVALIDITIES.get(invalid, "runtime")
    return RecordedResult(configuration, value, failure, samples)


def write_t4(path: Path, results: Sequence[tuple[RecordedResult, str]]) -> None:
    """Each result with the time at which it was taken (ISO 8601); values in ms."""
    entries = []
    for result, when in results:
        measured = [] if result.value is None else [{"name": "time", "value": result.value, "unit": "ms"}]
        entries.append(
            {
                "timestamp": when,
                "configuration": dict(result.configuration),
                "objectives": ["time"],
                "times": {"runtimes": list(result.samples)},
                "invalidity": result.failure or CORRECT,
                "correctness": 0 if result.failure == "correctness" else 1,
                "measurements": measured,
            }
        )
    write_json(path, {"schema_version": VERSION, "results": entries})
