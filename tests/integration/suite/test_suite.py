"""A folder of captures as a regression suite: what passes, is slower, is wrong, is broken, loses a worker."""

from __future__ import annotations

import copy
import json
import shutil
import signal
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.commands import SECONDS
from tests.dask_cluster import Cluster
from tests.integration.suite.conftest import Suite

from rocm_perf_lab.suites.baseline import TICK_MS


def statuses(document: dict[str, Any]) -> dict[str, str]:
    return {case["name"]: case["status"] for case in document["cases"]}


def test_recorded_then_the_same(suite: Suite) -> None:
    done = suite("captures", "--out", "base")
    assert done.returncode == 0, done.stderr
    assert "2 captures: 2 passed" in done.stdout
    assert "[2/2]" in done.stderr
    assert [path.name for path in (suite.folder / "base").iterdir()] == ["suite.json"]
    document = suite.document("captures", "--baseline", "base", "--executor", "local", "--workers", "2")
    assert statuses(document) == {"scale": "passed", "update": "passed"}
    for case in document["cases"]:
        assert (case["time"]["verdict"], case["against"]) == ("same", "baseline")
        # Where between two ticks a kernel begins depends on how busy the host is.
        assert case["time"]["new_ms"] == pytest.approx(case["time"]["base_ms"], abs=1.001 * TICK_MS)
        assert case["validation"]["negative_control"]["found_out"]


def test_a_faster_baseline_makes_a_regression(suite: Suite, recorded: dict[str, Any]) -> None:
    faster = copy.deepcopy(recorded)
    for case in faster["cases"]:
        if case["name"] == "scale":
            case["samples_ms"] = [0.9 * sample for sample in case["samples_ms"]]
    (suite.folder / "base.json").write_text(json.dumps(faster))
    document = suite.document("captures", "--baseline", "base.json", "--junit", "j.xml", code=8)
    assert statuses(document) == {"scale": "regression", "update": "passed"}
    assert document["cases"][0]["time"]["ratio"] == pytest.approx(1 / 0.9)
    found = ElementTree.parse(suite.folder / "j.xml").getroot().find("testsuite")
    assert found is not None
    assert (found.get("tests"), found.get("failures"), found.get("errors")) == ("2", "1", "0")
    failure = found.find("testcase[@name='scale']/failure")
    assert failure is not None
    assert "11.1% slower" in str(failure.get("message"))


def test_a_new_build_that_is_slower(
    suite: Suite, recorded: dict[str, Any], built: Callable[..., Path]
) -> None:
    (suite.folder / "base.json").write_text(json.dumps(recorded))
    options = ("--hsaco", built("-DWORK=40"), "--fail-on-regression", "3%")
    slow = suite.document("captures", "--baseline", "base.json", *options, code=8)
    assert statuses(slow) == {"scale": "regression", "update": "passed"}


def test_a_new_build_that_is_wrong(suite: Suite, built: Callable[..., Path]) -> None:
    wrong = suite.document("captures/scale", "--hsaco", built("-DFACTOR=3.0f"), code=10)
    assert statuses(wrong) == {"scale": "failed"}
    assert "differs from the original" in wrong["cases"][0]["reason"]
    buffer = wrong["cases"][0]["validation"]["variant"]["buffers"][0]
    assert buffer["beyond_tolerance"] == 4096 - 64  # all but the zeros


def test_a_tampered_capture_fails_by_name(suite: Suite) -> None:
    memory = sorted((suite.folder / "captures/update/memory").iterdir())[0]
    content = bytearray(memory.read_bytes())
    content[len(content) // 2] ^= 0x40
    memory.write_bytes(bytes(content))
    (suite.folder / "captures" / "half.partial").mkdir()
    document = suite.document("captures", "--iterations", "0", code=6)
    assert statuses(document) == {"scale": "passed", "update": "error"}
    broken = document["cases"][1]
    assert memory.name in broken["error"]["cause"]
    assert broken["error"]["exit_code"] == 6
    assert any("half.partial" in warning for warning in document["warnings"])
    assert document["cases"][0]["missing"]["time"].startswith("no times were asked for")


def test_exported_files(suite: Suite) -> None:
    done = suite("export", "captures/scale", "one.tar", command="replay")
    assert done.returncode == 0, done.stderr
    document = suite.document("one.tar", "captures/scale", "--out", "o")
    assert statuses(document) == {"one.tar": "passed", "scale": "passed"}
    first, second = document["cases"]
    assert first["digest"] == second["digest"]
    assert [path.name for path in (suite.folder / "o").iterdir()] == ["suite.json"]


def test_a_worker_that_dies(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> None:
    for number in range(4):
        shutil.copytree(suite.folder / "captures/scale", suite.folder / f"captures/more{number}")
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), suite.environment)
    try:
        first = cluster.worker()
        cluster.worker()
        cluster.wait_for(2)
        process = suite.start(
            "captures", "--json", "--executor", "dask", "--scheduler", cluster.address, "--iterations", "1"
        )
        assert process.stderr is not None
        assert "[1/6]" in process.stderr.readline()
        first.send_signal(signal.SIGKILL)
        stdout, stderr = process.communicate(timeout=SECONDS)
    finally:
        cluster.close()
    assert process.returncode == 0, stderr
    document = json.loads(stdout)
    assert set(statuses(document).values()) == {"passed"}
    assert len(document["cases"]) == 6
    assert [machine["used"] for machine in document["machines"]] == [True]
