"""-i with JSON, YAML and text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Profile

Query = Callable[..., list[tuple[object, ...]]]

YAML = """
jobs:
  - kernel_trace: true
    truncate_kernels: true
    output_format: [rocpd, csv]
  - hip_runtime_trace: true
    output_file: calls   # beside the other
"""


def _both(tmp_path: Path, text: str) -> list[Path]:
    import yaml  # type: ignore[import-untyped]

    (tmp_path / "jobs.yaml").write_text(text)
    (tmp_path / "jobs.json").write_text(json.dumps(yaml.safe_load(text)))
    return [tmp_path / "jobs.yaml", tmp_path / "jobs.json"]


def test_jobs(profile: Profile, program: Path, query: Query, tmp_path: Path) -> None:
    for path in _both(tmp_path, YAML):
        run = profile("-i", str(path), program=[program], folder=path.suffix[1:])
        assert run.code == 0, run.stderr
        assert run.stdout == "4128\n4128\n"
        (first,) = (run.folder / "pass_1").rglob("*_results.db")
        assert {row[0] for row in query(first, "SELECT name FROM kernels")} == {"scale", "offset"}
        assert len(list((run.folder / "pass_1").rglob("*_kernel_trace.csv"))) == 1
        second = run.folder / "pass_2" / "calls_results.db"
        assert query(second, "SELECT count(*) FROM kernels") == [(0,)]
        assert query(second, "SELECT count(*) FROM regions WHERE name = 'hipMalloc'") == [(1,)]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("jobs.yaml", "jobs: [", "not YAML"),
        ("jobs.json", "{", "not JSON"),
        ("jobs.json", "[]", "a list named 'jobs'"),
        ("jobs.json", '{"jobs": []}', "a list named 'jobs'"),
        ("jobs.json", '{"jobs": ["pmc"]}', "job 1 is not a set of options"),
        ("jobs.json", '{"jobs": [{"kernel_trce": true}]}', "'kernel_trce' is not an option"),
        (
            "jobs.json",
            '{"jobs": [{"kernel_trace": "maybe"}]}',
            "'kernel_trace' is 'maybe', not true or false",
        ),
        ("jobs.json", '{"jobs": [{"output_format": ["xml"]}]}', "'output_format' is 'xml'"),
        ("jobs.json", '{"jobs": [{"pmc": 3}]}', "'pmc' is not a list of counters"),
        ("jobs.json", '{"jobs": [{"pmc_groups": ["SQ_WAVES"]}]}', "'pmc_groups' is not a list of lists"),
        ("jobs.json", '{"jobs": [{"pmc": ["SQ_WAVES"], "pmc_groups": [["SQ_WAVES"]]}]}', "both given"),
        ("jobs.json", '{"jobs": [{"pmc": ["SQ_WISHES"]}]}', "SQ_WISHES is not a counter"),
        ("jobs.json", '{"jobs": [{"minimum_output_data": "much"}]}', "'minimum_output_data' is 'much'"),
        ("counters.txt", "pmc SQ_WAVES", "line 1 is not 'pmc: COUNTER ...'"),
        ("counters.txt", "pmc:", "line 1 names no counter"),
        ("counters.txt", "# nothing", "no 'pmc:' line"),
        ("jobs.toml", "", "a name that ends in"),
    ],
)
def test_malformed_files_are_refused_by_name(
    profile: Profile, tmp_path: Path, name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text)
    run = profile("-i", name, program=["true"])
    assert run.code == 1
    assert message in run.stderr
    assert name in run.stderr or "SQ_WISHES" in run.stderr or "both given" in run.stderr
    assert "Traceback" not in run.stderr


def test_missing_file(profile: Profile) -> None:
    run = profile("-i", "nowhere.yaml", program=["true"])
    assert (run.code, "nowhere.yaml" in run.stderr) == (1, True)


def test_conflict_with_the_command_line(profile: Profile, tmp_path: Path) -> None:
    (tmp_path / "jobs.json").write_text('{"jobs": [{"output_file": "one"}]}')
    run = profile("-i", "jobs.json", "-o", "two", program=["true"])
    assert run.code == 1
    assert "output_file is 'two' on the command line and 'one' in the input file" in run.stderr
