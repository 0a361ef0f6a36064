"""For all tests: matrices are small, and threads of BLAS that wait for each other cost minutes."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
