"""Whether what compiled code tells helps the search: the same spaces with and without it.

    python benchmarks/autotune_figures.py [--evals 30] [--seeds 8] [SPACE…]

In the first spaces registers, LDS and occupancy follow from the parameters by the formulas that times follow
from; in the others they are drawn and mean nothing, which must not harm. As in a live tuning four variants
are compiled for each run.
"""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from autotune_spaces import LDS, Synthetic, synthetic

from rocm_perf_lab.autotuning.search import Row, Search
from rocm_perf_lab.autotuning.space import Pool, Space

SHOWN = (10, 15, 20, 30, 50)
LOOKED_AT = 4
Figures = dict[Row, dict[str, float]]


def _told(made: Synthetic) -> Figures:
    """Registers and LDS, as the formulas of the space have them; of others drawn."""
    c = dict(made.space.columns(made.pool.levels))
    if made.name == "convolution":
        registers = 24 + 3 * c["tile_x"] * c["tile_y"] + 6 * c["unroll"]
        high, wide = c["block_y"] * c["tile_y"] + 16, c["block_x"] * c["tile_x"] + 16 + c["padding"]
        lds = np.where(c["shared"] == 1, 4 * wide * high, 0)
    elif made.name == "small_memory":
        registers = c["m"] * c["n"] / 256 + 8 * c["stages"]
        lds = 4 * c["stages"] * c["k"] * (c["m"] + c["n"])
    else:
        draw = np.random.default_rng(3)
        registers, lds = draw.integers(16, 256, len(made.times)), draw.integers(0, LDS, len(made.times))
    waves = np.minimum(8, np.floor(512 / np.maximum(8 * np.ceil(registers / 8), 8))) / 8
    return {
        row: {"arch_vgprs": float(one), "lds_static_bytes": float(two), "occupancy": float(three)}
        for row, one, two, three in zip(
            map(tuple, made.pool.levels.tolist()), registers, lds, waves, strict=True
        )
    }


def reached(made: Synthetic, evals: int, seed: int, told: Figures | None) -> list[float]:
    """optimum / best found, after each evaluation."""
    times = dict(zip(map(tuple, made.pool.levels.tolist()), made.times, strict=True))
    space = Space(made.space.parameters, (), made.pool.levels)
    search = Search(space, Pool(made.pool.levels, complete=True), seed)
    optimum, best, found = min(time for time in made.times if time is not None), float("inf"), []
    for _ in range(min(evals, len(times))):
        rows = search.shortlist(LOOKED_AT if told is not None else 1)
        if told is not None:
            for row in rows:
                search.learn_figures(row, told[row])
        row = search.best_of(rows)
        search.begin(row)
        search.observe(row, times[row])
        best = min(best, times[row] or float("inf"))
        found.append(optimum / best)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evals", type=int, default=30)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("spaces", nargs="*", default=["convolution", "small_memory", "reduction", "plateaus"])
    options = parser.parse_args()
    shown = [count for count in SHOWN if count <= options.evals]
    print(f"{'':14}{'':10}" + "".join(f"{count:>8}" for count in shown))
    for name in options.spaces:
        made = synthetic(name)
        for title, told in (("without", None), ("with", _told(made))):
            runs = np.array([reached(made, options.evals, seed, told) for seed in range(options.seeds)])
            medians = [float(np.median(runs[:, count - 1])) for count in shown]
            print(f"{name:14}{title:10}" + "".join(f"{one:>8.3f}" for one in medians), flush=True)


if __name__ == "__main__":
    main()
