"""Runs a program under rocprofv3 of the chosen prefix, in every pass with the same environment."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.profiling.passes import rocprof_options
from rocm_perf_lab.profiling.passes.counter_plan import parse_available
from rocm_perf_lab.profiling.processes.interrupts import held_interrupts
from rocm_perf_lab.profiling.processes.process_group import ProcessOutcome, run
from rocm_perf_lab.rocm.find import Prefix
from rocm_perf_lab.rocm.profiler import BY_HAND, FIRST_WITH_DATABASES, writes_databases

LIST_SECONDS = 60
VERSION_SECONDS = 10
_VERSION = re.compile(r"^\s*version:\s*(\S+)", re.MULTILINE | re.IGNORECASE)
_LONGEST_LINE = 160
_CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# rocprofv3 reports where it put its files; that is no reason for a failure.
_OWN_REPORT = re.compile(r"rocprofv3: \S.*\.(db|csv|json|pftrace)$|Opened result file|^\s*$")


@dataclass(frozen=True)
class Rocprof:
    """rocprofv3 and what it runs."""

    tool: Path
    command: tuple[str, ...]
    environment: Mapping[str, str]
    timeout_s: float | None
    debug: bool
    hurried: bool = False
    """Nothing is asked of the tool that can be left out."""

    def run(
        self,
        options: Sequence[str],
        folder: Path,
        logs: tuple[Path, Path],
        tick: Callable[[], None] | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> ProcessOutcome:
        """One pass: its databases go below ``folder``, what it prints into the two files ``logs``."""
        folder.mkdir(parents=True)
        output = (rocprof_options.OUTPUT_FORMAT, "rocpd", rocprof_options.OUTPUT_FOLDER, str(folder))
        command = [str(self.tool), *options, *output, "--", *self.command]
        return run(
            command,
            self.environment,
            stdout=logs[0],
            stderr=logs[1],
            timeout_s=self.timeout_s,
            show=self.debug,
            tick=tick,
            meanwhile=meanwhile,
        )

    def available_counters(self) -> dict[str, str] | None:
        """What ``--list-avail`` tells of the device's counters; None when it does not answer."""
        try:
            done = subprocess.run(
                [str(self.tool), rocprof_options.LIST_COUNTERS],
                env=dict(self.environment),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=LIST_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return parse_available(done.stdout.decode(errors="replace")) if done.returncode == 0 else None

    def ask_version(self, until: ExitStack) -> Callable[[], str]:
        """Asks the tool for its version while other work goes on, or until that ends; the function waits for
        the answer."""
        if self.hurried:
            return lambda: "not asked (--quiet)"
        try:
            with held_interrupts():
                process = subprocess.Popen(
                    [str(self.tool), rocprof_options.VERSION],
                    env=dict(self.environment),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
                until.callback(_end, process)
        except OSError as error:
            unknown = f"unknown: {error.strerror}"
            return lambda: unknown

        def answer() -> str:
            try:
                text = process.communicate(timeout=VERSION_SECONDS)[0].decode(errors="replace")
            except subprocess.TimeoutExpired:
                return "unknown: it did not answer"
            found = _VERSION.search(text)
            return found[1] if found else "unknown: it did not say"

        return answer


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()  # nothing if it has ended
    process.communicate()


def find_rocprof(prefix: Prefix) -> Path:
    tool = prefix.tool("rocprofv3")
    if not tool.is_file() or not os.access(tool, os.X_OK):
        raise EnvironmentProblem(
            f"there is no rocprofv3 in {prefix.path}",
            "install the rocprofiler-sdk package of ROCm, or measure wall time only with --no-rocprof",
        )
    if not writes_databases(prefix):
        raise EnvironmentProblem(
            f"rocprofv3 of ROCm {prefix.version} in {prefix.path} does not write databases",
            f"install ROCm {FIRST_WITH_DATABASES} or newer, or trace by hand: {BY_HAND}",
        )
    return tool


def tail(log: Path) -> str:
    """The end of what a pass printed, as it is."""
    try:
        with log.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 8192))
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def last_words(log: Path, lines: int = 1) -> str:
    """The last lines of what a pass printed, fit for a message: no control characters, none of them long."""
    said = [_CONTROL.sub("", line).strip() for line in tail(log).splitlines()]
    said = [line for line in said if line and not _OWN_REPORT.search(line)]
    return "; ".join(
        line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + "…" for line in said[-lines:]
    )
