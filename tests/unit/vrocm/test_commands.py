"""The program ``vrocm``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands import succeed, virtual_rocm

import vrocm
from vrocm.commands import main

BESIDE = Path(sys.executable).parent


@pytest.mark.parametrize("words", [["env"], ["path"]])
def test_it_says_what_rocm_perf_says(words: list[str]) -> None:
    environment = virtual_rocm()
    ours = succeed(BESIDE / "vrocm", *words, environment=environment).stdout
    assert ours == succeed(BESIDE / "rocm-perf", "vrocm", *words, environment=environment).stdout
    assert ours == succeed(sys.executable, "-m", "vrocm", *words, environment=environment).stdout


def test_devices(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["devices"]) == 0
    assert capsys.readouterr().out.split() == [
        word for one in vrocm.devices() for word in (one.name, one.architecture)
    ]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"vrocm {vrocm.__version__} (ROCm {vrocm.ROCM_VERSION})\n"


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ([], "no command is given"),
        (["frobnicate"], "'frobnicate' is no command of vrocm"),
        (["env", "more"], "'env more' is no command of vrocm"),
        (["run"], "'run' is no command of vrocm"),
        (["run", "./no-such-program"], "there is no program './no-such-program'"),
        (["run", "--", "/"], "'/' cannot be executed"),
    ],
)
def test_what_cannot_be_done(words: list[str], cause: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.startswith(f"vrocm: error: {cause}\n  try: ")


def test_a_program_takes_its_place(tmp_path: Path) -> None:
    """Words behind it are its own, whatever they look like."""
    done = subprocess.run(
        [BESIDE / "vrocm", "run", "sh", "-c", 'echo "$ROCM_PATH" "$@"; exit 5', "sh", "--help", "--"],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (5, f"{vrocm.prefix()} --help --\n")
