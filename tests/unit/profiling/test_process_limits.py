"""Limits of what is run: memory that is touched, private memory, files; reserved addresses are free."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from tests.commands import SECONDS

from rocm_perf_lab.errors import ProgramFailed
from rocm_perf_lab.profiling.processes.limits import ProcessLimits, limited
from rocm_perf_lab.profiling.processes.process_group import ProcessOutcome, run

MIB = 1 << 20
LIMITS = ProcessLimits(resident_bytes=200 * MIB, file_bytes=MIB)
# Limits come from outside, when the process is there already: it waits for them.
WAIT = "import resource, time\nwhile resource.getrlimit(resource.RLIMIT_FSIZE)[0] < 0: time.sleep(0.01)\n"
TOUCH = "import time; held = b'x' * (150 << 20); time.sleep(600)"


def python(folder: Path, code: str, **options: object) -> ProcessOutcome:
    logs = {"stdout": folder / "out", "stderr": folder / "err"}
    return run([sys.executable, "-c", code], os.environ, timeout_s=SECONDS, **logs, **options)  # type: ignore[arg-type]


def test_memory_that_is_touched(tmp_path: Path) -> None:
    """By all processes together: each of these two alone would do."""
    both = f"import os; os.fork(); {TOUCH}"
    said = r"0\.[23] GiB of memory, and 0\.2 GiB are allowed"
    with limited(LIMITS), pytest.raises(ProgramFailed, match=said):
        python(tmp_path, both)


def test_memory_that_is_reserved_is_free(tmp_path: Path) -> None:
    reserve = "import mmap; mmap.mmap(-1, 1 << 40, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)"
    with limited(LIMITS):
        assert python(tmp_path, reserve).exit_code == 0
    hard = ProcessLimits(resident_bytes=200 * MIB, file_bytes=MIB, private_bytes=100 * MIB)
    # That of files comes after that of memory.
    assert python(tmp_path, WAIT + reserve, limits=hard).exit_code == 1
    assert "Cannot allocate memory" in (tmp_path / "err").read_text()


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "large"
    code = f"open({str(file)!r}, 'wb').write(bytes(2 << 20))"
    with limited(LIMITS):
        assert python(tmp_path, WAIT + code).exit_code in (1, -signal.SIGXFSZ)
    assert file.stat().st_size <= MIB
    assert python(tmp_path, code).exit_code == 0
    assert file.stat().st_size == 2 * MIB
