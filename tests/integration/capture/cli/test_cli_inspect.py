"""rocm-perf replay inspect, export and import of real captures: types, values, replay of a copy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import RocmPerf

from rocm_perf_lab.cli.replay.inspect import inspect_command


@pytest.fixture(scope="module")
def captures(
    rocm_perf: RocmPerf, programs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("captures")
    for name, program in programs.items():
        done = rocm_perf("capture", "--stop", "--kernel", "limited", "--out", folder / name, "--", program)
        assert done.returncode == 0, done.stderr
    return {name: folder / name for name in programs}


def inspected(rocm_perf: RocmPerf, folder: Path) -> dict[str, object]:
    done = rocm_perf("replay", "inspect", "--json", folder)
    assert done.returncode == 0, done.stderr
    document: dict[str, object] = json.loads(done.stdout)
    return document


def test_debug_information(rocm_perf: RocmPerf, captures: dict[str, Path]) -> None:
    document = inspected(rocm_perf, captures["debug"])
    explicit = [one for one in document["arguments"] if not one["hidden"]]  # type: ignore[attr-defined]
    assert [(one["type"], one["name"]) for one in explicit] == [
        ("float const*", "from"),
        ("float*", "to"),
        ("Limits", "limits"),
        ("char", "letter"),
    ]
    assert {one["type_source"] for one in explicit} == {"debug information"}
    assert explicit[2]["value"].startswith(
        "{.first = -3, .scale[0] = 0.0, .scale[1] = 1.5, .flag = 200, .unused = 0x"
    )
    assert explicit[3]["value"] == "65"
    source, target = explicit[0]["buffer"], explicit[1]["buffer"]
    assert (source["offset"], source["elements"]) == (0, 64)  # up to where the other argument points
    assert (target["offset"], target["elements"]) == (256, 5000 - 64)
    assert source["changes"]["bytes"] == 0
    # 31.5 * 1.5 - 3 + 65 = 109.25 instead of 31: all four bytes but those that are zero in both
    assert 0 < target["changes"]["bytes"] <= 256
    assert all(one["offset"] + one["bytes"] <= 256 for one in target["changes"]["ranges"])


def test_without_it_types_of_extern_c_are_not_known(rocm_perf: RocmPerf, captures: dict[str, Path]) -> None:
    document = inspected(rocm_perf, captures["plain"])
    explicit = [one for one in document["arguments"] if not one["hidden"]]  # type: ignore[attr-defined]
    assert [one["type"] for one in explicit] == [None] * 4
    assert 'extern "C"' in explicit[0]["missing"]["type"]
    assert explicit[1]["buffer"]["offset"] == 256
    assert document["verified"] is True


def test_resources_and_occupancy(rocm_perf: RocmPerf, captures: dict[str, Path]) -> None:
    document = inspected(rocm_perf, captures["plain"])
    resources, occupied = document["resources"], document["occupancy"]
    assert resources["arch_vgprs"] > 0  # type: ignore[index]
    assert occupied["theoretical"] == 1.0  # type: ignore[index]


def test_a_shared_copy_is_replayed(rocm_perf: RocmPerf, captures: dict[str, Path], tmp_path: Path) -> None:
    done = rocm_perf("replay", "export", captures["plain"], tmp_path / "limited.tar")
    assert done.returncode == 0, done.stderr
    assert "SHA-256" in done.stdout
    done = rocm_perf("replay", "import", "limited.tar", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["folder"] == "limited.capture"
    copy = tmp_path / "limited.capture"
    one, two = inspected(rocm_perf, captures["plain"]), inspected(rocm_perf, copy)
    for document in (one, two):
        document.pop("folder")
        document["capture"].pop("folder_bytes")  # type: ignore[attr-defined]
    assert one == two
    done = rocm_perf("replay", "full-vm", "--capture-dir", copy, "--iterations", 2, "--json")
    assert done.returncode == 0, done.stderr + done.stdout
    assert json.loads(done.stdout)["execution"]["iterations"] == 2


def test_debug_information_is_told_of_when_shared(
    rocm_perf: RocmPerf, captures: dict[str, Path], tmp_path: Path
) -> None:
    done = rocm_perf("replay", "export", captures["debug"], tmp_path / "b.tar", "--json")
    assert "paths of sources" in json.loads(done.stdout)["warnings"][0]


def test_errors_as_documents(rocm_perf: RocmPerf, captures: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "c.partial").mkdir()
    for words in (
        ("inspect", tmp_path / "c"),
        ("export", tmp_path / "c", "x"),
        ("import", tmp_path / "none.tar"),
    ):
        done = rocm_perf("replay", *words, "--json")
        assert done.returncode == 6
        assert json.loads(done.stdout)["error"]["kind"] == "bad-input"


def test_help_says_what_it_needs() -> None:
    assert "Needs no GPU" in (inspect_command.help or "")
