"""What rocprofv3 of a prefix can do, by the prefix's version."""

from __future__ import annotations

import re

from rocm_perf_lab.rocm.find import Prefix

# Since rocprofiler-sdk 1.0.0, "for ROCm release 7.0": its CHANGELOG.md, ROCm/rocprofiler-sdk at 15cc097d.
FIRST_WITH_DATABASES = 7
BY_HAND = "rocprofv3 --kernel-trace --output-format csv, then rocm-perf analyze on its folder"


def writes_databases(prefix: Prefix) -> bool:
    """False where it is known that there is no ``--output-format rocpd``."""
    number = re.match(r"\d+", prefix.version or "")
    return number is None or int(number[0]) >= FIRST_WITH_DATABASES
