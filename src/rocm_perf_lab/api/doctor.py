"""Which ROCm is in use, what works, and how to mend what does not, as ``rocm-perf doctor`` says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocm_perf_lab.rocm.diagnose import Diagnosis


def doctor(*, quick: bool = False) -> Diagnosis:
    """Check the ROCm in use: its ``checks`` have status, detail and remedy; ``healthy`` if none has failed.

    ``quick`` does not compile and run a test program.
    """
    from rocm_perf_lab.rocm.diagnose import diagnose

    return diagnose(quick)
