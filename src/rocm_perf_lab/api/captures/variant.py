"""A variant of a captured kernel from edited source, as ``rocm-perf replay build`` makes and judges it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.profiling.progress import progress_of
from rocm_perf_lab.replaying.request import BuildVariantRequest
from rocm_perf_lab.requests.values import path_of

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.captures.validation import BuildDocument


@keywords_of(BuildVariantRequest)
def build_variant(request: BuildVariantRequest) -> BuildDocument:
    """Build a variant of the captured kernel from edited source, prove that it gives the same, and time it.

    ``build`` is the program's own build, with ``{source}`` and ``{output}``; no shell runs it. The code
    object for the captured GPU is taken out of what it makes and written to ``out`` (else: named as the
    source). ``replay=False`` builds only. The other keywords are those of ``validate``, whose document is
    ``validation`` of this one.
    """
    from rocm_perf_lab.capturing.foreign_capture import require_capture
    from rocm_perf_lab.replaying.memory.tolerance import parse_tolerances
    from rocm_perf_lab.replaying.native_tool.tool import find_tool
    from rocm_perf_lab.replaying.validate import ValidationRequest
    from rocm_perf_lab.replaying.variants.build import VariantSource
    from rocm_perf_lab.replaying.variants.build import build as built

    capture, source = Path(request.capture), VariantSource(Path(request.source), request.build)
    if request.replay:
        require_capture(capture, request.trust, request.ask)
    wanted = ValidationRequest(
        runs=request.runs,
        tolerance=parse_tolerances(request.rtol, request.atol, tuple(request.tolerance)),
        iterations=request.iterations,
        timeout_s=request.timeout,
    )
    judged = wanted if request.replay else None
    with progress_of(request.progress) as reported:
        return built(capture, source, path_of(request.out), judged, find_tool(), reported)
