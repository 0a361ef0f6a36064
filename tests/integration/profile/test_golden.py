"""profile.json of the examples on the virtual GPU, as committed in golden/.

After a change that is meant to change them:
ROCM_PERF_UPDATE_GOLDEN=1 pytest tests/integration/profile/test_golden.py
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.profile import ProfileDocument

from .conftest import ROOT, Build, Profile
from .normalise import normalise

GOLDEN = Path(__file__).parent / "golden"
# two_streams uses several queues and is not part of this.
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.hip") if path.stem != "two_streams")
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
