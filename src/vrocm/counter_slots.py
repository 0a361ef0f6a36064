"""How many counters each hardware block of a GPU can keep at the same time."""

from __future__ import annotations

# Counters that one instance of a block can keep at the same time, gfx90a, gfx942 and gfx950.
# Source: ROCm Compute Profiler, src/utils/mi_gpu_spec.yaml (perfmon_config), the same for gfx906 to gfx950.
SLOTS = {
    "SQ": 8,
    "TA": 2,
    "TD": 2,
    "TCP": 4,
    "TCC": 4,
    "CPC": 2,
    "CPF": 2,
    "SPI": 2,
    "GRBM": 2,
    "GDS": 4,
}
