"""Runs the native replay tool from outside: in fresh processes, on captures of programs and on made ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.commands import SECONDS

import vrocm

if TYPE_CHECKING:
    from native_tool import Compile, Done, Replay, Taken

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]  # for the helpers there

PROGRAMS = Path(__file__).parent / "programs"
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def native_environment() -> dict[str, str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ISOLATE", "HSA_", "VROCM_TRACE", "ROCPROF"))
    }
    return {**clean, **vrocm.environment()}


@pytest.fixture(scope="session")
def replay_tool(native_environment: dict[str, str]) -> Path:
    return vrocm.native_dir() / "bin" / "rocm-perf-replay"


@pytest.fixture(scope="session")
def replay(native_environment: dict[str, str], replay_tool: Path) -> Replay:
    """replay(command, capture, …): one process; stdout must be one JSON document, whatever happens."""
    from native_tool import Done

    named = ("--hsa", str(vrocm.native_dir() / "lib" / "libhsa-runtime64.so.1"))

    def run(*words: str | Path, wrapper: tuple[str, ...] = (), **variables: str) -> Done:
        done = subprocess.run(
            [*wrapper, str(replay_tool), *map(str, words), *(named if "--hsa" not in words else ())],
            env={**native_environment, **variables},
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        document = json.loads(done.stdout)
        assert isinstance(document, dict)
        return Done(done.returncode, document, done.stderr)

    return run


@pytest.fixture(scope="session")
def taken(native_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Taken:
    """taken(source, …): the capture of a program with this text; made once for the same text and choice."""
    known: dict[tuple[str, str, int], Path] = {}
    library = vrocm.native_dir() / "lib" / "librocm-perf-capture.so"

    def run(source: str, kernel: str = "", dispatch: int = 0) -> Path:
        key = (source, kernel, dispatch)
        if key in known:
            return known[key]
        folder = tmp_path_factory.mktemp("taken")
        (folder / "program.hip").write_text(source)
        built = subprocess.run(
            ["hipcc", "--offload-arch=gfx942", "-O2", "program.hip", "-o", "program"],
            cwd=folder, env=native_environment, capture_output=True, text=True, timeout=SECONDS,
        )  # fmt: skip
        assert built.returncode == 0, built.stderr
        choice = {"ISOLATE_KERNEL": kernel, "ISOLATE_DISPATCH_INDEX": str(dispatch)}
        ran = subprocess.run(
            [str(folder / "program")],
            env={
                **native_environment,
                "HSA_TOOLS_LIB": str(library),
                "ISOLATE_OUT": str(folder / "capture"),
                **{name: value for name, value in choice.items() if value},
            },
            capture_output=True, text=True, timeout=SECONDS,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert (folder / "capture" / "manifest.json").exists(), ran.stderr
        known[key] = folder / "capture"
        return known[key]

    return run


@pytest.fixture(scope="session")
def compiled(native_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Compile:
    """compiled(source, *flags): a code object; made once for the same text."""
    from capture_maker import compile_hip

    known: dict[tuple[str, ...], bytes] = {}

    def run(source: str, *flags: str) -> bytes:
        key = (source, *flags)
        if key not in known:
            text = "#include <hip/hip_runtime.h>\n" + source
            known[key] = compile_hip(text, tmp_path_factory.mktemp("code"), native_environment, *flags)
        return known[key]

    return run


def tools_library(name: str, folder: Path) -> Path:
    (folder / "hsa").symlink_to(ROOT / "native" / "abi" / "hsa")
    library = folder / f"{name}.so"
    done = subprocess.run(
        ["g++", "-shared", "-fPIC", f"-I{folder}", str(PROGRAMS / f"{name}.cpp"), "-o", str(library)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return library


@pytest.fixture(scope="session")
def occupier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tools library that takes an address."""
    return tools_library("occupier", tmp_path_factory.mktemp("occupier"))


@pytest.fixture(scope="session")
def without_svm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tools library that takes shared virtual memory away."""
    return tools_library("without_svm", tmp_path_factory.mktemp("without_svm"))
