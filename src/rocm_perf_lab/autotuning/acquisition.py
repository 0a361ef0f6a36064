"""How much a run of a configuration is expected to improve on the best: the logarithm of expected
improvement.

With the logarithm, candidates whose expected improvement is too small for a number still have an order.
"""

from __future__ import annotations

import numpy as np
import scipy

from rocm_perf_lab.autotuning.model.encoding import Floats

LOG_SQRT_2PI = 0.5 * float(np.log(2 * np.pi))


def log_expected_improvement(mean: Floats, variance: Floats, best: float) -> Floats:
    """Of values below ``best``, for normal expectations."""
    deviation = np.sqrt(variance)
    return _log_h((best - mean) / deviation) + np.log(deviation)


def _log_h(z: Floats) -> Floats:
    """log(phi(z) + z Phi(z)), without cancellation for z far below zero (Ament et al., 2023, describe
    why)."""
    out = np.empty_like(z)
    high = z > -1.0
    density = np.exp(-0.5 * z[high] ** 2 - LOG_SQRT_2PI)
    out[high] = np.log(density + z[high] * np.exp(scipy.special.log_ndtr(z[high])))
    low = z[~high]
    # phi(z) + z Phi(z) = phi(z) (1 + z sqrt(pi/2) scipy.special.erfcx(-z/sqrt 2)); the bracket tends to 1/z².
    bracket = 1.0 + low * np.sqrt(np.pi / 2) * scipy.special.erfcx(-low / np.sqrt(2))
    bracket = np.where(low > -1e4, np.maximum(bracket, 1e-300), 1.0 / low**2)
    out[~high] = -0.5 * low**2 - LOG_SQRT_2PI + np.log(bracket)
    return out
