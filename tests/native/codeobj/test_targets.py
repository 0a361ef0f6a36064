"""Processors and features have the numbers that the pinned assembler writes into headers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rocm_perf_lab.codeobj.elf import Elf
from rocm_perf_lab.codeobj.target import PROCESSORS, target_of

# Those of which the compiler says that it does not know them (any more, or yet).
UNKNOWN_TO_THE_COMPILER = {"gfx940", "gfx941"}


def assembled(folder: Path, target: str, *flags: str) -> Elf:
    source, obj = folder / "empty.s", folder / "empty.o"
    source.write_text("s_endpgm\n")
    command = ["clang", "--target=amdgcn-amd-amdhsa", f"-mcpu={target}", "-c", str(source), "-o", str(obj)]
    done = subprocess.run([sys.executable, "-m", "ziglang", *command, *flags], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return Elf(obj.read_bytes())


@pytest.mark.parametrize(
    "target", ["gfx942", "gfx942:sramecc+:xnack-", "gfx90a:sramecc-:xnack+", "gfx1100", "gfx9-4-generic"]
)
def test_some(target: str, tmp_path: Path) -> None:
    elf = assembled(tmp_path, target)
    assert target_of(elf.flags, elf.abi_version) == target


@pytest.mark.survey
@pytest.mark.parametrize(
    "processor", [one for one in PROCESSORS.values() if one not in UNKNOWN_TO_THE_COMPILER]
)
def test_every_processor(processor: str, tmp_path: Path) -> None:
    elf = assembled(tmp_path, processor)
    assert target_of(elf.flags, elf.abi_version) == processor
