"""Cache files of Kernel Tuner: read (also of a tuning that was stopped) and written.

The file is one object; ``cache`` maps the values of a configuration, joined by commas, to its parameters and
what was measured. A tuning that is under way has not closed the last two brackets yet.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rocm_perf_lab.autotuning.formats.json_file import parse_json, write_json
from rocm_perf_lab.autotuning.formats.recording import (
    Failure,
    RecordedResult,
    Recording,
    is_value,
    recording,
    usable,
)
from rocm_perf_lab.autotuning.space import Space, Value
from rocm_perf_lab.errors import BadInput

NAME = "kernel-tuner"
_WORDS: dict[str, Failure] = {
    "CompilationFailedConfig": "compile",
    "RuntimeFailedConfig": "runtime",
    "InvalidConfig": "constraints",
}


def is_cache(document: Any) -> bool:
    return isinstance(document, dict) and isinstance(document.get("cache"), dict)


def parse_cache(text: str, name: str) -> Any:
    """The document, with the brackets that a stopped tuning has left open."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        cut = text.rstrip().rstrip(",")
        if '"cache"' in cut:
            with contextlib.suppress(ValueError):
                return json.loads(cut + "}}")
        return parse_json(text, name)


def read_cache(document: Any, name: str) -> Recording:
    keys = document.get("tune_params_keys") or list(document.get("tune_params") or {})
    lists = document.get("tune_params")
    if not isinstance(keys, list) or not keys or not all(isinstance(key, str) for key in keys):
        raise BadInput(f"{name} does not say which parameters were tuned (tune_params_keys)")
    objective = document.get("objective") if isinstance(document.get("objective"), str) else "time"
    results = [_result(entry, keys, objective, name) for entry in document["cache"].values()]
    listed = None
    if isinstance(lists, dict) and all(isinstance(lists.get(key), list) for key in keys):
        listed = {key: [value for value in lists[key] if is_value(value)] for key in keys}
    return recording(
        results,
        name=name,
        format_name=NAME,
        objective=objective,
        parameters=listed,
        device=document.get("device_name") or None,
        kernel=document.get("kernel_name") or None,
    )


def _result(entry: Any, keys: list[str], objective: str, name: str) -> RecordedResult:
    if not isinstance(entry, dict) or not all(is_value(entry.get(key)) for key in keys):
        raise BadInput(f"{name}: an entry of the cache does not name all parameters")
    found = entry.get(objective)
    value = usable(found)
    word = found if isinstance(found, str) else str(entry.get("__error__", ""))
    samples = entry.get("times")
    return RecordedResult(
        {key: entry[key] for key in keys},
        value,
        None if value is not None else _WORDS.get(word, "runtime"),
        tuple(float(one) for one in samples if usable(one)) if isinstance(samples, list) else (),
    )


def write_cache(
    path: Path, space: Space, results: Sequence[RecordedResult], kernel: str, device: str
) -> None:
    """Times in ms under ``time``; a failure is named by Kernel Tuner's word for it."""
    words = {failure: word for word, failure in _WORDS.items()}
    entries = {}
    for result in results:
        values: list[Value] = [result.configuration[key] for key in space.names]
        entry: dict[str, Any] = dict(result.configuration)
        entry["time"] = (
            result.value
            if result.value is not None
            else words.get(result.failure or "runtime", "RuntimeFailedConfig")
        )
        entry["times"] = list(result.samples)
        entry |= dict.fromkeys(
            ("compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"), 0
        )
        entries[",".join(str(value) for value in values)] = entry
    write_json(
        path,
        {
            "device_name": device,
            "kernel_name": kernel,
            "problem_size": "",
            "tune_params_keys": list(space.names),
            "tune_params": {parameter.name: list(parameter.values) for parameter in space.parameters},
            "objective": "time",
            "cache": entries,
        },
    )
