"""Files of spaces and tunings: read in every form, refused with a reason, read back when written."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.autotuning.formats.kernel_tuner import write_cache
from rocm_perf_lab.autotuning.formats.read import read_recording
from rocm_perf_lab.autotuning.formats.recording import RecordedResult
from rocm_perf_lab.autotuning.formats.space_file import read_space, space_of
from rocm_perf_lab.autotuning.formats.t4 import write_t4
from rocm_perf_lab.autotuning.space import pool_of
from rocm_perf_lab.errors import BadInput

CACHE = {
    "device_name": "a GPU",
    "kernel_name": "k",
    "tune_params_keys": ["x", "y"],
    "tune_params": {"x": [1, 2, 4], "y": ["r", "c"]},
    "objective": "time",
    "cache": {
        "1,r": {"x": 1, "y": "r", "time": 3.0, "times": [2.0, 4.0]},
        "2,r": {"x": 2, "y": "r", "time": "CompilationFailedConfig", "times": []},
        "4,c": {"x": 4, "y": "c", "time": 1e20},
        "4,r": {"x": 4, "y": "r", "time": 1.5, "times": [1.5]},
    },
}
T4 = {
    "schema_version": "1.0.0",
    "results": [
        {
            "configuration": {"x": 1, "y": "r"},
            "times": {"runtimes": [2.0, 4.0]},
            "invalidity": "correct",
            "correctness": 1,
            "measurements": [{"name": "time", "value": 3.0, "unit": "ms"}],
            "objectives": ["time"],
        },
        {"configuration": {"x": 2, "y": "r"}, "times": {}, "invalidity": "compile", "correctness": 1},
        {"configuration": {"x": 4, "y": "c"}, "times": {}, "invalidity": "timeout", "correctness": 1},
        {
            "configuration": {"x": 4, "y": "r"},
            "times": {"runtimes": [1.5]},
            "invalidity": "correct",
            "correctness": 1,
        },
    ],
}


def write(path: Path, document: Any, compress: bool = False) -> Path:
    text = document if isinstance(document, str) else json.dumps(document)
    path.write_bytes(gzip.compress(text.encode()) if compress else text.encode())
    return path


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize(("document", "name"), [(CACHE, "kernel-tuner"), (T4, "T4")])
def test_recordings(tmp_path: Path, document: Any, name: str, compress: bool) -> None:
    found = read_recording(write(tmp_path / "f", document, compress))
    assert found.format == name
    assert found.times == (3.0, None, None, 1.5)
    assert found.failures[1] == "compile"
    assert found.optimum == 1.5
    assert [found.space.configuration(row) for row in found.levels] == [
        {"x": 1, "y": "r"},
        {"x": 2, "y": "r"},
        {"x": 4, "y": "c"},
        {"x": 4, "y": "r"},
    ]


@pytest.mark.parametrize("cut", ["}}", "}}, ", "}\n}\n"])
def test_cache_of_a_tuning_that_was_stopped(tmp_path: Path, cut: str) -> None:
    text = json.dumps(CACHE)
    assert text.endswith("}}}")
    open_ended = text[:-2] + ("," if "," in cut else "")
    assert len(read_recording(write(tmp_path / "f", open_ended)).times) == 4


def test_rates_are_to_be_large(tmp_path: Path) -> None:
    cache = json.loads(json.dumps(CACHE))
    cache["objective"] = "GFLOP/s"
    for entry, rate in zip(cache["cache"].values(), (10.0, 0.0, float("nan"), 40.0), strict=True):
        entry["GFLOP/s"] = rate
    found = read_recording(write(tmp_path / "f", cache))
    assert found.times == (0.1, None, None, 0.025)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "not json",
        '{"cache": {}}',
        '{"cache": {"1": {}}, "tune_params_keys": ["x"]}',
        '{"results": []}',
        '{"results": [3]}',
        '{"results": [{"configuration": {"x": [1]}}]}',
        '{"results": [{"configuration": {"x": 1}, "invalidity": "runtime"}]}',
        "[" * 100_000,
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput):
        read_recording(write(tmp_path / "f", text))


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        read_recording(tmp_path / "none")
    whole = gzip.compress(json.dumps(CACHE).encode())
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadInput, match="cannot be read"):
        read_recording(tmp_path / "cut")


@pytest.mark.parametrize("name", ["out.json", "out.json.gz"])
def test_what_is_written_is_read_back(tmp_path: Path, name: str) -> None:
    results = [
        RecordedResult({"x": 1, "y": "r"}, 3.0, None, (2.0, 4.0)),
        RecordedResult({"x": 2, "y": "c"}, None, "compile"),
        RecordedResult({"x": 2, "y": "r"}, None, "runtime"),
    ]
    space = space_of({"x": [1, 2], "y": ["r", "c"]}, "a space")
    write_cache(tmp_path / name, space, results, "k", "a GPU")
    cache = read_recording(tmp_path / name)
    write_t4(tmp_path / name, [(result, "2026-01-01T00:00:00+00:00") for result in results])
    results_back = read_recording(tmp_path / name)
    for found in (cache, results_back):
        assert found.times == (3.0, None, None)
        assert found.failures == (None, "compile", "runtime")


def test_spaces_in_every_form(tmp_path: Path) -> None:
    full = {"parameters": {"x": [1, 2, 4], "y": ["r", "c"]}, "constraints": ["x < 4 or y == 'r'"]}
    listed = [{"x": 1, "y": "r"}, {"x": 4, "y": "r"}, {"x": 2, "y": "c"}]
    t1 = {
        "ConfigurationSpace": {
            "TuningParameters": [
                {"Name": "x", "Type": "int", "Values": "[1, 2, 4]", "Default": 2},
                {"Name": "y", "Type": "string", "Values": ["r", "c"], "Default": "c"},
            ],
            "Conditions": [{"Expression": "x < 4 or y == 'r'", "Parameters": ["x", "y"]}],
        }
    }
    assert len(pool_of(read_space(write(tmp_path / "a", full)), 0).levels) == 5
    assert len(pool_of(read_space(write(tmp_path / "b", full["parameters"])), 0).levels) == 6
    for document in (listed, {"configurations": listed}):
        space = read_space(write(tmp_path / "c", document))
        assert [space.configuration(row) for row in pool_of(space, 0).levels] == listed
        assert space.parameters[0].values == (1, 2, 4)
    from_t1 = read_space(write(tmp_path / "d", t1, compress=True))
    assert len(pool_of(from_t1, 0).levels) == 5
    assert from_t1.default == {"x": 2, "y": "c"}


@pytest.mark.parametrize(
    "document",
    [
        3,
        [],
        {},
        {"parameters": {}},
        {"parameters": {"x": []}},
        {"parameters": {"x": [[1]]}},
        {"parameters": {"x": [1]}, "constraints": "x > 1"},
        {"parameters": {"x": [1]}, "constraints": ["y > 1"]},
        {"parameters": {"x": [1]}, "constraint": ["x > 1"]},
        {"configurations": [{"x": 1}, {"y": 1}]},
        {"configurations": [{"x": None}]},
        {"ConfigurationSpace": {}},
        {"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Values": "range(3)"}]}},
    ],
)
def test_spaces_that_make_no_sense_are_refused(document: Any) -> None:
    with pytest.raises(BadInput):
        space_of(document, "a file")
