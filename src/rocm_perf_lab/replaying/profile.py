"""``replay profile``: hardware counters or a thread trace of the replayed kernel, all on one identical state.

rocprofv3 runs the replay tool once for each group of counters, in a fresh process each time. Every process
starts the kernel from the captured memory and compares what it leaves: passes that saw other work say so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rocm_perf_lab.capturing.folder import Capture, open_capture
from rocm_perf_lab.contracts.captures.replay_profile import CounterValue, ReplayPass, ReplayProfileDocument
from rocm_perf_lab.contracts.profiling.att import AttDocument
from rocm_perf_lab.errors import NoKernels, RocmPerfError
from rocm_perf_lab.profiling.folder.run_folder import LOGS, TIMING, RunFolder
from rocm_perf_lab.profiling.passes.collect_counters import CounterCollection, collect_planned
from rocm_perf_lab.profiling.passes.counter_plan import plan_counters
from rocm_perf_lab.profiling.passes.failures import check
from rocm_perf_lab.profiling.passes.rocprof_options import KERNEL_TRACE
from rocm_perf_lab.profiling.passes.run_rocprof import Rocprof, find_rocprof, last_words
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.replaying.native_tool.document import addresses, agreement, all_exact
from rocm_perf_lab.replaying.native_tool.run_tool import ReplayRequest, error_of
from rocm_perf_lab.replaying.native_tool.tool import Tool
from rocm_perf_lab.replaying.proof.capture_proof import refuse_incomplete
from rocm_perf_lab.rocpd.read import find_databases, read_trace
from rocm_perf_lab.rocpd.rows import Launches, Trace

NOT_READ = "what the replay said in this pass cannot be read"
NO_LAUNCH = "the kernel is not in the trace of this pass"


def profile(
    path: Path,
    counters: Sequence[str],
    att: bool,
    request: ReplayRequest,
    tool: Tool,
    folder: RunFolder,
    progress: Progress,
) -> ReplayProfileDocument:
    """``folder`` is there and empty; ``request`` has the variant, the timeout and whether caches are cold."""
    capture = open_capture(path)
    refuse_incomplete(capture)
    for part in (TIMING, LOGS):
        (folder.path / part).mkdir()
    command = tuple(tool.command("full-vm", request.capture, *request.options()))
    rocprof = Rocprof(find_rocprof(tool.prefix), command, tool.environment, request.outer_s, debug=False)
    timing = _timing_pass(rocprof, folder, progress)
    kernel = _kernel_in(timing, capture)
    collected = CounterCollection()
    if counters:
        plan = plan_counters(counters, capture.dispatch.agent.name, rocprof.available_counters())
        collected = collect_planned(rocprof, folder, plan, progress)
    warnings = list(collected.warnings)
    traced: AttDocument | None = None
    missing: dict[str, str] = {}
    if att:
        from rocm_perf_lab.profiling.passes.deep_analysis import analyze_deeply

        found = analyze_deeply(kernel, timing, rocprof, folder, progress)
        traced = found.document
        warnings += found.warnings
    else:
        missing["att"] = "--att was not given"
    passes, values = _passes(folder, timing, collected, kernel, tool)
    if any(one.same_state is False for one in passes):
        warnings.append(
            "a pass did not leave the captured memory: it may have seen other work than the others"
        )
    agents = {agent.index: agent for agent in timing.agents}
    launched = _launches(timing, kernel)
    gpu = agents[launched.key.agent].product_name if launched and launched.key.agent in agents else None
    if not gpu:
        missing["gpu"] = "the trace does not name it"
    return ReplayProfileDocument(
        origin=tool.origin,
        missing=missing,
        capture=str(path),
        kernel=kernel,
        gpu=gpu or None,
        counters=values,
        passes=passes,
        dropped=dict(collected.dropped),
        att=traced,
        folder=str(folder.path),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _timing_pass(rocprof: Rocprof, folder: RunFolder, progress: Progress) -> Trace:
    progress.plan(1)
    progress.begin("replay without counters")
    logs = (folder.log("run-1", "stdout"), folder.log("run-1", "stderr"))
    place = folder.timing_pass(1)
    outcome = rocprof.run([KERNEL_TRACE], place, logs, progress.ticker)
    if not outcome.succeeded:
        problem = _problem_of(outcome.exit_code, logs)
        if problem is not None and not outcome.interrupted and not outcome.timed_out:
            raise problem
    check(outcome, "the replay without counters", traced=True)
    databases = find_databases(place)
    if not databases:
        raise NoKernels("rocprofv3 saw no kernel in the replay", "see whether replay full-vm works by itself")
    return read_trace(databases)


def _problem_of(code: int, logs: tuple[Path, Path]) -> RocmPerfError | None:
    """What the replay tool itself said went wrong."""
    told = _told(logs[0])
    return error_of(code, told, last_words(logs[1])) if told and "error" in told else None


def _told(log: Path) -> dict[str, Any] | None:
    """The document that the replay printed; rocprofv3 may have printed around it."""
    text = log.read_text(errors="replace")
    try:
        found = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _kernel_in(timing: Trace, capture: Capture) -> str:
    """The kernel's name as the trace writes it."""
    kernel = capture.dispatch.kernel
    names = [launches.key.kernel for launches in timing.launches]
    for name in (kernel.demangled, kernel.name, f"{kernel.name}.kd"):
        if name in names:
            return name
    if len(set(names)) == 1:
        return names[0]
    raise NoKernels(
        f"rocprofv3 saw no {kernel.demangled} in the replay", "see whether replay full-vm works by itself"
    )


def _launches(trace: Trace, kernel: str) -> Launches | None:
    return next((one for one in trace.launches if one.key.kernel == kernel), None)


def _passes(
    folder: RunFolder, timing: Trace, collected: CounterCollection, kernel: str, tool: Tool
) -> tuple[tuple[ReplayPass, ...], tuple[CounterValue, ...]]:
    found = [_pass(folder.log("run-1", "stdout"), (), timing, kernel, tool)]
    values: list[CounterValue] = []
    traces = iter(collected.traces)
    for number, one in enumerate(collected.passes, start=1):
        if one.gpu_time_ms is None:  # refused: tried again in parts
            continue
        trace = next(traces)
        found.append(_pass(folder.log(f"counters-{number}", "stdout"), one.counters, trace, kernel, tool))
        launched = _launches(trace, kernel)
        for name in one.counters if launched else ():
            assert launched is not None
            if name in launched.counters:
                each = launched.counters[name] / launched.counted.get(name, launched.count)
                values.append(CounterValue(name=name, value=each, pass_number=len(found)))
    return tuple(found), tuple(values)


def _pass(log: Path, counters: Sequence[str], trace: Trace, kernel: str, tool: Tool) -> ReplayPass:
    launched = _launches(trace, kernel)
    told = _told(log)
    missing = {}
    if launched is None:
        missing["time_us"] = NO_LAUNCH
    same = exact = None
    if told is None or "addresses" not in told:
        missing.update(same_state=NOT_READ, exact_addresses=NOT_READ)
    else:
        same, exact = _same_state(told), all_exact(addresses(told))
    return ReplayPass(
        origin=tool.origin,
        missing=missing,
        counters=tuple(counters),
        time_us=launched.total_ns / launched.count / 1e3 if launched else None,
        same_state=same,
        exact_addresses=exact,
    )


def _same_state(told: Mapping[str, Any]) -> bool:
    return not any(one.differing_bytes for one in agreement(told))
