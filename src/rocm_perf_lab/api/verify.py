"""Runs the evidence of an accepted change again, as ``rocm-perf verify`` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.profiling.progress import AnyProgress, progress_of
from rocm_perf_lab.requests.values import AnyPath, positive

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.changes.verification import VerificationDocument
    from rocm_perf_lab.trust import Ask


def verify(
    bundle: AnyPath,
    *,
    run: bool = True,
    timeout: float = 600.0,
    trust: bool = False,
    ask: Ask | None = None,
    progress: AnyProgress = None,
) -> VerificationDocument:
    """Run what speaks for an accepted change again, and say of each claim whether it holds here.

    ``bundle`` is a file that ``optimize`` made. Its build command and its program are run, in the working
    folder: of one that was not made here only with ``trust``, or if ``ask`` says so; with ``run=False``
    hashes, diff and guard alone are looked at. ``timeout`` is in seconds, of one run. The document's
    ``verdict`` is ``confirmed`` only if every claim is.
    """
    from rocm_perf_lab.optimizing.bundles.verify import VerifyRequest
    from rocm_perf_lab.optimizing.bundles.verify import verify as verified

    positive(timeout=timeout)
    with progress_of(progress) as reported:
        return verified(VerifyRequest(Path(bundle), run, timeout, trust, ask), reported)
