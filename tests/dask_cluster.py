"""A Dask cluster of processes on this machine, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from tests.commands import SECONDS

SOURCES = Path(__file__).parents[1] / "src"


class Cluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.environment = {
            **(os.environ if environment is None else environment),
            "PYTHONPATH": str(SOURCES),
        }
        self.processes: list[subprocess.Popen[bytes]] = []
        where = folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--scheduler-file", str(where), "--no-dashboard")
        until = time.monotonic() + SECONDS
        while not where.exists() or not where.read_text().strip():
            assert time.monotonic() < until
            time.sleep(0.1)
        self.address = json.loads(where.read_text())["address"]

    def worker(self, **variables: str) -> subprocess.Popen[bytes]:
        """One that is not started again when it dies."""
        place = ["--local-directory", str(self.folder), "--no-nanny", "--no-dashboard"]
        return self._start("worker", self.address, "--nthreads", "1", *place, **variables)

    def _start(self, kind: str, *options: str, **variables: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{kind}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{kind}", *options],
                cwd=self.folder,
                env={**self.environment, **variables},
                stdout=log,
                stderr=log,
            )
        self.processes.append(process)
        return process

    def wait_for(self, workers: int) -> None:
        import distributed

        with distributed.Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=SECONDS)

    def warm_up(self) -> None:
        """Lets every worker import what trials need: on a busy machine that takes longer than a trial."""
        import distributed

        with distributed.Client(self.address, set_as_default=False) as client:
            client.run(exec, "import rocm_perf_lab.autotuning.run_trial")

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()
