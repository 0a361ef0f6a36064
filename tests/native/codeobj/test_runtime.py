"""Damaged device code is an error of every call that takes some: no signal, and no byte behind it is read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from containers import ZLIB, ZSTD, bundle, compressed
from tests.commands import SECONDS

SCRIPT = Path(__file__).parent / "feed_runtime.py"


def write_images(folder: Path, code_object: bytes) -> list[Path]:
    plain = bundle({"gfx90a": b"", "gfx942": code_object})
    contents = {
        "code-object": code_object,
        "bundle": plain,
        "zlib": compressed(plain, 2, ZLIB),
        "zstd": compressed(plain, 3, ZSTD),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in contents]


def feed(folder: Path, way: str, seed: int, count: int, files: list[Path]) -> int:
    """How many of the variants were loaded."""
    from vrocm import environment

    progress = folder / "progress"
    done = subprocess.run(
        [sys.executable, str(SCRIPT), way, str(seed), str(count), *map(str, files)],
        env={**os.environ, **environment(), "FEED_PROGRESS": str(progress)},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS,
    )
    where = progress.read_text().strip() if progress.exists() else "before the first case"
    assert done.returncode == 0, f"exit code {done.returncode} at {where}\n{done.stderr[-2000:]}"
    return int(done.stdout)


def test_hip(tmp_path: Path, code_object: bytes) -> None:
    loaded = feed(tmp_path, "hip", 1, 800, write_images(tmp_path, code_object))
    assert 30 < loaded < 700


def test_hsa(tmp_path: Path, code_object: bytes) -> None:
    loaded = feed(tmp_path, "hsa", 1, 800, write_images(tmp_path, code_object)[:1])
    assert 30 < loaded < 700


@pytest.fixture(scope="module")
def bitcode(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bitcode")
    source, made = folder / "one.c", folder / "bitcode"
    source.write_text("int one(void) { return 1; }")
    target = ["--target=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-nogpulib", "-c", "-emit-llvm"]
    subprocess.run(
        [sys.executable, "-m", "ziglang", "clang", *target, str(source), "-o", str(made)], check=True
    )
    return made


def test_link_inputs(tmp_path: Path, code_object: bytes, bitcode: Path) -> None:
    feed(tmp_path, "hiprtc", 1, 4, [*write_images(tmp_path, code_object)[:1], bitcode])


@pytest.mark.survey
@pytest.mark.parametrize("seed", range(2, 10))
@pytest.mark.parametrize("way", ["hip", "hsa"])
def test_very_many(tmp_path: Path, code_object: bytes, way: str, seed: int) -> None:
    files = write_images(tmp_path, code_object)
    assert feed(tmp_path, way, seed, 30_000, files if way == "hip" else files[:1])


@pytest.mark.survey
def test_many_link_inputs(tmp_path: Path, bitcode: Path) -> None:
    feed(tmp_path, "hiprtc", 2, 60, [bitcode])
