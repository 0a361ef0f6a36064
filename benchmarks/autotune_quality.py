"""How good the search is on spaces of many shapes: medians of optimum / best found, beside random choice.

    python benchmarks/autotune_quality.py [--evals 50] [--seeds 12] [--bare] [SPACE…]

``--bare`` takes the constraints away once the space is listed, as a recorded space has none.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from autotune_spaces import SPACES, synthetic

from rocm_perf_lab.autotuning.formats.recording import Recording
from rocm_perf_lab.autotuning.recorded import replay_all
from rocm_perf_lab.autotuning.search import SEEDS
from rocm_perf_lab.autotuning.space import Space

SHOWN = (10, 20, 30, 50, 100, 200)


def recorded(name: str, bare: bool) -> Recording:
    made = synthetic(name)
    space = made.space
    if bare:
        space = Space(space.parameters, (), made.pool.levels)
    failures = tuple(None if time is not None else "runtime" for time in made.times)
    return Recording(
        "formula", space, made.pool.levels, tuple(made.times), failures, "time", device=None, kernel=name
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evals", type=int, default=50)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("spaces", nargs="*", default=list(SPACES))
    options = parser.parse_args()
    shown = [count for count in SHOWN if count <= options.evals]
    print(f"{'':14}{'':9}" + "".join(f"{count:>8}" for count in shown))
    medians = []
    for name in options.spaces:
        recording = recorded(name, options.bare)
        document = replay_all(recording, Path(name), options.evals, range(options.seeds), SEEDS, workers=1)
        # Of a space smaller than the number of evaluations the last figure stands for all further ones.
        quality = [document.quality[min(count, len(document.quality)) - 1] for count in shown]
        medians.append([one.median for one in quality])
        print(f"{name:14}{'search':9}" + "".join(f"{one.median:>8.3f}" for one in quality))
        print(f"{'':14}{'random':9}" + "".join(f"{one.random_median:>8.3f}" for one in quality), flush=True)
    print(f"{'mean':14}{'search':9}" + "".join(f"{value:>8.3f}" for value in np.mean(medians, axis=0)))


if __name__ == "__main__":
    main()
