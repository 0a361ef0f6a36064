"""What differs between two profiles of the same program on the virtual GPU although nothing has changed.

Where, when and on which host a run was made, how long its processes took, and process ids in the names of
databases. Also left out is which counters were collected and in which pass: that follows from what all
analyses ask for, and is planned and tested elsewhere; the figures made of them are compared. Everything else
(times on the GPU, work, traffic, resources, verdicts) repeats exactly and is compared.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any


def normalise(document: dict[str, Any]) -> dict[str, Any]:
    """A copy with volatile fields replaced by what they are."""
    setting = document["setting"]
    program, *arguments = setting["command"]
    normal = {
        **document,
        "setting": {
            **setting,
            "command": [Path(program).name, *arguments],
            "working_directory": "PATH",
            "started": "TIME",
            "host": "HOST",
            "prefix": "PATH",
            "gpu_state": "GPU STATE",
            "environment": "VARIABLES",
            "tools": {**setting["tools"], "python": "VERSION"},
        },
        "passes": [
            {**taken, "wall_ms": "TIME", "databases": [_without_ids(path) for path in taken["databases"]]}
            for taken in document["passes"]
            if taken["purpose"] != "counters"
        ],
    }
    found = _without_raw_counters(normal)
    assert isinstance(found, dict)
    return found


def _without_raw_counters(value: Any) -> Any:
    """Rooflines (they alone have a flop_model) without the counters that they were made of."""
    if isinstance(value, list):
        return [_without_raw_counters(child) for child in value]
    if not isinstance(value, dict):
        return value
    kept = {name: _without_raw_counters(child) for name, child in value.items()}
    return {**kept, "counters": "COUNTERS"} if "flop_model" in kept else kept


def _without_ids(path: str) -> str:
    return re.sub(r"/[^/]+/\d+_results\.db$", "/HOST/PID_results.db", path)
