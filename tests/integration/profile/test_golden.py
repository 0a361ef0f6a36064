"""profile.json of the examples on the virtual GPU, as committed in golden/.

After a change that is meant to change them:
ROCM_PERF_UPDATE_GOLDEN=1 pytest tests/integration/profile/test_golden.py
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument

Profile = Callable[..., Any]  # fixture profile: rocm-perf profile with these arguments
Build = Callable[..., Path]  # fixture build: the compiled program

ROOT = Path(__file__).parents[3]
GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = sorted((ROOT / "examples").glob("*.hip"))
# Counter passes take time: memory bound, matrix cores, several kernels.
WITH_COUNTERS = ("vector_add", "matmul_mfma", "reduction")
UPDATE = bool(os.environ.get("ROCM_PERF_UPDATE_GOLDEN"))


@pytest.mark.parametrize("source", EXAMPLES, ids=lambda path: path.stem)
def test_profile_of_example(source: Path, build: Build, profile: Profile) -> None:
    options = ["--roofline"] if source.stem in WITH_COUNTERS else []
    run = profile("--json", "--runs", 1, *options, build(source))
    assert run.code == 0, run.stderr
    from_json(ProfileDocument, run.out, "profile.json")
    found = normalise(run.document)
    assert (found["dropped_counters"], found["warnings"]) == ({}, [])  # nothing of the kind becomes golden
    file = GOLDEN / f"{source.stem}.json"
    if UPDATE:
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert found == json.loads(file.read_text(encoding="utf-8"))


def test_every_golden_file_has_its_example() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == {path.stem for path in EXAMPLES}


def normalise(document: dict[str, Any]) -> dict[str, Any]:
    """A copy without what differs between two profiles although nothing has changed.

    Where, when and on which host a run was made, how long its processes took, and process ids in the names of
    databases are replaced by what they are. Also left out is which counters were collected and in which pass:
    that follows from what all analyses ask for, and is tested elsewhere; the figures made of them are
    compared. Everything else (times on the GPU, work, traffic, resources, verdicts) repeats exactly.
    """
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
