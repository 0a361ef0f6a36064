"""How fast the timing model is: wave instructions a second on one core, and against functional execution.

Every workgroup is simulated (VROCM_TIMING=full). Both sides run in turn on the same machine and the best of
each is compared. usage: python benchmarks/timed_speed.py
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path

import vrocm

HERE = Path(__file__).parent
ROUNDS = 2
REQUIRED = 1.5  # million wave instructions a second


def seconds(command: list[str], environment: dict[str, str]) -> tuple[float, int]:
    """The best run that the program reports, and the wave instructions of a dispatch when they are logged."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    counts = [int(n) for n in re.findall(r"(\d+) instructions", done.stderr)]
    return min(int(line) for line in done.stdout.split()) / 1e9, max(counts, default=0)


def main() -> None:
    environment = {**os.environ, **vrocm.environment(), "VROCM_THREADS": "1"}
    timed = {**environment, "VROCM_TIMING": "full", "VROCM_TIMING_LOG": "1"}
    functional = {**environment, "VROCM_TIMING": "off"}
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/device"
        subprocess.run(
            ["hipcc", "-O3", str(HERE / "functional_speed.hip"), "-o", program], env=environment, check=True
        )
        print(f"{'kernel':<12} {'million/s':>10} {'required':>9} {'times functional':>17}")
        for kernel in ("elementwise", "matmul"):
            fast = min(seconds([program, kernel], functional)[0] for _ in range(ROUNDS))
            runs = [seconds([program, kernel], timed) for _ in range(ROUNDS)]
            slow, instructions = min(runs)
            print(f"{kernel:<12} {instructions / slow / 1e6:>10.2f} {REQUIRED:>9} {slow / fast:>17.1f}")


if __name__ == "__main__":
    main()
