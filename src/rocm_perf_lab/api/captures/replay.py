"""Runs a captured dispatch again, as ``rocm-perf replay full-vm``, ``validate``, ``inspect`` and
``reserve-check`` do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.profiling.progress import AnyProgress, progress_of
from rocm_perf_lab.requests.values import AnyPath, at_least, path_of, positive

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.captures.inspection import InspectionDocument
    from rocm_perf_lab.contracts.captures.replay import ReplayDocument, ReserveCheckDocument
    from rocm_perf_lab.contracts.captures.validation import ValidationDocument
    from rocm_perf_lab.trust import Ask


def replay(
    capture: AnyPath,
    *,
    iterations: int = 1,
    warmup: int = 0,
    recopy: bool = True,
    cold: bool = False,
    hsaco: AnyPath | None = None,
    timeout: float | None = None,
    raw: bool = False,
    trust: bool = False,
    ask: Ask | None = None,
    progress: AnyProgress = None,
) -> ReplayDocument:
    """Replay a capture at its addresses, in a fresh process, and say how long the GPU took.

    Every one of the ``iterations`` starts from the captured state; with ``recopy=False``, from what the one
    before left. ``cold`` flushes the caches before each; ``hsaco`` is a variant (a code object, or a program
    or bundle with it); ``timeout`` is in seconds, of one execution; ``raw`` gives the time of each iteration.
    A capture that was not made here is replayed only with ``trust``, or if ``ask`` says so.
    """
    at_least(1, iterations=iterations)
    at_least(0, warmup=warmup)
    positive(timeout=timeout)

    from rocm_perf_lab.capturing.foreign_capture import require_capture
    from rocm_perf_lab.replaying.full_vm import full_vm
    from rocm_perf_lab.replaying.native_tool.run_tool import ReplayRequest
    from rocm_perf_lab.replaying.native_tool.tool import find_tool
    from rocm_perf_lab.replaying.variants.file_option import variant_file

    require_capture(Path(capture), trust, ask)
    with progress_of(progress) as reported, variant_file(path_of(hsaco), Path(capture)) as code:
        reported.plan(1)
        reported.begin("replaying")
        replay_request = ReplayRequest(
            Path(capture),
            iterations=iterations,
            warmup=warmup,
            recopy=recopy,
            cold=cold,
            timeout_s=timeout,
            hsaco=code,
        )
        document = full_vm(replay_request, find_tool(), raw=raw, tick=reported.ticker)
    if hsaco is None:
        return document
    return replace(document, kernel=replace(document.kernel, hsaco_path=str(hsaco)))


def validate(
    capture: AnyPath,
    *,
    hsaco: AnyPath | None = None,
    runs: int = 5,
    rtol: float | None = None,
    atol: float | None = None,
    tolerance: Sequence[str] = (),
    iterations: int = 10,
    timeout: float | None = None,
    trust: bool = False,
    ask: Ask | None = None,
    progress: AnyProgress = None,
) -> ValidationDocument:
    """Prove that replays of a capture give what the program got; with ``hsaco``, that a variant does, too.

    Each kernel is run in ``runs`` fresh processes. ``rtol`` and ``atol`` are the errors that floating-point
    values may have, ``tolerance`` the same for one argument or element type (``"out=1e-5,0"``);
    ``iterations`` are for the time of a variant (0: none is taken); ``timeout`` is in seconds, of one
    execution; ``trust`` and ``ask`` are as in ``replay``. The document's ``verdict`` says what came of it.
    """
    at_least(2, runs=runs)
    at_least(0, iterations=iterations)
    positive(timeout=timeout)

    from rocm_perf_lab.capturing.foreign_capture import require_capture
    from rocm_perf_lab.replaying.memory.tolerance import parse_tolerances
    from rocm_perf_lab.replaying.native_tool.tool import find_tool
    from rocm_perf_lab.replaying.validate import ValidationRequest
    from rocm_perf_lab.replaying.validate import validate as validated
    from rocm_perf_lab.replaying.variants.file_option import variant_file

    require_capture(Path(capture), trust, ask)
    request = ValidationRequest(
        runs=runs,
        tolerance=parse_tolerances(rtol, atol, tuple(tolerance)),
        iterations=iterations,
        timeout_s=timeout,
    )
    with progress_of(progress) as reported, variant_file(path_of(hsaco), Path(capture)) as code:
        document = validated(Path(capture), replace(request, hsaco=code), find_tool(), reported)
    if document.variant is None:
        return document
    return replace(document, variant=replace(document.variant, hsaco=str(hsaco)))


def inspect(capture: AnyPath, *, verify: bool = True) -> InspectionDocument:
    """Say what is in a capture: kernel, arguments with types and values, memory, what changed; needs no GPU.

    ``verify=False`` does not read all memory to check it.
    """
    from rocm_perf_lab.replaying.inspection import inspect_capture

    return inspect_capture(Path(capture), verify)


def reserve_check(capture: AnyPath) -> ReserveCheckDocument:
    """Say whether every address of a capture can be had here: the document's ``outcome``."""
    from rocm_perf_lab.replaying.native_tool.tool import find_tool
    from rocm_perf_lab.replaying.reserve_check import reserve_check as checked

    return checked(Path(capture), find_tool())
