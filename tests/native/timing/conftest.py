"""Makes the kernel runner of the core tests importable, and the kernels of the sampling tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "core")]
