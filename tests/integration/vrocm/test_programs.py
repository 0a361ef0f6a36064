"""Programs compiled and run by ``import vrocm``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands import EXAMPLES, succeed, virtual_rocm

import vrocm
from vrocm.errors import CompilationFailed, UsageProblem

SAYS_ITS_GPU = """#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
int code();
int main(int argc, char** argv) {
    hipDeviceProp_t properties;
    if (hipGetDeviceProperties(&properties, 0) != hipSuccess) return 1;
    std::printf("%s %s %s", properties.gcnArchName, argc > 1 ? argv[1] : "", std::getenv("NOTE"));
    return code();
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    (folder / "main.hip").write_text(SAYS_ITS_GPU)
    (folder / "code.cpp").write_text("int code() { return CODE; }\n")
    sources = [folder / "main.hip", folder / "code.cpp"]
    return vrocm.compile(sources, folder / "program", ["-O1", "-DCODE=3"])


def test_a_program_that_launches_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = vrocm.compile(str(EXAMPLES / "vector_add.hip"), "vector_add")
    assert made == tmp_path / "vector_add"
    done = vrocm.run([made])
    assert done.returncode == 0, done.stderr
    assert "PASS" in done.stdout


@pytest.mark.parametrize("device", vrocm.devices(), ids=lambda device: device.name)
def test_on_every_device(device: vrocm.Device, program: Path) -> None:
    done = vrocm.run([program, "word"], device=device.name, variables={"NOTE": "set"})
    assert done.returncode == 3, done.stderr
    architecture, *rest = done.stdout.split()
    assert architecture.partition(":")[0] == device.architecture
    assert rest == ["word", "set"]


def test_what_the_compiler_refuses(tmp_path: Path) -> None:
    (tmp_path / "wrong.hip").write_text("int main() { return nothing; }\n")
    with pytest.raises(CompilationFailed, match="undeclared identifier 'nothing'"):
        vrocm.compile(tmp_path / "wrong.hip", tmp_path / "wrong")
    assert not (tmp_path / "wrong").exists()


def test_warnings_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "warned.hip").write_text("#warning look here\nint main() {}\n")
    vrocm.compile(tmp_path / "warned.hip", tmp_path / "warned")
    assert "look here" in capsys.readouterr().err


def test_what_cannot_be_run(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="there is no program"):
        vrocm.run([tmp_path / "nothing"])
    (tmp_path / "text").touch()
    with pytest.raises(UsageProblem, match="cannot be executed"):
        vrocm.run([tmp_path / "text"])


def test_a_program_that_takes_too_long() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        vrocm.run(["sleep", "60"], timeout=0.1)


def test_the_command(tmp_path: Path) -> None:
    command, environment = Path(sys.executable).parent / "vrocm", virtual_rocm()
    source, made = EXAMPLES / "vector_add.hip", tmp_path / "made"
    succeed(command, "hipcc", "-O3", source, "-o", made, environment=environment)
    assert os.access(made, os.X_OK)
    assert "PASS" in succeed(command, "run", made, environment=environment).stdout
