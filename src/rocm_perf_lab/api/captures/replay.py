"""Runs a captured dispatch again, as ``rocm-perf replay full-vm``, ``validate``, ``inspect`` and
``reserve-check`` do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.profiling.progress import progress_of
from rocm_perf_lab.replaying.request import FullVmRequest, ValidateRequest
from rocm_perf_lab.requests.values import AnyPath, path_of

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.captures.inspection import InspectionDocument
    from rocm_perf_lab.contracts.captures.replay import ReplayDocument, ReserveCheckDocument
    from rocm_perf_lab.contracts.captures.validation import ValidationDocument


@keywords_of(FullVmRequest)
def replay(request: FullVmRequest) -> ReplayDocument:
    """Replay a capture at its addresses, in a fresh process, and say how long the GPU took.

    Every one of the ``iterations`` starts from the captured state; with ``recopy=False``, from what the one
    before left. ``cold`` flushes the caches before each; ``hsaco`` is a variant (a code object, or a program
    or bundle with it); ``timeout`` is in seconds, of one execution; ``raw`` gives the time of each iteration.
    A capture that was not made here is replayed only with ``trust``, or if ``ask`` says so.
    """
    from rocm_perf_lab.capturing.foreign_capture import require_capture
    from rocm_perf_lab.replaying.full_vm import full_vm
    from rocm_perf_lab.replaying.native_tool.run_tool import ReplayRequest
    from rocm_perf_lab.replaying.native_tool.tool import find_tool
    from rocm_perf_lab.replaying.variants.file_option import variant_file

    capture, hsaco = Path(request.capture), path_of(request.hsaco)
    require_capture(capture, request.trust, request.ask)
    with progress_of(request.progress) as reported, variant_file(hsaco, capture) as code:
        reported.plan(1)
        reported.begin("replaying")
        replay_request = ReplayRequest(
            capture,
            iterations=request.iterations,
            warmup=request.warmup,
            recopy=request.recopy,
            cold=request.cold,
            timeout_s=request.timeout,
            hsaco=code,
        )
        document = full_vm(replay_request, find_tool(), raw=request.raw, tick=reported.ticker)
    if hsaco is None:
        return document
    return replace(document, kernel=replace(document.kernel, hsaco_path=str(request.hsaco)))


@keywords_of(ValidateRequest)
def validate(request: ValidateRequest) -> ValidationDocument:
    """Prove that replays of a capture give what the program got; with ``hsaco``, that a variant does, too.

    Each kernel is run in ``runs`` fresh processes. ``rtol`` and ``atol`` are the errors that floating-point
    values may have, ``tolerance`` the same for one argument or element type (``"out=1e-5,0"``);
    ``iterations`` are for the time of a variant (0: none is taken); ``timeout`` is in seconds, of one
    execution; ``trust`` and ``ask`` are as in ``replay``. The document's ``verdict`` says what came of it.
    """
    from rocm_perf_lab.capturing.foreign_capture import require_capture
    from rocm_perf_lab.replaying.memory.tolerance import parse_tolerances
    from rocm_perf_lab.replaying.native_tool.tool import find_tool
    from rocm_perf_lab.replaying.validate import ValidationRequest
    from rocm_perf_lab.replaying.validate import validate as validated
    from rocm_perf_lab.replaying.variants.file_option import variant_file

    capture = Path(request.capture)
    require_capture(capture, request.trust, request.ask)
    wanted = ValidationRequest(
        runs=request.runs,
        tolerance=parse_tolerances(request.rtol, request.atol, tuple(request.tolerance)),
        iterations=request.iterations,
        timeout_s=request.timeout,
    )
    with progress_of(request.progress) as reported, variant_file(path_of(request.hsaco), capture) as code:
        document = validated(capture, replace(wanted, hsaco=code), find_tool(), reported)
    if document.variant is None:
        return document
    return replace(document, variant=replace(document.variant, hsaco=str(request.hsaco)))


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
