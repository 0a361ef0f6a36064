"""Where a run was made: the state of GPUs from sysfs, and nothing private from the environment."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

from rocm_perf_lab.profiling.folder.setting import describe_setting, gpu_state
from rocm_perf_lab.rocm.find import Prefix

NOW = datetime(2025, 1, 31, 13, 0, tzinfo=timezone(timedelta(hours=1)))


def card(drm: Path, name: str, vendor: str, **files: str) -> None:
    device = drm / name / "device"
    (device / "hwmon" / "hwmon3").mkdir(parents=True)
    (device / "vendor").write_text(f"{vendor}\n")
    for file, text in files.items():
        (device / file.replace("__", "/")).write_text(f"{text}\n")


def test_state_of_amd_gpus(tmp_path: Path) -> None:
    card(tmp_path, "card0", "0x10de", current_compute_partition="X")
    card(
        tmp_path,
        "card1",
        "0x1002",
        current_compute_partition="SPX",
        current_memory_partition="NPS1",
        hwmon__hwmon3__power1_cap="750000000",
    )
    assert gpu_state(tmp_path) == {
        "card1.compute_partition": "SPX",
        "card1.memory_partition": "NPS1",
        "card1.power_cap_microwatts": "750000000",
    }
    assert gpu_state(tmp_path / "nothing") == {}


def test_only_variables_that_steer_gpus_are_kept() -> None:
    prefix = Prefix("real", Path("/opt/rocm"), "7.1.0", "it is there")
    environment = {"HIP_VISIBLE_DEVICES": "1", "API_TOKEN": "secret", "HOME": "/home/me", "HSA_XNACK": "1"}
    setting = describe_setting(("./app",), prefix, environment, "copy", NOW)
    assert setting.environment == {"HIP_VISIBLE_DEVICES": "1", "HSA_XNACK": "1"}
    assert setting.started == "2025-01-31T12:00:00+00:00"
    assert setting.tools["rocm"] == "7.1.0"
    assert setting.kernel_filter == "copy"
    assert setting.host["name"]
