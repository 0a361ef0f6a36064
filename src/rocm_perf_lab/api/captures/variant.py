"""A variant of a captured kernel from edited source, as ``rocm-perf replay build`` makes and judges it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.profiling.progress import AnyProgress, progress_of
from rocm_perf_lab.requests.values import AnyPath, at_least, path_of, positive

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.captures.validation import BuildDocument
    from rocm_perf_lab.trust import Ask

BUILD = "hipcc -O3 {source} -o {output}"


def build_variant(
    capture: AnyPath,
    *,
    source: AnyPath,
    build: str = BUILD,
    out: AnyPath | None = None,
    replay: bool = True,
    runs: int = 5,
    rtol: float | None = None,
    atol: float | None = None,
    tolerance: Sequence[str] = (),
    iterations: int = 10,
    timeout: float | None = None,
    trust: bool = False,
    ask: Ask | None = None,
    progress: AnyProgress = None,
) -> BuildDocument:
    """Build a variant of the captured kernel from edited source, prove that it gives the same, and time it.

    ``build`` is the program's own build, with ``{source}`` and ``{output}``; no shell runs it. The code
    object for the captured GPU is taken out of what it makes and written to ``out`` (else: named as the
    source). ``replay=False`` builds only. The other keywords are those of ``validate``, whose document is
    ``validation`` of this one.
    """
    at_least(2, runs=runs)
    at_least(0, iterations=iterations)
    positive(timeout=timeout)

    from rocm_perf_lab.capturing.foreign_capture import require_capture
    from rocm_perf_lab.replaying.memory.tolerance import parse_tolerances
    from rocm_perf_lab.replaying.native_tool.tool import find_tool
    from rocm_perf_lab.replaying.validate import ValidationRequest
    from rocm_perf_lab.replaying.variants.build import VariantSource
    from rocm_perf_lab.replaying.variants.build import build as built

    if replay:
        require_capture(Path(capture), trust, ask)
    allowed = parse_tolerances(rtol, atol, tuple(tolerance))
    request = (
        ValidationRequest(runs=runs, tolerance=allowed, iterations=iterations, timeout_s=timeout)
        if replay
        else None
    )
    with progress_of(progress) as reported:
        return built(
            Path(capture), VariantSource(Path(source), build), path_of(out), request, find_tool(), reported
        )
