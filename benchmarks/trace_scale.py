"""How long and how much memory `rocm-perf analyze` takes for traces of growing length.

    python benchmarks/trace_scale.py [DISPATCHES …] [--counters N] [--processes N] [--folder DIR]

Every trace is analysed in a process of its own, from start to exit. Linear means: a dispatch more costs the
same in a long trace as in a short one (in processor time, which other work on the machine changes little).
Peak memory is the largest resident set of the process. Traces are kept in the folder and used again:
160 MB for a million dispatches.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from trace_generator import Shape, write_trace

from vrocm.isolated import command_line

LINEAR = 1.2
# What a trace of so many dispatches, without counters, may take (seconds, MiB).
LIMITS = {1_000_000: (12.0, 1024.0), 10_000_000: (120.0, 2048.0)}


@dataclass(frozen=True)
class Measurement:
    dispatches: int
    file_mb: float
    seconds: float
    processor_seconds: float
    peak_mib: float
    counters: int

    @property
    def within_limits(self) -> bool:
        unlimited = (float("inf"), float("inf"))
        seconds, mib = unlimited if self.counters else LIMITS.get(self.dispatches, unlimited)
        return self.seconds <= seconds and self.peak_mib <= mib


def measure(path: Path, dispatches: int, counters: int) -> Measurement:
    """One run of the command as a user would start it."""
    out = path.with_suffix(".json")
    began = time.perf_counter()
    child = os.posix_spawn(
        sys.executable,
        command_line("rocm_perf_lab", "analyze", "--json", str(path)),
        os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, str(out), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)],
    )
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - began
    if status != 0:
        raise SystemExit(f"analyze {path} failed with status {status}")
    kernels = json.loads(out.read_text())["kernels"]
    if sum(kernel["launches"] for kernel in kernels) != dispatches:
        raise SystemExit(f"analyze {path} did not count {dispatches} dispatches")
    size, processor = path.stat().st_size / 1e6, usage.ru_utime + usage.ru_stime
    return Measurement(dispatches, size, seconds, processor, usage.ru_maxrss / 1024, counters)


def print_table(found: list[Measurement]) -> None:
    columns = ("file MB", "seconds", "cpu s", "us more", "peak MiB")
    print(f"{'dispatches':>12} {' '.join(f'{column:>9}' for column in columns)}  limits")
    before: Measurement | None = None
    for item in found:
        more = "" if before is None else f"{_marginal(before, item):.2f}"
        print(
            f"{item.dispatches:12,} {item.file_mb:9.0f} {item.seconds:9.2f} {item.processor_seconds:9.2f} "
            f"{more:>9} {item.peak_mib:9.0f}  {'kept' if item.within_limits else 'MISSED'}"
        )
        before = item
    if len(found) > 2:
        ratio = _marginal(found[-2], found[-1]) / _marginal(found[0], found[1])
        print(f"cost of a dispatch more, last to first: {ratio:.2f} (linear: not above {LINEAR})")


def _marginal(shorter: Measurement, longer: Measurement) -> float:
    """Microseconds of processor time that a dispatch more takes."""
    seconds = longer.processor_seconds - shorter.processor_seconds
    return seconds / (longer.dispatches - shorter.dispatches) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dispatches", type=int, nargs="*", default=[100_000, 1_000_000, 10_000_000])
    parser.add_argument("--counters", type=int, default=0, help="counters in every dispatch, 2 values each")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "rocm-perf-trace-scale")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    found = []
    for dispatches in arguments.dispatches:
        name = f"trace-{dispatches}-{arguments.counters}-{arguments.processes}.db"
        path = arguments.folder / name
        if not path.exists():
            draft = path.with_suffix(".draft")
            shape = Shape(dispatches, counters=arguments.counters, processes=arguments.processes)
            write_trace(draft, shape)
            draft.replace(path)
        found.append(measure(path, dispatches, arguments.counters))
    print_table(found)
    if not all(item.within_limits for item in found):
        raise SystemExit("a limit was missed")


if __name__ == "__main__":
    main()
