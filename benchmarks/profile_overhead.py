"""What rocm-perf adds to rocprofv3: ``profile --quiet`` of a small program against rocprofv3 run directly.

    python benchmarks/profile_overhead.py [--program PROGRAM] [--repeat N] [--json]

Both run in turn, so that what else the machine does falls on both alike; the overhead is the difference of
their medians. Without --program the example pointer_chase is compiled with the prefix's hipcc. Exit code 1
when the overhead is above the limit. On a busy machine (load_per_core above 1) wall time is also waiting for
a core: processor time (cpu_overhead_s) is then the figure to look at.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from rocm_perf_lab.rocm.find import find_prefix

LIMIT_S = 0.4
EXAMPLE = Path(__file__).parents[1] / "examples" / "pointer_chase.hip"


class Cost(NamedTuple):
    wall_s: float
    cpu_s: float  # of all processes


def cost(command: list[str], place: Path, environment: dict[str, str]) -> Cost:
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=place, env=environment, check=True, capture_output=True)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def medians(costs: list[Cost]) -> Cost:
    return Cost(*(statistics.median(values) for values in zip(*costs, strict=True)))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--program", type=Path, help="a small program that launches kernels")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    prefix = find_prefix()
    environment = {**os.environ, **prefix.environment()}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        program = options.program.resolve() if options.program else place / "program"
        if not options.program:
            hipcc = [str(prefix.tool("hipcc")), "-O2", str(EXAMPLE), "-o", str(program)]
            subprocess.run(hipcc, env=environment, check=True)
        direct, profiled = [], []
        for number in range(options.repeat):
            tool = [
                str(prefix.tool("rocprofv3")),
                "--kernel-trace",
                "-f",
                "rocpd",
                "-d",
                f"direct-{number}",
                "--",
            ]
            direct.append(cost([*tool, str(program)], place, environment))
            quiet = [
                sys.executable,
                "-m",
                "rocm_perf_lab",
                "profile",
                "--quiet",
                "--runs",
                "1",
                "--",
                str(program),
            ]
            profiled.append(cost(quiet, place, environment))
    alone, ours = medians(direct), medians(profiled)
    overhead = ours.wall_s - alone.wall_s
    result = {
        "program": program.name,
        "repeat": options.repeat,
        "rocprofv3_s": round(alone.wall_s, 4),
        "profile_quiet_s": round(ours.wall_s, 4),
        "overhead_s": round(overhead, 4),
        "ratio": round(ours.wall_s / alone.wall_s, 3),
        "limit_s": LIMIT_S,
        "cpu_overhead_s": round(ours.cpu_s - alone.cpu_s, 4),
        "load_per_core": round(os.getloadavg()[0] / (os.cpu_count() or 1), 2),
    }
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        print("\n".join(f"{name:16} {value}" for name, value in result.items()))
    return 0 if overhead <= LIMIT_S else 1


if __name__ == "__main__":
    sys.exit(main())
