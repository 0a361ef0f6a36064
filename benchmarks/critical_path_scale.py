"""How long and how much memory the critical path of traces of growing length takes.

    python benchmarks/critical_path_scale.py [DISPATCHES …] [--streams 4] [--folder DIR]

Every trace (kernels on several streams, the host's calls with their arguments, events, copies) is read and
analysed in a process of its own, from start to the written dag.json. Traces are kept and used again.
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

from timeline_generator import TimelineShape, write_timeline

# What a trace of so many dispatches may take (seconds, MiB).
LIMITS = {1_000_000: (12.0, 1536.0)}
_RUN = "import sys; from pathlib import Path\n"
_RUN += "from rocm_perf_lab.profiling.documents.critical_path import write_dag\n"
_RUN += "write_dag(Path(sys.argv[2]), [Path(sys.argv[1])])"


@dataclass(frozen=True)
class Measurement:
    dispatches: int
    file_mb: float
    seconds: float
    processor_seconds: float
    peak_mib: float

    @property
    def within_limits(self) -> bool:
        seconds, mib = LIMITS.get(self.dispatches, (float("inf"), float("inf")))
        return self.seconds <= seconds and self.peak_mib <= mib


def measure(path: Path, dispatches: int) -> Measurement:
    began = time.perf_counter()
    child = os.posix_spawn(
        sys.executable, [sys.executable, "-c", _RUN, str(path), str(path.parent)], os.environ
    )
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - began
    if status != 0:
        raise SystemExit(f"the critical path of {path} failed with status {status}")
    document = json.loads((path.parent / "dag.json").read_text())
    if sum(kernel["launches"] for kernel in document["kernels"]) != dispatches:
        raise SystemExit(f"{path}: not all of {dispatches} dispatches were counted")
    processor = usage.ru_utime + usage.ru_stime
    return Measurement(dispatches, path.stat().st_size / 1e6, seconds, processor, usage.ru_maxrss / 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dispatches", type=int, nargs="*", default=[100_000, 1_000_000])
    parser.add_argument("--streams", type=int, default=4)
    folder = Path(tempfile.gettempdir()) / "rocm-perf-critical-path-scale"
    parser.add_argument("--folder", type=Path, default=folder)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    print(f"{'dispatches':>12} {'file MB':>9} {'seconds':>9} {'cpu s':>9} {'peak MiB':>9}  limits")
    missed = False
    for dispatches in arguments.dispatches:
        path = arguments.folder / f"timeline-{dispatches}-{arguments.streams}.db"
        if not path.exists():
            draft = path.with_suffix(".draft")
            write_timeline(draft, TimelineShape(dispatches, streams=arguments.streams))
            draft.replace(path)
        item = measure(path, dispatches)
        missed |= not item.within_limits
        print(
            f"{item.dispatches:12,} {item.file_mb:9.0f} {item.seconds:9.2f} {item.processor_seconds:9.2f} "
            f"{item.peak_mib:9.0f}  {'kept' if item.within_limits else 'MISSED'}",
            flush=True,
        )
    if missed:
        raise SystemExit("a limit was missed")


if __name__ == "__main__":
    main()
