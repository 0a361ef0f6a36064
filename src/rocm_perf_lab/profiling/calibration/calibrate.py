"""Measures the ceilings of a device: microkernels, compiled and traced with the prefix's own tools."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path

from rocm_perf_lab.analysis.roofline import ceilings
from rocm_perf_lab.arch.device import base_name, peaks
from rocm_perf_lab.contracts.profiling.calibration import CalibrationDocument
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, Interrupted
from rocm_perf_lab.profiling.calibration.microkernel import FOLDER, Microkernel, microkernels_for
from rocm_perf_lab.profiling.calibration.rates import Reached, best_possible, rate_reached
from rocm_perf_lab.profiling.documents.gpus import describe
from rocm_perf_lab.profiling.passes.rocprof_options import KERNEL_TRACE
from rocm_perf_lab.profiling.passes.run_rocprof import Rocprof, find_rocprof, last_words
from rocm_perf_lab.profiling.processes.process_group import run
from rocm_perf_lab.rocm.agents import PrefixGpu
from rocm_perf_lab.rocm.find import Prefix
from rocm_perf_lab.rocpd.read import find_databases, read_trace
from rocm_perf_lab.rocpd.rows import Agent

COMPILE_SECONDS = 300
RUN_SECONDS = 600
INTERRUPTED = "the calibration was interrupted; the one that was kept before still holds"
_WORK = re.compile(r"^(\w+) (\d+) (\d+)$", re.MULTILINE)


@dataclass
class MeasuredRates:
    rates: list[Reached] = field(default_factory=list)
    not_measured: dict[str, str] = field(default_factory=dict)
    agent: Agent | None = None


def calibrate(
    prefix: Prefix, environment: Mapping[str, str], gpu: PrefixGpu, progress: Callable[[str], None]
) -> tuple[CalibrationDocument, Agent]:
    """The environment must show the GPU as the first one."""
    rocprof = Rocprof(find_rocprof(prefix), (), environment, RUN_SECONDS, debug=False)
    wanted = microkernels_for(peaks(gpu.name, gpu.marketing_name or ""))
    measured = MeasuredRates()
    with tempfile.TemporaryDirectory(prefix="rocm-perf-calibrate-") as folder, ExitStack() as until:
        version = rocprof.ask_version(until)
        for program in dict.fromkeys(one.program for one in wanted):
            progress(program)
            kernels = [one for one in wanted if one.program == program]
            try:
                _measure(program, kernels, base_name(gpu.name), prefix, rocprof, Path(folder), measured)
            except (EnvironmentProblem, BadInput) as error:
                measured.not_measured.update(dict.fromkeys((one.ceiling for one in kernels), error.cause))
        return calibration_of(measured, version())


def calibration_of(measured: MeasuredRates, rocprof_version: str) -> tuple[CalibrationDocument, Agent]:
    """What is kept of the results, and the device they are of."""
    agent = measured.agent
    sheet = ceilings(agent, peaks(agent.name, agent.product_name)) if agent else ()
    best, impossible = best_possible(measured.rates, sheet)
    names = {one.name for one in best}
    reasons = {**measured.not_measured, **impossible}
    if agent is None or not best:
        why = "; ".join(dict.fromkeys(reasons.values()))
        raise EnvironmentProblem(f"no ceiling could be measured: {why}", "rocm-perf doctor says what works")
    origin: Origin = "simulated" if agent.virtual else "measured"
    document = CalibrationDocument(
        origin=origin,
        gpu=describe(agent),
        ceilings=tuple(replace(one, origin=origin) for one in best),
        not_measured={name: why for name, why in reasons.items() if name not in names},
        taken=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        tools={"rocprofv3": rocprof_version},
    )
    return document, agent


def _measure(
    program: str,
    kernels: Sequence[Microkernel],
    architecture: str,
    prefix: Prefix,
    rocprof: Rocprof,
    folder: Path,
    into: MeasuredRates,
) -> None:
    binary = folder / program
    _compile(FOLDER / f"{program}.hip", binary, architecture, prefix, rocprof.environment)
    traced = replace(rocprof, command=(str(binary), *(one.kernel for one in kernels)))
    logs = (folder / f"{program}.stdout", folder / f"{program}.stderr")
    outcome = traced.run([KERNEL_TRACE], folder / f"{program}-trace", logs)
    if outcome.interrupted:
        raise Interrupted(INTERRUPTED)
    if not outcome.succeeded:
        said = last_words(logs[1])
        ended = (
            f"was stopped after {RUN_SECONDS} s" if outcome.timed_out else f"ended with {outcome.exit_code}"
        )
        raise EnvironmentProblem(f"the microkernels {program} {ended}" + (f": {said}" if said else ""))
    trace = read_trace(find_databases(folder / f"{program}-trace"))
    work = {name: (float(short), float(long)) for name, short, long in _WORK.findall(logs[0].read_text())}
    used = {launches.key.agent for launches in trace.launches}
    into.agent = next((agent for agent in trace.agents if agent.index in used), into.agent)
    for one in kernels:
        found = rate_reached(one, trace, work)
        if isinstance(found, Reached):
            into.rates.append(found)
        else:
            into.not_measured[one.ceiling] = found


def _compile(
    source: Path, binary: Path, architecture: str, prefix: Prefix, environment: Mapping[str, str]
) -> None:
    command = [str(prefix.tool("hipcc")), "-O3", "-std=c++17", f"--offload-arch={architecture}", str(source)]
    outcome = run(
        [*command, "-o", str(binary)],
        environment,
        stdout=binary.with_name(f"{binary.name}-build.stdout"),
        stderr=binary.with_name(f"{binary.name}-build.stderr"),
        timeout_s=COMPILE_SECONDS,
    )
    if outcome.interrupted:
        raise Interrupted(INTERRUPTED)
    if outcome.timed_out:
        raise EnvironmentProblem(f"hipcc did not compile {source.name} within {COMPILE_SECONDS} s")
    if not outcome.succeeded:
        said = outcome.stderr.read_text(errors="replace")
        errors = [line for line in said.splitlines() if "error:" in line]
        raise EnvironmentProblem(f"hipcc failed on {source.name}" + (f": {errors[0]}" if errors else ""))
