"""What interrupted commands work on, and commands that are started, watched from outside and interrupted."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.commands import SECONDS, rocm_perf_words

import vrocm

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "tests" / "integration" / "rocprofv3" / "programs" / "scale.hip"
# Every process that a command starts inherits it, whatever session or group it makes of its own.
MARK = "ROCM_PERF_INTERRUPT_TEST"
ROWS = 400_000  # of a table: reading it takes longer than the tests wait
COLUMNS = "Kind,Agent_Id,Queue_Id,Stream_Id,Thread_Id,Dispatch_Id,Kernel_Id,Kernel_Name,Correlation_Id,"
COLUMNS += "Start_Timestamp,End_Timestamp,LDS_Block_Size,Scratch_Size,VGPR_Count,Accum_VGPR_Count,SGPR_Count,"
COLUMNS += "Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z,Grid_Size_X,Grid_Size_Y,Grid_Size_Z"


@dataclass(frozen=True)
class Stock:
    """Made once, only read by the commands."""

    program: Path
    capture: Path
    table: Path
    build: Path
    """Makes the program of any source, at once: build SOURCE OUTPUT."""
    space: Path
    environment: Mapping[str, str]


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Stock:
    folder = tmp_path_factory.mktemp("stock")
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ROCPROF", "ROCM_PERF", "VROCM_TRACE"))
    }
    environment = {
        **clean,
        **vrocm.environment(),
        "PYTHONPATH": str(ROOT / "src"),
        "ROCM_PERF_CALIBRATIONS": "/no/calibrations",
        "ROCM_PERF_CONFIG": "",
    }
    made = Stock(
        folder / "scale",
        folder / "capture",
        folder / "table_kernel_trace.csv",
        folder / "build",
        folder / "space.json",
        environment,
    )
    ours = rocm_perf_words()
    for words in (
        ["hipcc", "-O2", "-g", str(SOURCE), "-lroctx64", "-o", str(made.program)],
        [*ours, "capture", "--kernel", "scale", "--out", str(made.capture), str(made.program)],
    ):
        done = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode == 0, done.stderr
    rows = (
        f'"KERNEL_DISPATCH","Agent 1",1,1,1,{number},1,"kernel_{number % 7}(int)",{number},'
        f"{number * 100},{number * 100 + 50},0,0,8,0,16,64,1,1,4096,1,1"
        for number in range(1, ROWS)
    )
    made.table.write_text("\n".join([COLUMNS, *rows, ""]))
    made.build.write_text(f'#!/bin/sh\ncp "{made.program}" "$2"\n')
    made.build.chmod(0o755)
    made.space.write_text(json.dumps({"parameters": {"N": list(range(1, 9))}}))
    return made


@dataclass
class Started:
    """A command in a session of its own, with folders of its own for its work and for scratch files."""

    words: list[str]
    folder: Path
    environment: Mapping[str, str]
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)

    def __post_init__(self) -> None:
        self.scratch = self.folder / "scratch"
        self.work = self.folder / "work"
        self.scratch.mkdir()
        self.process = subprocess.Popen(
            rocm_perf_words(*self.words),
            cwd=self.work,
            env={**self.environment, "TMPDIR": str(self.scratch), MARK: self.mark},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def descendants(self) -> dict[int, list[str]]:
        """Processes that it started, directly or not, that still run: number -> command line."""
        wanted = f"{MARK}={self.mark}".encode()
        found = {}
        for place in Path("/proc").iterdir():
            if place.name.isdecimal() and int(place.name) != self.process.pid:
                with contextlib.suppress(OSError):
                    if wanted in (place / "environ").read_bytes().split(b"\0"):
                        found[int(place.name)] = (place / "cmdline").read_bytes().decode().split("\0")
        return found

    def wait_for_child(self, name: str) -> None:
        """Until it runs a program of this name."""

        def runs() -> bool:
            return any(Path(words[0]).name == name for words in self.descendants().values())

        self._wait(runs, f"{name} was not started")

    def wait_for_work(self, seconds: float) -> None:
        """Until it has used the processor for so long: it has begun, however busy the machine is."""
        ticks = os.sysconf("SC_CLK_TCK")

        def busy() -> bool:
            stat = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(stat[11]) + int(stat[12])) / ticks >= seconds

        self._wait(busy, "it does nothing")

    def interrupt(self, number: signal.Signals) -> tuple[int, str, str, float]:
        """Exit code, what it printed on stdout and stderr, and the seconds that it took to end."""
        began = time.monotonic()
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, out, err, time.monotonic() - began

    def close(self) -> None:
        """However a test ends, nothing of it goes on."""
        for number in (*self.descendants(), self.process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        self.process.communicate()

    def _wait(self, come: object, otherwise: str) -> None:
        assert callable(come)
        until = time.monotonic() + SECONDS
        while not come():
            if self.process.poll() is not None:
                out, err = self.process.communicate()
                pytest.fail(f"it ended with {self.process.returncode} too early:\n{out[-2000:]}\n{err}")
            assert time.monotonic() < until, otherwise
            time.sleep(0.02)
