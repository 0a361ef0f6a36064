"""Data of real GPUs, too large for the repository: tests that read it are skipped where it is not."""

from __future__ import annotations

import os
from pathlib import Path

_FOLDER = Path(__file__).parents[2] / "shared" / "data"
REAL_DATABASE = _FOLDER / "rocpd" / "flydsl_146104_results.db"
"""Of a gfx1250."""
MEASURED_COPY = _FOLDER / "mi300x_vcopy" / "pmc_perf.csv"
"""Counters of a copy on an MI300X."""
RECORDINGS = Path(os.environ.get("ROCM_PERF_RECORDINGS", _FOLDER / "autotune"))
"""Of tunings."""
