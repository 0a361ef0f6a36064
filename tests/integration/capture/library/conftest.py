"""Builds small programs and runs them with the tools library in an empty folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.commands import SECONDS

import vrocm

sys.path.insert(0, str(Path(__file__).parent))

from capture_runs import Build, Ran, Run

PROGRAMS = Path(__file__).parent / "programs"
HSA_PROGRAMS = Path(__file__).parents[3] / "native" / "hsa" / "programs"


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ISOLATE_", "HSA_TOOLS", "ROCPROF", "VROCM_TRACE", "VROCM_DEVICE"))
    }
    return {**clean, **vrocm.environment()}


@pytest.fixture(scope="session")
def library() -> Path:
    return (vrocm.native_dir() / "lib" / "librocm-perf-capture.so").absolute()


def compile_with(command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def build(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Build:
    """build(name, *options): a HIP program from programs/, or an HSA client if it ends in .cpp; made once."""
    folder = tmp_path_factory.mktemp("programs")

    def compiled(name: str, *options: str, output: str | None = None) -> Path:
        source = PROGRAMS / name
        program = folder / (output or source.stem)
        if program.exists():
            return program
        if source.suffix == ".cpp":
            lib = vrocm.native_dir() / "lib"
            headers = vrocm.native_dir() / "include"
            command = ["g++", "-std=c++17", "-O1", f"-I{headers}", f"-I{HSA_PROGRAMS}", str(source)]
            command += [*options, "-o", str(program), str(lib / "libhsa-runtime64.so.1"), "-lpthread"]
            compile_with([*command, f"-Wl,-rpath,{lib}"], environment)
        else:
            compile_with(["hipcc", "-O2", str(source), *options, "-o", str(program)], environment)
        return program

    return compiled


@pytest.fixture(scope="session")
def kernels(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The code object of the HSA tests."""
    made = tmp_path_factory.mktemp("kernels") / "kernels.hsaco"
    zig = [sys.executable, "-m", "ziglang"]
    flags = [
        "--target=amdgcn-amd-amdhsa",
        "-mcpu=gfx942",
        "-nogpulib",
        "-mcode-object-version=5",
        "-O2",
        "-c",
    ]
    source = str(HSA_PROGRAMS / "kernels.c")
    compile_with([*zig, "clang", *flags, source, "-o", str(made.with_suffix(".o"))], environment)
    compile_with([*zig, "ld.lld", "-shared", str(made.with_suffix(".o")), "-o", str(made)], environment)
    return made


@pytest.fixture(scope="session")
def newer_runtime(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tools library that shows the tool named by TOOL more functions than it knows."""
    made = tmp_path_factory.mktemp("tools") / "newer_runtime.so"
    headers = vrocm.native_dir() / "include"
    command = ["g++", "-std=c++17", "-O1", "-shared", "-fPIC", f"-I{headers}"]
    compile_with([*command, str(PROGRAMS / "newer_runtime.cpp"), "-o", str(made)], environment)
    return made


@pytest.fixture
def run(environment: dict[str, str], library: Path, tmp_path: Path) -> Run:
    """run(command, kernel=…, **settings): what the program said, with the capture if there is one."""

    def started(
        *command: str | Path, kernel: str | None = None, index: int = 0, tool: bool = True, **settings: str
    ) -> Ran:
        folder, report = tmp_path / "captured", tmp_path / "report.json"
        shutil.rmtree(folder, ignore_errors=True)
        report.unlink(missing_ok=True)
        tools = {"HSA_TOOLS_LIB": str(library), "ISOLATE_OUT": str(folder), "ISOLATE_REPORT": str(report)}
        tools |= {"ISOLATE_DISPATCH_INDEX": str(index)}
        if kernel is not None:
            tools["ISOLATE_KERNEL"] = kernel
        done = subprocess.run(
            [str(part) for part in command],
            env={**environment, **(tools if tool else {}), **settings},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        said = json.loads(report.read_text()) if report.exists() else None
        assert not (tmp_path / "captured.partial").exists()
        return Ran(done.returncode, done.stdout, done.stderr, folder, said)

    return started


@pytest.fixture
def same_output(run: Run) -> Run:
    """run, after checking that the program says the same without the tool, and that nobody complains."""

    def compared(*command: str | Path, **settings: Any) -> Ran:
        plain_settings = {k: v for k, v in settings.items() if k.startswith(("VROCM_", "HIP_"))}
        plain = run(*command, tool=False, **plain_settings)
        assert plain.code == 0, plain.output + plain.errors
        done = run(*command, **settings)
        assert (done.code, done.output, done.errors) == (plain.code, plain.output, plain.errors)
        return done

    return compared
