"""Runs a case where it is called: validates a capture and takes its time. What goes wrong is a result."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rocm_perf_lab.capturing.folder import DISPATCH, Capture, open_capture, verify
from rocm_perf_lab.contracts.failure import Failure, failure_document
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, Interrupted, NotReplayable, RocmPerfError
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.replaying.bundle import import_capture
from rocm_perf_lab.replaying.full_vm import full_vm
from rocm_perf_lab.replaying.native_tool.run_tool import ReplayRequest
from rocm_perf_lab.replaying.native_tool.tool import Tool, find_tool
from rocm_perf_lab.replaying.proof.capture_proof import refuse_incomplete
from rocm_perf_lab.replaying.validate import ValidationRequest, validate
from rocm_perf_lab.replaying.variants.code_object import take_out
from rocm_perf_lab.suites.case import Case, CaseResult

WARMUP = 2
VARIANT = "variant.hsaco"
IMPORTED = "imported.capture"


def run_case(case: Case) -> CaseResult:
    """Never raises for what the capture does; an interrupt goes through."""
    began = time.monotonic()
    result = CaseResult(
        number=case.number, name=case.name, host=os.uname().nodename, device=case.device, origin="measured"
    )
    try:
        case.folder.mkdir(parents=True, exist_ok=True)
        result = _ran(case, result)
    except Interrupted:
        raise KeyboardInterrupt from None
    except RocmPerfError as problem:
        result = replace(result, error=failure_document(problem).error)
    except OSError as problem:
        cause = f"{problem.filename or case.folder}: {problem.strerror}"
        result = replace(result, error=failure_document(EnvironmentProblem(cause)).error)
    except Exception as problem:  # a mistake of ours in one case does not end the others
        result = replace(result, error=_mistake(case, problem))
    finally:
        shutil.rmtree(case.folder / IMPORTED, ignore_errors=True)
        (case.folder / VARIANT).unlink(missing_ok=True)
        with suppress(OSError):  # it is not empty
            case.folder.rmdir()
    return replace(result, seconds=time.monotonic() - began)


def _ran(case: Case, result: CaseResult) -> CaseResult:
    path = case.capture
    if path.is_file():
        import_capture(path, case.folder / IMPORTED)
        path = case.folder / IMPORTED
    capture = open_capture(path)
    verify(capture)
    refuse_incomplete(capture)
    tool = find_tool().pinned(case.device)
    result = replace(result, kernel=capture.kernel_name, digest=digest(capture), origin=tool.origin)
    named, variant = _variant(case.variants, capture, case.folder) if case.variants else (None, None)
    result = replace(result, variant=named)
    if not case.control:
        request = ValidationRequest(
            runs=case.runs,
            tolerance=case.tolerance,
            hsaco=variant,
            iterations=0 if case.compared else case.iterations,
            timeout_s=case.timeout_s,
        )
        document = validate(path, request, tool, Progress(enabled=False))
        if document.variant is not None:
            document = replace(document, variant=replace(document.variant, hsaco=str(named)))
        result = replace(result, validation=replace(document, capture=str(case.capture)), gpu=document.gpu)
        if document.verdict != "passed":
            return result  # how fast a wrong result is does not matter
    return replace(result, samples_ms=_times(case, path, variant, tool))


def digest(capture: Capture) -> str:
    """Of what is replayed: not of the document that says where and when it was captured."""
    files = sorted((name, file.xxh64) for name, file in capture.manifest.files.items() if name != DISPATCH)
    return hashlib.sha256("\n".join(f"{name} {checksum}" for name, checksum in files).encode()).hexdigest()


def _variant(files: Sequence[Path], capture: Capture, folder: Path) -> tuple[Path, Path]:
    """The first file that has the kernel, and its code object by itself."""
    problem: BadInput | NotReplayable | None = None
    kernel, agent = capture.dispatch.kernel, capture.dispatch.agent
    for file in files:
        try:
            code = take_out(file, kernel.name, agent.isa, capture.code_object())
        except (BadInput, NotReplayable) as error:
            problem = problem or error
            continue
        place = folder / VARIANT
        place.write_bytes(code.content)
        return file, place
    assert problem is not None
    raise problem


def _times(case: Case, path: Path, variant: Path | None, tool: Tool) -> tuple[float, ...]:
    """Medians of fresh processes, in ms. What is simulated repeats: one is enough."""
    if not case.iterations:
        return ()
    replay_request = ReplayRequest(
        capture=path, iterations=case.iterations, warmup=WARMUP, hsaco=variant, timeout_s=case.timeout_s
    )
    processes = 1 if tool.virtual else case.runs
    return tuple(full_vm(replay_request, tool).timing.median / 1e3 for _ in range(processes))


def _mistake(case: Case, problem: Exception) -> Failure:
    (case.folder / "traceback.txt").write_text("".join(traceback.format_exception(problem)))
    error = RocmPerfError(
        f"{type(problem).__name__}: {problem}", f"report it, with {case.folder / 'traceback.txt'}"
    )
    return failure_document(error).error
