"""Counters or a thread trace of a replayed kernel, as ``rocm-perf replay profile`` takes them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.profiling.progress import AnyProgress, progress_of
from rocm_perf_lab.requests.values import AnyPath, path_of, positive

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.captures.replay_profile import ReplayProfileDocument
    from rocm_perf_lab.trust import Ask


def replay_profile(
    capture: AnyPath,
    *,
    pmc: Sequence[str] = (),
    att: bool = False,
    hsaco: AnyPath | None = None,
    cold: bool = False,
    out: AnyPath | None = None,
    timeout: float | None = None,
    trust: bool = False,
    ask: Ask | None = None,
    progress: AnyProgress = None,
) -> ReplayProfileDocument:
    """Counters (``pmc``: their names) or a thread trace (``att``) of the captured kernel, every pass from the
    same captured state.

    ``hsaco`` is a variant, as in ``replay``; ``cold`` flushes the caches before the kernel; ``out`` is a new
    folder that keeps what rocprofv3 writes (else nothing is kept); ``timeout`` is in seconds; ``trust`` and
    ``ask`` are as in ``replay``.
    """
    positive(timeout=timeout)
    if not pmc and not att:
        raise UsageProblem("neither counters nor a thread trace is asked for", "add --pmc SQ_WAVES, or --att")
    kept = path_of(out)
    if kept is not None and kept.exists() and (not kept.is_dir() or any(kept.iterdir())):
        raise UsageProblem(
            f"{kept} is not an empty folder; nothing is overwritten", "name a new folder with --out"
        )

    from rocm_perf_lab.capturing.foreign_capture import require_capture
    from rocm_perf_lab.profiling.folder.run_folder import RunFolder
    from rocm_perf_lab.replaying.native_tool.run_tool import ReplayRequest
    from rocm_perf_lab.replaying.native_tool.tool import find_tool
    from rocm_perf_lab.replaying.profile import profile
    from rocm_perf_lab.replaying.variants.file_option import variant_file

    folder = Path(capture)
    require_capture(folder, trust, ask)
    with (
        progress_of(progress) as reported,
        tempfile.TemporaryDirectory(prefix="rocm-perf-counters-") as scratch,
        variant_file(path_of(hsaco), folder) as code,
    ):
        request = ReplayRequest(folder.absolute(), cold=cold, hsaco=code, timeout_s=timeout)
        place = Path(scratch) if kept is None else kept.absolute()
        place.mkdir(parents=True, exist_ok=True)
        document = profile(folder, tuple(pmc), att, request, find_tool(), RunFolder(place), reported)
    if kept is not None:
        return document
    reasons = {**document.missing, "folder": "--out was not given: nothing is kept"}
    return replace(document, folder=None, missing=reasons)
