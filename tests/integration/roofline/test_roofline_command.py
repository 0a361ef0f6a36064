"""``rocm-perf roofline`` from outside, and a calibration with some of its microkernels on the virtual GPU."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.commands import SECONDS, rocm_perf_words

from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.profiling.roofline_document import RooflineDocument
from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.profiling.calibration import calibrate
from rocm_perf_lab.profiling.calibration import store as calibration_store
from rocm_perf_lab.profiling.calibration.device_ceilings import calibrate_device, device_ceilings
from rocm_perf_lab.profiling.calibration.microkernel import MICROKERNELS, Microkernel
from rocm_perf_lab.rocm.find import find_prefix


def _run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        rocm_perf_words("roofline", *arguments),
        env={**os.environ, "ROCM_PERF_PREFIX": "virtual", **variables},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


def _ceilings(text: str) -> dict[str, Any]:
    return {one["name"]: one for one in json.loads(text)["ceilings"]}


def test_json_is_a_roofline_document_without_kernels(tmp_path: Path) -> None:
    done = _run("--json", "--store", str(tmp_path))
    assert done.returncode == 0, done.stderr
    document = from_json(RooflineDocument, done.stdout, "stdout")
    assert document.kernels == ()
    assert document.gpu is not None
    assert document.gpu.architecture == "gfx942"
    found = _ceilings(done.stdout)
    assert found["hbm"]["value"] == 5300
    assert found["l2"]["value"] == pytest.approx(34406.4)
    assert all(one["origin"] == "spec" and one["source"] for one in found.values())
    assert not list(tmp_path.iterdir())


def test_text_fits_a_screen_and_says_where_figures_come_from(tmp_path: Path) -> None:
    done = _run("--memory-bandwidth-gbps", "4000", "--store", str(tmp_path))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 24
    assert "MI300X" in lines[0]
    (memory,) = [line for line in lines if line.startswith("  hbm ")]
    assert "4.00 TB/s" in memory
    assert "given" in memory
    assert any("valu f32 " in line and "data sheet" in line for line in lines)
    assert any("--calibrate" in line for line in lines)


def test_other_devices_and_clocks(tmp_path: Path) -> None:
    done = _run("--json", "--clock-mhz", "850", "--store", str(tmp_path), VROCM_DEVICE="MI250X")
    found = _ceilings(done.stdout)
    assert found["valu f64"]["value"] == pytest.approx(110 * 128 * 850e6 / 1e9)
    assert found["hbm"]["value"] == pytest.approx(1638.4)
    assert "mfma f8" not in found


def test_device_that_is_not_there() -> None:
    done = _run("--json", "--device", "7")
    assert done.returncode == 3
    assert "no GPU 7" in json.loads(done.stdout)["error"]["cause"]


def test_broken_calibration_is_reported_and_ignored(tmp_path: Path) -> None:
    name = "amd-instinct-mi300x-gfx942-304cu-virtual.json"
    (tmp_path / name).write_text("{")
    done = _run("--store", str(tmp_path))
    assert done.returncode == 0
    assert name in done.stdout
    assert "5.30 TB/s" in done.stdout


def test_programs_that_do_not_compile_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROCM_PERF_PREFIX", "virtual")
    (tmp_path / "broken.hip").write_text("int main( {")
    broken = Microkernel("broken", "broken", "lds", "lds", "GB/s")
    monkeypatch.setattr(calibrate, "FOLDER", tmp_path)
    monkeypatch.setattr(calibrate, "microkernels_for", lambda peaks: [broken])
    with pytest.raises(EnvironmentProblem, match=r"hipcc failed on broken\.hip.*error:"):
        calibrate_device(find_prefix(), 0, tmp_path / "store", lambda program: None)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A calibration with one microkernel of each program but the large arrays, which take half a minute."""
    folder = tmp_path_factory.mktemp("calibrations")
    some = [one for one in MICROKERNELS if one.kernel in ("lds", "fma_f64", "mfma_f16")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROCM_PERF_PREFIX", "virtual")
        patch.setenv("VROCM_DEVICE", "MI300X")
        patch.setattr(calibrate, "microkernels_for", lambda peaks: some)
        path = calibrate_device(find_prefix(), 0, folder, lambda program: None)
    assert path.parent == folder
    return folder


def test_calibration_reaches_the_peaks_of_the_model(store: Path) -> None:
    done = _run("--json", "--store", str(store))
    found = _ceilings(done.stdout)
    for name in ("lds", "valu f64", "mfma f16"):
        assert found[name]["origin"] == "simulated"
        assert found[name]["value"] == pytest.approx(found[f"{name} (data sheet)"]["value"], rel=0.01)
        assert "microkernel" in found[name]["source"]
    assert found["valu f32"]["origin"] == "spec"


def test_calibration_is_found_through_the_environment(store: Path) -> None:
    done = _run(**{calibration_store.VARIABLE: str(store)})
    assert "measured on the virtual GPU (microkernel lds)" in done.stdout


def test_given_bandwidth_goes_before_all(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROCM_PERF_PREFIX", "virtual")
    document = device_ceilings(find_prefix(), 0, store, memory_bandwidth_gbps=1234, clock_mhz=None)
    assert next(one for one in document.ceilings if one.figure == "hbm").value == 1234
