"""The virtual ROCm as a folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import vrocm
from vrocm.errors import EnvironmentProblem


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    native = tmp_path / "native"
    (native / "lib").mkdir(parents=True)
    (native / "include" / "hsa").mkdir(parents=True)
    monkeypatch.setenv("VROCM_NATIVE_DIR", str(native))
    monkeypatch.setenv("VROCM_PREFIX_DIR", str(tmp_path / "home"))
    return tmp_path


def test_it_has_the_parts_build_scripts_look_for(parts: Path) -> None:
    root = vrocm.prefix()
    assert (root / "include" / "hip" / "hip_runtime_api.h").is_file()
    assert (root / "include" / "hsa").is_dir()
    assert (root / "lib").is_dir()
    assert os.access(root / "bin" / "hipcc", os.X_OK)
    assert (root / ".info" / "version").read_text().strip() == vrocm.ROCM_VERSION


def test_making_it_again_changes_nothing(parts: Path) -> None:
    first = vrocm.prefix()
    made = first.stat().st_mtime_ns
    assert vrocm.prefix() == first
    assert first.stat().st_mtime_ns == made
    assert [p.name for p in first.parent.iterdir()] == [first.name]  # no drafts left behind


def test_env_prints_exports_a_shell_can_read(parts: Path) -> None:
    program = Path(sys.executable).parent / "rocm-perf"
    script = f'eval "$({program} vrocm env)"; command -v hipcc; echo "$ROCM_PATH"; echo "$HIP_PLATFORM"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    root = str(vrocm.prefix())
    assert done.stdout.split() == [f"{root}/bin/hipcc", root, "amd"]


def test_paths_are_prepended_once(parts: Path) -> None:
    once = vrocm.environment({"PATH": "/usr/bin"})
    twice = vrocm.environment(once)
    assert twice["PATH"] == once["PATH"] == f"{vrocm.prefix()}/bin{os.pathsep}/usr/bin"


def test_missing_native_parts_are_an_error_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VROCM_NATIVE_DIR", raising=False)
    monkeypatch.setattr(vrocm, "__path__", [])
    with pytest.raises(EnvironmentProblem) as caught:
        vrocm.native_dir()
    assert caught.value.remedy


def test_the_names_of_a_library_lead_to_one_file(parts: Path) -> None:
    library = parts / "native" / "lib"
    for name in ("libx.so", "libx.so.1", "libx.so.1.10.0", "libx.so.1.9.0", "liby.so"):
        (library / name).write_text(name)
    root = vrocm.prefix()
    assert {
        (root / "lib" / f"libx.so{suffix}").read_text() for suffix in ("", ".1", ".1.10.0", ".1.9.0")
    } == {"libx.so.1.10.0"}
    assert (root / "lib" / "liby.so").read_text() == "liby.so"
