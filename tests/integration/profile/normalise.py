"""What differs between two profiles of the same program on the virtual GPU although nothing has changed.

Where, when and on which host a run was made, how long its processes took, and process ids in the names of
databases. Everything else (times on the GPU, counters, resources, verdicts) repeats exactly and is compared.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any


def normalise(document: dict[str, Any]) -> dict[str, Any]:
    """A copy with volatile fields replaced by what they are."""
    setting = document["setting"]
    program, *arguments = setting["command"]
    return {
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
        ],
    }


def _without_ids(path: str) -> str:
    return re.sub(r"/[^/]+/\d+_results\.db$", "/HOST/PID_results.db", path)
