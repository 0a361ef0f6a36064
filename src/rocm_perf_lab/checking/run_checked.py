"""Runs a program with the checkers of the virtual GPU switched on, whatever ROCm is installed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import vrocm
from rocm_perf_lab.checking.findings import read_findings
from rocm_perf_lab.checking.host_lines import HostLines
from rocm_perf_lab.checking.request import CheckRequest
from rocm_perf_lab.checking.suppressions import apply, read_suppressions
from rocm_perf_lab.codeobj.kernels import kernels_in_file
from rocm_perf_lab.contracts.check import CheckDocument
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, Interrupted, ProgramFailed, TimedOut
from rocm_perf_lab.profiling.passes.failures import how_it_ended
from rocm_perf_lab.profiling.processes.command_line import find_program
from rocm_perf_lab.profiling.processes.foreground import run_in_foreground
from rocm_perf_lab.requests.values import path_of


def check(request: CheckRequest, *, quiet: bool = False) -> CheckDocument:
    """Raises where the run says nothing: the program failed by itself, or did not use the virtual GPU.

    ``quiet``: what the program prints is thrown away.
    """
    known = path_of(request.suppressions)
    suppressions = read_suppressions(known) if known else ()
    environment = {**os.environ, **vrocm.environment()}
    environment |= _suitable_gpu(find_program(request.command[0], environment))
    with tempfile.TemporaryDirectory(prefix="rocm-perf-") as scratch:
        output = Path(scratch) / "findings.jsonl"
        environment |= {"VROCM_CHECK": ",".join(request.classes), "VROCM_CHECK_OUTPUT": str(output)}
        exit_code = _run(request, environment, quiet)
        lines = output.read_text(errors="replace").splitlines() if output.is_file() else []
        findings = read_findings(lines, HostLines())
    defects = findings.defects
    if exit_code != 0:  # who ends early frees nothing
        defects = tuple(defect for defect in defects if defect.defect != "leak")
    defects = apply(suppressions, defects)
    clean = all(defect.suppressed_by for defect in defects)
    if exit_code != 0 and clean:
        raise ProgramFailed(
            f"the program {how_it_ended(exit_code)}, and no defect was found before that",
            "run it by itself first: rocm-perf vrocm run …",
        )
    if not findings.started:
        raise EnvironmentProblem(
            "the program did not use the virtual GPU: nothing was checked",
            "link it so that LD_LIBRARY_PATH decides where libamdhip64.so is found "
            "(DT_RUNPATH, not DT_RPATH), and check that it uses the GPU at all",
        )
    return CheckDocument(
        origin="simulated",
        command=request.command,
        classes=request.classes,
        exit_code=exit_code,
        clean=clean,
        defects=defects,
        notes=(*findings.notes, *_notes(exit_code)),
    )


def _suitable_gpu(program: Path) -> dict[str, str]:
    """The virtual GPU that a program was compiled for, where that is not the default and nobody chose one."""
    if "VROCM_DEVICE" in os.environ:
        return {}
    default, *others = vrocm.devices()
    architectures = {default.architecture: default.name}
    for device in others:
        architectures.setdefault(device.architecture, device.name)
    try:
        for architecture, name in architectures.items():
            if kernels_in_file(program, architecture):
                return {} if name == default.name else {"VROCM_DEVICE": name}
    except BadInput:
        pass
    return {}


def _notes(exit_code: int) -> tuple[str, ...]:
    if exit_code == 0:
        return ()
    return (f"the program {how_it_ended(exit_code)}: what it would have done after that was not checked",)


def _run(request: CheckRequest, environment: dict[str, str], quiet: bool) -> int:
    end = run_in_foreground(
        request.command,
        environment,
        timeout_s=request.timeout,
        to_stderr=request.output_to_stderr,
        quiet=quiet,
    )
    if end.interrupted:
        raise Interrupted("interrupted while the program ran")
    if end.timed_out:
        raise TimedOut(
            f"the program was ended after {end.wall_s:.1f} s",
            "give it more time with --timeout, or less to do",
        )
    return end.exit_code
