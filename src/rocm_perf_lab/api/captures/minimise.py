"""A capture with only the pages that its kernel touches, as ``rocm-perf replay minimise`` makes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.profiling.progress import progress_of
from rocm_perf_lab.replaying.request import MinimiseRequest

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.captures.validation import MinimisationDocument


@keywords_of(MinimiseRequest)
def minimise(request: MinimiseRequest) -> MinimisationDocument:
    """Make a capture with only the pages that the kernel touches, and prove it again in ``runs`` processes.

    What it touches is seen exactly by the virtual GPU. ``out`` is the new folder (else the capture's name
    with ``_minimised``); ``timeout`` is in seconds, of one execution; ``trust`` and ``ask`` are as in
    ``replay``. The document's ``validation`` is that of the new capture; one that fails is not kept.
    """
    from rocm_perf_lab.capturing.foreign_capture import digest_of, remember_as_trusted_as, require_capture
    from rocm_perf_lab.replaying.minimise import minimise as minimised
    from rocm_perf_lab.replaying.native_tool.tool import find_tool
    from rocm_perf_lab.replaying.validate import ValidationRequest

    folder = Path(request.capture)
    require_capture(folder, request.trust, request.ask)
    named = folder if folder.name not in ("", "..") else folder.resolve()
    target = Path(request.out) if request.out is not None else named.with_name(f"{named.name}_minimised")
    with progress_of(request.progress) as reported:
        proof = ValidationRequest(runs=request.runs, timeout_s=request.timeout)
        document = minimised(folder, target, proof, find_tool(), reported)
    if document.validation.verdict != "failed":
        remember_as_trusted_as(digest_of(folder), target)
    return document
