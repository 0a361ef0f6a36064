"""Sources that nobody names, found through what compilers leave in a program."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from tests.commands import rocm_perf_words
from tests.commands import run as run_command

from rocm_perf_lab.errors import BadInput, UsageProblem
from rocm_perf_lab.optimizing.building.find_source import find_source

KERNEL = "__global__ void {name}(float* x) {{ x[threadIdx.x] += 1; }}\n"
HIP = "#include <hip/hip_runtime.h>\n"
MAIN = "int main() { return 0; }\n"


@pytest.fixture(scope="module")
def built(run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with programs of one file and of two, with and without debug information."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "src").mkdir()
    header = HIP + "template <class T> " + KERNEL.format(name="in_header")
    one = KERNEL.format(name="one") + "namespace deep { " + KERNEL.format(name="inner") + "}\n"
    (folder / "src" / "kernels.hpp").write_text(header)
    (folder / "src" / "one.hip").write_text(HIP + one + MAIN)
    (folder / "src" / "two.hip").write_text(HIP + KERNEL.format(name="two"))
    user = '#include "kernels.hpp"\nint main() { in_header<float><<<1, 1>>>((float*)nullptr); return 0; }\n'
    (folder / "src" / "user.hip").write_text(user)
    compile_ = ("hipcc", "-O1", "-g")
    run(*compile_, "src/one.hip", "-o", "debug", cwd=folder)
    run(*compile_, "src/one.hip", "src/two.hip", "-o", "several", cwd=folder)
    run(*compile_, "src/user.hip", "-o", "header", cwd=folder)
    run("hipcc", "-O1", "src/one.hip", "-o", "plain", cwd=folder)
    run("hipcc", "-O1", "-fno-record-command-line", "src/one.hip", "-o", "silent", cwd=folder)
    run(
        "hipcc",
        "-O1",
        "-gline-tables-only",
        "-fno-record-command-line",
        "src/one.hip",
        "-o",
        "lines",
        cwd=folder,
    )
    return folder


@pytest.mark.parametrize(
    ("program", "how"),
    [("debug", "debug information"), ("lines", "debug information"), ("plain", "command line")],
)
def test_found(built: Path, program: str, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(built)
    found = find_source(Path(program))
    assert found.path == Path("src/one.hip")
    assert how in found.how
    monkeypatch.chdir(built.parent)
    assert find_source(built / program).path.resolve() == built / "src" / "one.hip"


def test_a_kernel_decides_between_files(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(built)
    with pytest.raises(UsageProblem, match=r"several files: .*one.hip .*one.*; .*two.hip") as caught:
        find_source(Path("several"))
    assert "--source" in (caught.value.remedy or "")
    assert find_source(Path("several"), re.compile("^two")).path.name == "two.hip"
    assert find_source(Path("several"), re.compile("deep::inner")).path.name == "one.hip"
    with pytest.raises(UsageProblem, match="matches --kernel"):
        find_source(Path("several"), re.compile("three"))


def test_what_cannot_be_found(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageProblem, match="no debug information") as caught:
        find_source(built / "silent")
    assert "-g" in (caught.value.remedy or "")
    with pytest.raises(UsageProblem, match=r"others include .*kernels\.hpp"):
        find_source(built / "header")
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    with pytest.raises(UsageProblem, match="no program"):
        find_source(script)
    with pytest.raises(UsageProblem, match="no kernels"):
        find_source(Path(sys.executable).resolve())


def test_sources_that_moved(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved = tmp_path / "moved"
    moved.mkdir()
    # The program remembers a folder that is not there any more.
    content = (built / "debug").read_bytes()
    gone = str(built).encode()
    (moved / "debug").write_bytes(content.replace(gone, gone[:-1] + b"~"))
    monkeypatch.chdir(moved)
    with pytest.raises(BadInput, match=r"one.hip, which is not there"):
        find_source(Path("debug"))
    shutil.copytree(built / "src", moved / "src")
    assert find_source(Path("debug")).path == Path("src/one.hip")


def test_the_command_says_what_it_found(built: Path, environment: dict[str, str]) -> None:
    """Told by the error of a program that launches nothing: everything before that worked."""
    for words, code, says in (
        (["./debug"], 5, "no kernel"),
        (["./several"], 2, "several files"),
        (["./silent", "--revert"], 2, "no debug information"),
    ):
        done = run_command(
            *rocm_perf_words("optimize", *words, "--json", "--build", "hipcc {source} -o {output}"),
            environment=environment,
            cwd=built,
        )
        error = json.loads(done.stdout)["error"]
        assert (done.returncode, says in error["cause"]) == (code, True), done.stdout + done.stderr
