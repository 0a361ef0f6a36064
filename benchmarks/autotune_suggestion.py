"""What a suggestion costs: a space of 10,000 configurations, 200 observations, then suggestions one by one.

    python benchmarks/autotune_suggestion.py [--configurations 10000] [--observations 200] [--suggestions 40]

Prints milliseconds: of the processor's time, which other programs do not disturb, and of the clock.
"""

from __future__ import annotations

import argparse
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from autotune_spaces import synthetic

from rocm_perf_lab.autotuning.search import Search
from rocm_perf_lab.autotuning.space import Pool, Space


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--configurations", type=int, default=10_000)
    parser.add_argument("--observations", type=int, default=200)
    parser.add_argument("--suggestions", type=int, default=40)
    parser.add_argument("--space", default="convolution")
    options = parser.parse_args()
    whole = synthetic(options.space)
    kept = np.random.default_rng(0).permutation(len(whole.times))[: options.configurations]
    levels = whole.pool.levels[kept]
    times = dict(zip(map(tuple, levels.tolist()), (whole.times[place] for place in kept), strict=True))
    search = Search(Space(whole.space.parameters, (), levels), Pool(levels, complete=True), 0)
    for row in list(times)[: options.observations]:
        search.observe(row, times[row])
    search.suggest()  # the first one fits from scratch
    cpu, wall = [], []
    for _ in range(options.suggestions):
        row = next(iter(search.under_way))
        search.observe(row, times[row])
        began = time.process_time(), time.perf_counter()
        search.suggest()
        cpu.append(1e3 * (time.process_time() - began[0]))
        wall.append(1e3 * (time.perf_counter() - began[1]))
    print(f"{len(levels)} configurations, {options.observations} observations")
    for name, taken in (("processor", cpu), ("clock", wall)):
        median, high = np.percentile(taken, (50, 90))
        print(
            f"{name:>10}: median {median:.1f} ms, 90th percentile {high:.1f} ms, mean {np.mean(taken):.1f} ms"
        )


if __name__ == "__main__":
    main()
