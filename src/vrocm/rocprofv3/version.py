"""What --version says."""

from __future__ import annotations

from .. import ROCM_VERSION, __version__

# The release of AMD's rocprofiler-sdk whose command line and files this follows.
ROCPROFILER_VERSION = "1.0.0"


def text() -> str:
    return "\n".join(
        (
            f"           version: {ROCPROFILER_VERSION}",
            f"      rocm_version: {ROCM_VERSION}",
            f"       implemented: rocm-perf-lab {__version__} (virtual ROCm)",
        )
    )
