"""Calibrations are kept for each device and partition, and a broken file does no harm."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rocm_perf_lab.contracts.profiling.calibration import CalibrationDocument
from rocm_perf_lab.contracts.profiling.roofline import Ceiling
from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.profiling.calibration.store import VARIABLE, file_of, load, save, store_folder
from rocm_perf_lab.profiling.documents.gpus import describe
from rocm_perf_lab.rocpd.rows import Agent

MI300X = Agent(index=0, name="gfx942", product_name="AMD Instinct MI300X", cu_count=304, clock_mhz=2100)
CEILING = Ceiling(
    name="hbm",
    figure="hbm",
    kind="memory",
    value=4100.5,
    unit="GB/s",
    origin="measured",
    source="microkernel copy",
)
CALIBRATION = CalibrationDocument(
    origin="measured",
    gpu=describe(MI300X),
    ceilings=(CEILING,),
    not_measured={"mfma f8": "hipcc failed"},
    taken="2026-01-02T03:04:05+00:00",
    tools={"rocprofv3": "1.0.0"},
)


def test_what_is_kept_is_found_again(tmp_path: Path) -> None:
    folder = tmp_path / "a folder" / "ünd another"
    path = save(CALIBRATION, MI300X, folder)
    stored = load(MI300X, folder)
    assert (stored.path, stored.calibration, stored.problem) == (path, CALIBRATION, None)
    assert stored.ceilings == (CEILING,)
    assert [one.name for one in folder.iterdir()] == ["amd-instinct-mi300x-gfx942-304cu.json"]


def test_devices_partitions_and_virtual_ones_are_apart(tmp_path: Path) -> None:
    others = [
        replace(MI300X, cu_count=38),
        replace(MI300X, virtual=True),
        replace(MI300X, product_name="AMD Instinct MI325X"),
        replace(MI300X, cu_count=None),
    ]
    assert len({file_of(one, tmp_path) for one in (MI300X, *others)}) == 5
    save(CALIBRATION, MI300X, tmp_path)
    assert all(load(one, tmp_path).ceilings == () for one in others)
    assert load(replace(MI300X, index=3, virtual=False), tmp_path).ceilings


@pytest.mark.parametrize("text", ["", "{", '{"schema_version": "1.0"}', "\x00\x01"])
def test_broken_file_is_a_problem_and_no_error(tmp_path: Path, text: str) -> None:
    file_of(MI300X, tmp_path).write_text(text)
    stored = load(MI300X, tmp_path)
    assert stored.ceilings == ()
    assert str(stored.path) in (stored.problem or "")


def test_none_kept_is_no_problem(tmp_path: Path) -> None:
    stored = load(MI300X, tmp_path / "missing")
    assert (stored.calibration, stored.problem) == (None, None)


def test_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert store_folder() == tmp_path / "data" / "rocm-perf-lab" / "calibrations"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store_folder() == tmp_path / ".local" / "share" / "rocm-perf-lab" / "calibrations"
    monkeypatch.setenv(VARIABLE, str(tmp_path / "here"))
    assert store_folder() == tmp_path / "here"


def test_folder_that_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentProblem) as caught:
        save(CALIBRATION, MI300X, tmp_path / "file" / "below")
    assert VARIABLE in (caught.value.remedy or "")
