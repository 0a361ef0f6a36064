"""How many times slower than g++ -O2 on one core the virtual GPU runs a kernel, functionally.

Both sides run in turn on the same machine and the best of each is compared, so the ratio holds on noisy
machines. usage: python benchmarks/functional_speed.py
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import vrocm

HERE = Path(__file__).parent
ROUNDS = 3
ALLOWED = 25.0


def nanoseconds(command: list[str], environment: dict[str, str]) -> int:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return min(int(line) for line in done.stdout.split())


def main() -> None:
    environment = {**os.environ, **vrocm.environment(), "VROCM_TIMING": "off"}
    with tempfile.TemporaryDirectory() as folder:
        device, host = f"{folder}/device", f"{folder}/host"
        subprocess.run(
            ["hipcc", "-O3", str(HERE / "functional_speed.hip"), "-o", device], env=environment, check=True
        )
        subprocess.run(["g++", "-O2", str(HERE / "functional_speed_host.cpp"), "-o", host], check=True)
        print(
            f"{'kernel':<12} {'host ms':>9} {'threads':>8} {'vrocm ms':>9} {'ratio':>7}   allowed {ALLOWED:g}"
        )
        for kernel in ("elementwise", "matmul"):
            best_host = min(nanoseconds([host, kernel], environment) for _ in range(ROUNDS))
            for threads in ("1", "2"):
                best = min(
                    nanoseconds([device, kernel], {**environment, "VROCM_THREADS": threads})
                    for _ in range(ROUNDS)
                )
                ratio = best / best_host
                print(f"{kernel:<12} {best_host / 1e6:>9.1f} {threads:>8} {best / 1e6:>9.1f} {ratio:>7.1f}")


if __name__ == "__main__":
    main()
