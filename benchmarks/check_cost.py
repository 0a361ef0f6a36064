"""What checking costs: run time of kernels under `rocm-perf check`'s observers over the functional run time.

Both sides run in turn on the same machine and the best of each is compared, so the ratio holds on noisy
machines. usage: python benchmarks/check_cost.py
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import vrocm
from rocm_perf_lab.checking.request import CLASSES

HERE = Path(__file__).parent
ROUNDS = 3
ALLOWED = 10.0  # for out-of-bounds


def nanoseconds(command: list[str], environment: dict[str, str]) -> int:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return min(int(line) for line in done.stdout.split())


def main() -> None:
    environment = {**os.environ, **vrocm.environment(), "VROCM_TIMING": "off", "VROCM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/program"
        source = str(HERE / "functional_speed.hip")
        subprocess.run(["hipcc", "-O3", source, "-o", program], env=environment, check=True)
        print(f"{'kernel':<12} {'class':<24} {'plain ms':>9} {'checked ms':>11} {'ratio':>7}")
        for kernel in ("elementwise", "matmul"):
            plain = min(nanoseconds([program, kernel], environment) for _ in range(ROUNDS))
            for name in (*CLASSES, "all"):
                asked = {"VROCM_CHECK": name, "VROCM_CHECK_OUTPUT": f"{folder}/findings"}
                checked = min(nanoseconds([program, kernel], {**environment, **asked}) for _ in range(ROUNDS))
                allowed = f"   allowed {ALLOWED:g}" if name == "out-of-bounds" else ""
                print(
                    f"{kernel:<12} {name:<24} {plain / 1e6:>9.1f} {checked / 1e6:>11.1f} "
                    f"{checked / plain:>7.1f}{allowed}"
                )


if __name__ == "__main__":
    main()
