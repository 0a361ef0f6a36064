"""Builds that nobody names: as the program was built, by what compilers and CMake leave behind."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from tests.wanted import wanted

from rocm_perf_lab.codeobj.command_lines import SECTION
from rocm_perf_lab.optimizing.building.build import BuildPlan, build_variant
from rocm_perf_lab.optimizing.building.built import read_built
from rocm_perf_lab.optimizing.building.recorded_build import RecordedBuild, recorded_build

KERNEL = """#include <hip/hip_runtime.h>
#include "factor.h"
__global__ void scale(float* x) { x[threadIdx.x] *= FACTOR + MORE; }
"""
LAUNCH = "void launch(float* x) { scale<<<1, 64>>>(x); }\n"
MAIN = "void launch(float*);\nint main() { launch(nullptr); return 0; }\n"
ALONE = "int main() { scale<<<1, 64>>>(nullptr); return 0; }\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> Path:
    """The working folder is work; headers are beside it."""
    monkeypatch.setenv("PATH", environment["PATH"])  # the compiler is looked for
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "factor.h").write_text("#define FACTOR 2\n")
    work = tmp_path / "work"
    work.mkdir()
    (work / "scale.hip").write_text(KERNEL + ALONE)
    (work / "part.hip").write_text(KERNEL + LAUNCH)
    (work / "main.cpp").write_text(MAIN)
    monkeypatch.chdir(work)
    return work


def rebuilt(project: Path, program: str, source: str, environment: dict[str, str]) -> RecordedBuild:
    """What is recorded, which has to make the program again: the same instructions."""
    before = {path: path.stat().st_mtime_ns for path in project.rglob("*")}
    found = recorded_build(Path(program), Path(source))
    assert found is not None
    plan = BuildPlan(found.command, Path(source), found.folder, environment)
    made = build_variant(plan, Path(source).read_bytes(), project.parent / "place")
    assert read_built(made).digest == read_built(Path(program)).digest
    assert {path: path.stat().st_mtime_ns for path in project.rglob("*")} == before  # nothing of the user's
    return found


def test_compiled_and_linked_at_once(run, project: Path, environment: dict[str, str], monkeypatch) -> None:
    words = ("-O1", "-DMORE=0.5f * 3", "-I../include", "-MD", "scale.hip")
    run("hipcc", *words, "-oapp", cwd=project)
    (project / "app.d").unlink()
    found = rebuilt(project, "app", "scale.hip", environment)
    assert found.command == "hipcc -O1 '-DMORE=0.5f * 3' -I../include {source} -o {output}"
    assert found.how == "the command line that app remembers"
    # From elsewhere the same, in words that hold there.
    monkeypatch.chdir(project.parent)
    found = rebuilt(project, "work/app", "work/scale.hip", environment)
    assert f"-I{project}/../include" in found.command


def test_compiled_then_linked(run, project: Path, environment: dict[str, str]) -> None:
    """A line that links is remembered where it compiles something, too."""
    run("hipcc", "-O2", "-DMORE=1", "-I", "../include", "-c", "part.hip", "-o", "part.o", cwd=project)
    run("hipcc", "main.cpp", "part.o", "-o", "app", cwd=project)
    found = rebuilt(project, "app", "part.hip", environment)
    assert found.command == (
        "hipcc -O2 -DMORE=1 -I ../include {source} -c -o {output}.o && hipcc main.cpp {output}.o -o {output}"
    )


def test_linked_by_a_line_that_nobody_remembers(run, project: Path, environment: dict[str, str]) -> None:
    """The other object and the library are found through the program."""
    (project / "lib").mkdir()
    (project / "answer.c").write_text("int answer(void) { return 42; }\n")
    (project / "main.cpp").write_text(
        'extern "C" int answer(void);\n' + MAIN.replace("return 0", "return answer() != 42")
    )
    run("cc", "-shared", "-fPIC", "answer.c", "-o", "lib/libanswer.so", cwd=project)
    run("hipcc", "-DMORE=1", "-I../include", "-c", "part.hip", cwd=project)
    run("hipcc", "-c", "main.cpp", "-o", "main.o", cwd=project)
    run("hipcc", "part.o", "main.o", "-Llib", "-lanswer", "-Wl,-rpath,$ORIGIN/lib", "-o", "app", cwd=project)
    found = rebuilt(project, "app", "part.hip", environment)
    assert found.command.endswith(
        f"&& hipcc {{output}}.o main.o -Wl,-rpath,{project}/lib {project}/lib/libanswer.so -o {{output}}"
    )


def test_debug_information_of_clang(run, project: Path) -> None:
    """clang's own record of the host's side: the architecture, which is not in it, is the program's."""
    words = ("-O1", "-g", "-grecord-command-line", "-DMORE=1", "-I../include")
    run("hipcc", *words, "-fno-record-command-line", "scale.hip", "-o", "app", cwd=project)
    # As the virtual ROCm calls its clang, nobody could call it; a real one has its path here.
    content = (project / "app").read_bytes()
    assert SECTION.encode() not in content
    at = content.rindex(b" -O1 -g -grecord-command-line")
    start = content.rindex(b"\0", 0, at) + 1
    front = b"clang version 22.1.8 /opt/rocm/llvm/bin/amdclang++ -x hip"
    content = content[:start] + front.ljust(at - start) + content[at:]
    end = content.index(b" -isystem", at)
    stop = content.index(b"\0", end)
    (project / "app").write_bytes(content[:end] + b" -c scale.hip".ljust(stop - end) + content[stop:])
    found = recorded_build(Path("app"), Path("scale.hip"))
    assert found is not None
    assert found.command == (
        "amdclang++ --offload-arch=gfx942 -x hip -O1 -g -grecord-command-line -D MORE=1 -I ../include "
        "-D __HIP_PLATFORM_AMD__=1 -D __HIP_PLATFORM_HCC__=1 {source} -c -o {output}.o "
        "&& amdclang++ {output}.o -o {output}"
    )


