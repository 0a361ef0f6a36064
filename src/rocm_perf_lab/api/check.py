"""Looks for defects of kernels on the virtual GPU, as ``rocm-perf check`` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.checking.request import CheckRequest

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.check import CheckDocument


@keywords_of(CheckRequest)
def check(request: CheckRequest) -> CheckDocument:
    """Run a program on the virtual GPU and report the defects of its kernels; ``clean``: it has none.

    ``only`` names classes of defects (``out-of-bounds``, ``race-lds``, …; all unless given);
    ``suppressions`` is a file with defects that are known; ``timeout`` is in seconds. The program's input and
    output are those of this process, except that with ``output_to_stderr`` what it prints goes to stderr.
    """
    from rocm_perf_lab.checking.run_checked import check as checked

    return checked(request)
