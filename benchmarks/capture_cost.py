"""What capture and replay cost, as ratios measured in one run.

    python benchmarks/capture_cost.py [--gib N] [--repeat N] [--json]

- capture_of_cp: time of `cp` of a file with the bytes of the memory, against the time that the snapshots
  before and after the kernel took (as the capture says itself). Limit 0.5.
- iteration_of_restore: time to restore memory before a stateless iteration whose kernel writes 1 MiB, against
  restoring all of it. Limit 0.05.
- small_replay_s: seconds for `rocm-perf replay full-vm` of a small capture, from start to end. Limit 1.

The memory is half random and half repetitive. Runs take turns.
Exit code 1 when a limit is exceeded.
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

from rocm_perf_lab.capturing.tools_library import tools_library
from rocm_perf_lab.rocm.find import find_prefix
from vrocm.isolated import command_line

LIMITS = {"capture_of_cp": (">=", 0.5), "iteration_of_restore": ("<=", 0.05), "small_replay_s": ("<=", 1.0)}
GIB = 1 << 30

PROGRAM = r"""
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void write_one_mebibyte(unsigned* data) { data[blockIdx.x * 256 + threadIdx.x] = threadIdx.x + 1; }
int main(int, char** arguments) {
    const size_t words = std::strtoull(arguments[1], nullptr, 10) / 4;
    std::vector<unsigned> host(words);
    unsigned long long state = 1;
    for (size_t i = 0; i < words; ++i) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        host[i] = i < words / 2 ? unsigned(state >> 32) : unsigned(i / 1000);
    }
    unsigned* data = nullptr;
    if (hipMalloc(&data, words * 4)) return 1;
    if (hipMemcpy(data, host.data(), words * 4, hipMemcpyHostToDevice)) return 1;
    if (arguments[2]) {
        FILE* file = std::fopen(arguments[2], "wb");
        std::fwrite(host.data(), 4, words, file);
        std::fclose(file);
    }
    write_one_mebibyte<<<1024, 256>>>(data);
    return hipDeviceSynchronize() != hipSuccess;
}
"""


def rocm_perf(*words: str | Path) -> str:
    command = command_line("rocm_perf_lab", *map(str, words))
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def seconds(command: list[str], **options: object) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, **options)  # type: ignore[call-overload]
    return time.perf_counter() - began


def measure(place: Path, size: int, repeat: int) -> dict[str, float]:
    prefix = find_prefix()
    environment = {**os.environ, **prefix.environment()}
    source, program = place / "program.hip", place / "program"
    source.write_text(PROGRAM)
    hipcc = [str(prefix.tool("hipcc")), "-O2", str(source), "-o", str(program)]
    subprocess.run(hipcc, env=environment, check=True)
    subprocess.run([str(program), str(size), str(place / "bytes")], env=environment, check=True)
    tool = {**environment, "HSA_TOOLS_LIB": str(tools_library())}
    ratios, iterations = [], []
    for number in range(repeat):
        copied = seconds(["cp", str(place / "bytes"), str(place / "copy")])
        (place / "copy").unlink()
        capture = place / f"capture_{number}"
        subprocess.run([str(program), str(size)], env={**tool, "ISOLATE_OUT": str(capture)}, check=True)
        process = json.loads((capture / "dispatch.json").read_bytes())["process"]
        ratios.append(copied * 1e9 / (process["before_ns"] + process["after_ns"]))
        replayed = json.loads(
            rocm_perf("replay", "full-vm", "--trust", "--json", "--capture-dir", capture, "--iterations", "5")
        )
        restore = replayed["restore"]
        iterations.append(restore["iteration_seconds"] / restore["full_seconds"])
        subprocess.run(["rm", "-r", str(capture)], check=True)
    small = place / "small"
    rocm_perf("capture", "--json", "--stop", "--out", small, "--", program, str(1 << 20))
    replay = command_line("rocm_perf_lab", "replay", "full-vm", "--json", "--capture-dir", str(small))
    return {
        "capture_of_cp": statistics.median(ratios),
        "iteration_of_restore": statistics.median(iterations),
        "small_replay_s": statistics.median(seconds(replay) for _ in range(max(repeat, 5))),
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--gib", type=float, default=1.0, help="size of the memory that is captured")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder), int(options.gib * GIB), options.repeat)
    failed = []
    for name, (sign, limit) in LIMITS.items():
        good = figures[name] >= limit if sign == ">=" else figures[name] <= limit
        if not good:
            failed.append(name)
        if not options.json:
            print(f"{name:22} {figures[name]:8.3f}  (limit {sign} {limit}){'' if good else '  EXCEEDED'}")
    if options.json:
        print(json.dumps({"gib": options.gib, **figures, "exceeded": failed}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
