"""Products and ratios of tile sizes: which there are, and which of them the observations speak for.

What limits a kernel is often a product or a ratio of what is tuned: bytes of LDS, threads of a group, work of
a thread. On logarithmic scales these are sums and differences, straight directions through the space. There
are many, and each one that is fitted costs time and may be chance. So they are candidates: the one by which
the evidence (the marginal likelihood of the observations) would grow fastest is fitted first.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from rocm_perf_lab.autotuning.model.covariance import NEAR, matern
from rocm_perf_lab.autotuning.model.encoding import Encoding, Floats, Points

# Parameters of one product or ratio: m * n, m / n, m * n / threads.
TOGETHER = 3
# Of a space with more tile sizes those with the widest ranges are combined: 280 combinations at most.
MOST_TILES = 8


def combinations(encoding: Encoding) -> Floats:
    """Scales by combinations: what each scale is multiplied by, so that each combination has a reach of 1."""
    widest = sorted(encoding.tiles, key=lambda tile: -tile.octaves)[:MOST_TILES]
    tiles = sorted(widest, key=lambda tile: tile.scale)
    found = []
    for count in range(2, TOGETHER + 1):
        for members in itertools.combinations(tiles, count):
            reach = sum(tile.octaves for tile in members)
            for signs in itertools.product((1.0, -1.0), repeat=count - 1):  # the first one is multiplied
                weights = np.zeros(len(encoding.scale_groups))
                for tile, sign in zip(members, (1.0, *signs), strict=True):
                    weights[tile.scale] = sign * tile.octaves / reach
                found.append(weights)
    return np.asarray(np.array(found).reshape(len(found), len(encoding.scale_groups)).T)


def most_promising(
    candidates: Floats, left: Sequence[int], points: Points, precision: Floats, targets: Floats
) -> int | None:
    """Which of those that are left makes the evidence grow fastest; None where it would not grow.

    ``precision`` is the inverse of the covariance of the observations without it. The derivative of the
    logarithm of the evidence by the variance of a term, where that is zero, needs no fit.
    """
    explained = precision @ targets
    by_entry = 0.5 * (np.outer(explained, explained) - precision)
    columns = (points.places @ candidates[:, left]).T
    growth = [
        float((by_entry * matern(((column[:, None] - column[None, :]) / NEAR) ** 2)).sum())
        for column in columns
    ]
    best = int(np.argmax(growth))
    return left[best] if growth[best] > 0 else None
