"""What rocm-perf adds to rocprofv3: ``profile --quiet`` of a small program against rocprofv3 run directly.

    python benchmarks/profile_overhead.py [--program PROGRAM] [--repeat N] [--json]

Both run in turn, so that what else the machine does falls on both alike; the overhead is the difference of
their medians. Without --program the example pointer_chase is compiled with the prefix's hipcc. Exit code 1
when the overhead is above the limit.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rocm_perf_lab.rocm.find import find_prefix

LIMIT_S = 0.4
EXAMPLE = Path(__file__).parents[1] / "examples" / "pointer_chase.hip"


def seconds(command: list[str], place: Path, environment: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, cwd=place, env=environment, check=True, capture_output=True)
    return time.perf_counter() - began


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
            direct.append(seconds([*tool, str(program)], place, environment))
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
            profiled.append(seconds(quiet, place, environment))
    overhead = statistics.median(profiled) - statistics.median(direct)
    result = {
        "program": program.name,
        "repeat": options.repeat,
        "rocprofv3_s": round(statistics.median(direct), 4),
        "profile_quiet_s": round(statistics.median(profiled), 4),
        "overhead_s": round(overhead, 4),
        "ratio": round(statistics.median(profiled) / statistics.median(direct), 3),
        "limit_s": LIMIT_S,
    }
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        print("\n".join(f"{name:16} {value}" for name, value in result.items()))
    return 0 if overhead <= LIMIT_S else 1


if __name__ == "__main__":
    sys.exit(main())
