"""Counters or a thread trace of a replayed kernel, as ``rocm-perf replay profile`` takes them."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.profiling.progress import progress_of
from rocm_perf_lab.replaying.request import ReplayProfileRequest
from rocm_perf_lab.requests.values import path_of

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.captures.replay_profile import ReplayProfileDocument


@keywords_of(ReplayProfileRequest)
def replay_profile(request: ReplayProfileRequest) -> ReplayProfileDocument:
    """Counters (``pmc``: their names) or a thread trace (``att``) of the captured kernel, every pass from the
    same captured state.

    ``hsaco`` is a variant, as in ``replay``; ``cold`` flushes the caches before the kernel; ``out`` is a new
    folder that keeps what rocprofv3 writes (else nothing is kept); ``timeout`` is in seconds; ``trust`` and
    ``ask`` are as in ``replay``.
    """
    from rocm_perf_lab.capturing.foreign_capture import require_capture
    from rocm_perf_lab.profiling.folder.run_folder import RunFolder
    from rocm_perf_lab.replaying.native_tool.run_tool import ReplayRequest
    from rocm_perf_lab.replaying.native_tool.tool import find_tool
    from rocm_perf_lab.replaying.profile import profile
    from rocm_perf_lab.replaying.variants.file_option import variant_file

    folder, kept = Path(request.capture), request.kept
    require_capture(folder, request.trust, request.ask)
    with (
        progress_of(request.progress) as reported,
        tempfile.TemporaryDirectory(prefix="rocm-perf-counters-") as scratch,
        variant_file(path_of(request.hsaco), folder) as code,
    ):
        wanted = ReplayRequest(folder.absolute(), cold=request.cold, hsaco=code, timeout_s=request.timeout)
        place = Path(scratch) if kept is None else kept.absolute()
        place.mkdir(parents=True, exist_ok=True)
        document = profile(
            folder, tuple(request.pmc), request.att, wanted, find_tool(), RunFolder(place), reported
        )
    if kept is not None:
        return document
    reasons = {**document.missing, "folder": "--out was not given: nothing is kept"}
    return replace(document, folder=None, missing=reasons)