def test_compile_commands(run, project: Path, environment: dict[str, str]) -> None:
    shutil.copytree(project.parent / "include", project / "build" / "include")
    command = "hipcc -O1 -DMORE=1 -I include -fno-record-command-line -c ../scale.hip -o scale.o"
    entry = {"directory": str(project / "build"), "command": command, "file": "../scale.hip"}
    (project / "build" / "compile_commands.json").write_text(json.dumps([{"file": "x"}, entry]))
    run("sh", "-c", command, cwd=project / "build")
    run("hipcc", "scale.o", "-o", "../app", cwd=project / "build")
    found = rebuilt(project, "app", "scale.hip", environment)
    assert found.how.endswith("build/compile_commands.json")
    assert found.folder == project / "build"


@pytest.mark.parametrize("generator", ["Unix Makefiles", "Ninja"])
def test_cmake(run, project: Path, environment: dict[str, str], generator: str) -> None:
    tool = "make" if generator.startswith("Unix") else "ninja"
    wanted("cmake")
    wanted(tool)
    (project / "main.cpp").rename(project / "main.hip")
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.21)\nproject(app LANGUAGES HIP)\n"
        "set(CMAKE_EXPORT_COMPILE_COMMANDS ON)\nset(CMAKE_HIP_FLAGS -fno-record-command-line)\n"
        "add_executable(app main.hip part.hip)\n"
        "target_include_directories(app PRIVATE ../include)\ntarget_compile_definitions(app PRIVATE MORE=1)\n"
    )
    run("cmake", "-G", generator, "-B", "build", "-DCMAKE_HIP_ARCHITECTURES=gfx942", cwd=project)
    run("cmake", "--build", "build", cwd=project)
    found = rebuilt(project, "build/app", "part.hip", environment)
    assert "main.hip.o" in found.command
    assert " && " in found.command


def test_nothing_says_it(project: Path) -> None:
    assert recorded_build(Path(os.__file__), Path("scale.hip")) is None
    assert recorded_build(Path(sys.executable), Path("scale.hip")) is None
