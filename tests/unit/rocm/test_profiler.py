"""rocprofv3 of a ROCm that writes no databases is told before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.profiling.passes.run_rocprof import find_rocprof
from rocm_perf_lab.rocm.diagnose import Diagnosis, _check_profiler
from rocm_perf_lab.rocm.find import Prefix
from rocm_perf_lab.rocm.profiler import writes_databases


def prefix_of(version: str | None, folder: Path) -> Prefix:
    tool = folder / "bin" / "rocprofv3"
    tool.parent.mkdir(exist_ok=True)
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    return Prefix("real", folder, version, "a test says so")


@pytest.mark.parametrize("version", ["7.0.0", "7.2.4-12", "10.0.0", None, "unknown"])
def test_newer_or_unknown(version: str | None, tmp_path: Path) -> None:
    prefix = prefix_of(version, tmp_path)
    assert writes_databases(prefix)
    assert find_rocprof(prefix) == tmp_path / "bin" / "rocprofv3"
    assert _check_profiler(Diagnosis(prefix=prefix)).status == "ok"


@pytest.mark.parametrize("version", ["6.2.0", "6.4.1-83"])
def test_rocm_6(version: str, tmp_path: Path) -> None:
    prefix = prefix_of(version, tmp_path)
    with pytest.raises(EnvironmentProblem) as problem:
        find_rocprof(prefix)
    assert version in problem.value.cause
    assert "rocm-perf analyze" in (problem.value.remedy or "")
    check = _check_profiler(Diagnosis(prefix=prefix))
    assert check.status == "warning"
    assert "rocm-perf profile is unavailable" in check.detail
