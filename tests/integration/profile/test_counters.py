"""Counter passes: legal groups, refusals, and a profile that succeeds whatever becomes of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.contracts.profiling.calibration import CalibrationDocument
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.contracts.profiling.roofline import Ceiling
from rocm_perf_lab.profiling.calibration.store import file_of
from rocm_perf_lab.rocpd.read import read_trace

Profile = Callable[..., Any]  # fixture profile: rocm-perf profile with these arguments


def test_roofline(profile: Profile, scale: Path) -> None:
    run = profile("--json", "--runs", 1, "--roofline", scale)
    assert run.code == 0, run.stderr
    document = run.document
    kernels = {kernel["name"]: kernel for kernel in document["kernels"]}
    roofline = kernels["scale(float*, float, int)"]["roofline"]
    # Two launches of 16 waves, each with one multiplication per lane.
    assert roofline["counters"]["SQ_INSTS_VALU_MUL_F32"] == 32
    assert roofline["flops"] == 2 * 1024
    time_ns = kernels["scale(float*, float, int)"]["total_ms"] * 1e6
    assert roofline["achieved_gflops"] == pytest.approx(2 * 1024 / time_ns)
    assert document["dropped_counters"] == {}
    assert 0 < document["occupancy"]["achieved"] < document["occupancy"]["theoretical"]
    counters = [taken for taken in document["passes"] if taken["purpose"] == "counters"]
    assert len(counters) >= 2
    assert all(path.startswith("counters/") for taken in counters for path in taken["databases"])
    # A counter pass never defines time.
    (timing,) = [taken for taken in document["passes"] if taken["purpose"] == "timing"]
    assert document["runtime_ms"] == timing["gpu_time_ms"]
    assert (run.folder / "roofline.json").is_file()


def test_overrides_and_the_other_model(profile: Profile, scale: Path) -> None:
    options = ("--memory-bandwidth-gbps", 100, "--clock-mhz", 1000, "--flop-model", "valu-width")
    document = profile("--json", "--runs", 1, "--roofline", *options, scale).document
    roofline = document["roofline"]
    assert roofline["flop_model"] == "valu-width"
    roofs = {roof["name"]: roof["value"] for roof in roofline["ceilings"]}
    assert roofs["hbm"] == 100
    assert roofs["valu f32"] == pytest.approx(304 * 128)  # at 1 GHz


REFUSES_PAIRS = """
case "$*" in
*--list-avail*) exit 1;;
*SQ_INSTS_VALU_FMA_F64*) echo "request exceeds the capabilities of the hardware" >&2; exit 1;;
*"SQ_WAVE_CYCLES GRBM"*) echo "these two do not go together" >&2; exit 1;;
esac
exec "$REAL" "$@"
"""


def test_refused_groups_are_split(profile: Profile, fake_prefix: Callable[[str], Path], scale: Path) -> None:
    run = profile(
        "--json", "--runs", 1, "--roofline", scale, ROCM_PERF_PREFIX=str(fake_prefix(REFUSES_PAIRS))
    )
    assert run.code == 0, run.stderr
    document = run.document
    assert list(document["dropped_counters"]) == ["SQ_INSTS_VALU_FMA_F64"]
    assert "exceeds the capabilities" in document["dropped_counters"]["SQ_INSTS_VALU_FMA_F64"]
    collected = document["roofline"]["counters"]
    assert {"SQ_WAVE_CYCLES", "GRBM_GUI_ACTIVE", "SQ_INSTS_VALU_ADD_F64"} <= set(collected)
    assert document["origin"] == "simulated"  # the trace says so, whatever the prefix is


def test_a_device_without_counters(profile: Profile, fake_prefix: Callable[[str], Path], scale: Path) -> None:
    script = (
        'case "$*" in *--pmc*) echo "no permission to read counters" >&2; exit 1;; esac\nexec "$REAL" "$@"'
    )
    run = profile("--json", "--runs", 1, "--roofline", scale, ROCM_PERF_PREFIX=str(fake_prefix(script)))
    assert run.code == 0, run.stderr
    document = run.document
    assert document["runtime_ms"] > 0
    assert document["roofline"] is None
    assert "no permission to read counters" in document["missing"]["roofline"]
    tried = [taken for taken in document["passes"] if taken["purpose"] == "counters"]
    assert len(tried) <= 8  # it does not go through all counters one by one
    assert len(document["dropped_counters"]) > 20


def test_counters_that_are_not_listed_are_not_asked_for(
    profile: Profile, fake_prefix: Callable[[str], Path], scale: Path
) -> None:
    script = """
    case "$*" in
    *--list-avail*) echo "Counter_Name : GRBM_GUI_ACTIVE"; exit 0;;
    *SQ_*) echo "asked for what is not listed" >&2; exit 1;;
    esac
    exec "$REAL" "$@"
    """
    run = profile("--json", "--runs", 1, "--roofline", scale, ROCM_PERF_PREFIX=str(fake_prefix(script)))
    document = run.document
    assert "does not list it" in document["dropped_counters"]["SQ_WAVE_CYCLES"]
    (taken,) = [taken for taken in document["passes"] if taken["purpose"] == "counters"]
    assert (taken["counters"], taken["exit_code"]) == (["GRBM_GUI_ACTIVE"], 0)
    assert document["occupancy"]["achieved"] is None
    assert "SQ_WAVE_CYCLES" in document["occupancy"]["missing"]["achieved"]


def test_a_counter_pass_that_hangs(profile: Profile, fake_prefix: Callable[[str], Path], scale: Path) -> None:
    script = 'case "$*" in *--pmc*) exec sleep 300;; esac\nexec "$REAL" "$@"'
    fake = str(fake_prefix(script))
    run = profile("--json", "--runs", 1, "--timeout", 4, "--roofline", scale, ROCM_PERF_PREFIX=fake)
    assert run.code == 0, run.stderr
    assert run.document["roofline"] is None
    assert "--timeout" in run.document["missing"]["roofline"]


def test_every_pass_has_the_same_environment(
    profile: Profile, fake_prefix: Callable[[str], Path], scale: Path, tmp_path: Path
) -> None:
    script = f'env | sort | grep -v "^_=" > "{tmp_path}/env-$$"; exec "$REAL" "$@"'
    fake = str(fake_prefix(script))
    assert profile("--quiet", "--runs", 2, "--roofline", scale, ROCM_PERF_PREFIX=fake).code == 0
    seen = [path.read_text() for path in tmp_path.glob("env-*")]
    assert len(seen) >= 4
    assert len(set(seen)) == 1


def test_calibrated_ceilings_are_used(profile: Profile, scale: Path, tmp_path: Path) -> None:
    store = tmp_path / "calibrations"
    store.mkdir()
    plain = profile("--json", "--runs", 1, scale, ROCM_PERF_CALIBRATIONS=str(store))
    name = file_of(read_trace([plain.folder / ".rocpd_profile"]).agents[0], store)
    name.write_text("not a calibration")
    broken = profile("--json", "--runs", 1, "--out", "broken", scale, ROCM_PERF_CALIBRATIONS=str(store))
    assert broken.code == 0, broken.stderr
    assert any(str(name) in warning for warning in broken.document["warnings"])
    measured = Ceiling(
        name="hbm",
        figure="hbm",
        kind="memory",
        value=4321.0,
        unit="GB/s",
        origin="simulated",
        source="a test",
    )
    gpu = from_json(ProfileDocument, plain.out, "profile.json").gpu
    assert gpu is not None
    calibration = CalibrationDocument(
        origin="simulated", gpu=gpu, taken="2025-01-31", tools={}, ceilings=(measured,), not_measured={}
    )
    name.write_text(to_json(calibration))
    profile("--json", "--runs", 1, "--out", "calibrated", scale, ROCM_PERF_CALIBRATIONS=str(store))
    roofs = json.loads((tmp_path / "calibrated" / "roofline.json").read_text())["ceilings"]
    assert next(roof["value"] for roof in roofs if roof["name"] == "hbm") == 4321
