"""The first configurations: spread over the space."""

from __future__ import annotations

import numpy as np

from rocm_perf_lab.autotuning.model.encoding import Floats


def spread(places: Floats, count: int) -> list[int]:
    """Rows far from each other: the first one, then each time the one farthest from those chosen before."""
    chosen = [0]
    nearest = ((places - places[0]) ** 2).sum(axis=1)
    while len(chosen) < min(count, len(places)):
        nearest[chosen] = -1.0
        following = int(np.argmax(nearest))
        chosen.append(following)
        nearest = np.minimum(nearest, ((places - places[following]) ** 2).sum(axis=1))
    return chosen
