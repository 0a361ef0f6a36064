"""How far the model can be believed: how well it predicts configurations that it was not shown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocm_perf_lab.autotuning.model.encoding import Floats
from rocm_perf_lab.autotuning.model.mixture import Mixture

# Below this share of explained scatter predictions are not to be trusted (fitted: searches in spaces of many
# kinds whose model explained less still found good configurations, but not much better ones than a random
# choice).
LEAST_R2 = 0.5
LEAST_TIMES = 5


@dataclass(frozen=True)
class ModelConfidence:
    r2: float
    """Share of the scatter of log time that is explained, each configuration predicted from all the
    others."""
    rank_correlation: float
    """Spearman's, of the same predictions."""

    @property
    def low(self) -> bool:
        return self.r2 < LEAST_R2


def confidence(mixture: Mixture | None) -> ModelConfidence | None:
    """None where too little was measured to tell."""
    if mixture is None or len(mixture.standard.targets) < LEAST_TIMES:
        return None
    predicted, seen = mixture.left_out()
    count = len(seen)
    # The mean that predictions have to beat is left-one-out too.
    naive = float((((seen - seen.mean()) * count / (count - 1)) ** 2).sum())
    if naive == 0:
        return None
    return ModelConfidence(1.0 - float(((seen - predicted) ** 2).sum()) / naive, _spearman(predicted, seen))


def _spearman(left: Floats, right: Floats) -> float:
    ranks = [_ranks(values) for values in (left, right)]
    spread = [float(np.std(rank)) for rank in ranks]
    if min(spread) == 0:
        return 0.0
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _ranks(values: Floats) -> Floats:
    """Equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2.0)[inverse])
