"""What doctor says of a runtime without shared virtual memory, and of a missing trace decoder."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from rocm_perf_lab.rocm.diagnose import Check, Diagnosis, _check_replay, _check_trace_decoder
from rocm_perf_lab.rocm.find import Prefix

# A runtime that answers the two questions from variables.
RUNTIME = """
#include <cstdlib>
extern "C" int hsa_init() { return std::atoi(std::getenv("STARTS_WITH")); }
extern "C" int hsa_system_get_info(int attribute, void* value) {
    const char* name = attribute == 0x201 ? "SVM" : attribute == 0x205 ? "VIRTUAL_MEMORY" : nullptr;
    if (!name) return 0x1001;
    *static_cast<bool*>(value) = std::getenv(name) != nullptr;
    return 0;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("rocm")
    (made / "lib").mkdir()
    source = made / "runtime.cpp"
    source.write_text(RUNTIME)
    command = ["g++", "-shared", "-fPIC", str(source), "-o", str(made / "lib" / "libhsa-runtime64.so.1")]
    subprocess.run(command, check=True)
    return made


def replay_of(folder: Path, monkeypatch: pytest.MonkeyPatch, starts_with: int = 0, **variables: str) -> Check:
    for name in ("SVM", "VIRTUAL_MEMORY", "HSA_USE_SVM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"STARTS_WITH": str(starts_with), **variables}.items():
        monkeypatch.setenv(name, value)
    return _check_replay(Diagnosis(prefix=Prefix("real", folder, "7.0.0", "a test says so")))


def test_all_that_replay_needs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert replay_of(folder, monkeypatch, SVM="1", VIRTUAL_MEMORY="1").status == "ok"


def test_no_shared_virtual_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = replay_of(folder, monkeypatch, VIRTUAL_MEMORY="1")
    assert check.status == "warning"
    assert "HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED" in check.detail
    assert "CONFIG_HSA_AMD_SVM" in (check.remedy or "")
    check = replay_of(folder, monkeypatch, VIRTUAL_MEMORY="1", HSA_USE_SVM="0")
    assert check.remedy == "unset HSA_USE_SVM"


def test_no_virtual_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = replay_of(folder, monkeypatch, SVM="1")
    assert check.status == "warning"
    assert "replay is unavailable" in check.detail
    assert "KFD 1.15" in (check.remedy or "")


def test_a_runtime_that_does_not_start(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = replay_of(folder, monkeypatch, starts_with=0x1008)
    assert check.status == "warning"
    assert "0x1008" in check.detail


def test_trace_decoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROCPROF_ATT_LIBRARY_PATH", raising=False)
    monkeypatch.setenv("LD_LIBRARY_PATH", os.fspath(tmp_path / "elsewhere"))
    real = Diagnosis(prefix=Prefix("real", tmp_path / "rocm", "7.0.0", "a test says so"))
    check = _check_trace_decoder(real)
    assert check.status == "warning"
    assert "librocprof-trace-decoder.so" in check.detail
    assert "rocprof-trace-decoder" in (check.remedy or "")
    assert _check_trace_decoder(Diagnosis(prefix=Prefix("virtual", tmp_path, None, ""))).status == "ok"
    for place in (tmp_path / "rocm" / "lib" / "below", tmp_path / "elsewhere", tmp_path / "named"):
        place.mkdir(parents=True)
        (place / "librocprof-trace-decoder.so.1").touch()
        if place.name == "named":
            monkeypatch.setenv("ROCPROF_ATT_LIBRARY_PATH", os.fspath(place))
        check = _check_trace_decoder(real)
        assert (check.status, check.detail) == ("ok", os.fspath(place / "librocprof-trace-decoder.so.1"))
