"""Choosing between an installed ROCm and the virtual one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.rocm import find


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like an installed ROCm, and a machine with nothing else."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "hipcc").write_text("#!/usr/bin/perl\n")
    (tmp_path / ".info").mkdir()
    (tmp_path / ".info" / "version").write_text("7.0.2\n")
    for variable in ("ROCM_PERF_PREFIX", "HIP_PATH"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("ROCM_PATH", str(tmp_path))
    return tmp_path


def test_installed_rocm_with_a_driver_is_used(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = installed / "kfd"
    driver.touch()
    monkeypatch.setattr(find, "DRIVER", driver)
    prefix = find.find_prefix()
    assert (prefix.kind, prefix.path, prefix.version) == ("real", installed, "7.0.2")
    assert "ROCM_PATH" in prefix.reason


def test_installed_rocm_without_a_driver_gives_the_virtual_one(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find, "DRIVER", installed / "missing")
    prefix = find.find_prefix()
    assert prefix.kind == "virtual"
    assert str(installed) in prefix.reason


def test_the_override_wins(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROCM_PERF_PREFIX", "virtual")
    assert find.find_prefix().kind == "virtual"
    monkeypatch.setenv("ROCM_PERF_PREFIX", str(installed))
    assert find.find_prefix().kind == "real"


def test_an_override_that_is_no_rocm_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROCM_PERF_PREFIX", str(tmp_path / "nowhere"))
    with pytest.raises(EnvironmentProblem, match="nowhere"):
        find.find_prefix()
