"""What rocprofv3 of a prefix can do, by the prefix's version and by what lies beside it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from rocm_perf_lab.rocm.find import Prefix

# Since rocprofiler-sdk 1.0.0, "for ROCm release 7.0": its CHANGELOG.md, ROCm/rocprofiler-sdk at 15cc097d.
FIRST_WITH_DATABASES = 7
BY_HAND = "rocprofv3 --kernel-trace --output-format csv, then rocm-perf analyze on its folder"


def writes_databases(prefix: Prefix) -> bool:
    """False where it is known that there is no ``--output-format rocpd``."""
    number = re.match(r"\d+", prefix.version or "")
    return number is None or int(number[0]) >= FIRST_WITH_DATABASES


def trace_decoder(prefix: Prefix) -> Path | None:
    """AMD's decoder of thread traces where rocprofv3 looks for it: in these folders and all below them."""
    searched = f"{os.environ.get('LD_LIBRARY_PATH', '')}:{prefix.path / 'lib'}"
    for folder in (os.environ.get("ROCPROF_ATT_LIBRARY_PATH") or searched).split(":"):
        for place, _, files in os.walk(folder):
            found = [name for name in files if "librocprof-trace-decoder.so" in name]
            if found:
                return Path(place) / min(found)
    return None
