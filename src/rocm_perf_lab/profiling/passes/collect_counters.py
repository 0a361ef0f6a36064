"""Counter passes: groups that hardware can keep, split and tried again when rocprofv3 refuses them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rocm_perf_lab.analysis import achieved_occupancy
from rocm_perf_lab.contracts.profiling.profile import Pass
from rocm_perf_lab.profiling.documents.rooflines import RooflineRequest, counters_for
from rocm_perf_lab.profiling.folder.run_folder import RunFolder
from rocm_perf_lab.profiling.passes.counter_plan import CounterPlan, halves, plan_counters
from rocm_perf_lab.profiling.passes.failures import check, how_it_ended
from rocm_perf_lab.profiling.passes.rocprof_options import COUNTERS, KERNEL_TRACE
from rocm_perf_lab.profiling.passes.run_rocprof import Rocprof, last_words
from rocm_perf_lab.profiling.processes.process_group import ProcessOutcome
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.rocpd.read import find_databases, read_trace
from rocm_perf_lab.rocpd.rows import Trace
from rocm_perf_lab.units import ms

# Where nothing but refusals comes back, counters cannot be had here at all, and asking for each costs a run:
# all groups are tried, and this many parts of them.
PATIENCE = 2


@dataclass
class CounterCollection:
    traces: list[Trace] = field(default_factory=list)
    passes: list[Pass] = field(default_factory=list)
    dropped: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def collect_counters(
    rocprof: Rocprof,
    folder: RunFolder,
    timing: Trace,
    request: RooflineRequest,
    progress: Progress,
    ended: Callable[[Pass], None],
) -> CounterCollection:
    """Runs the program once for each group of counters. Never fails the profile: what is missing says why.

    ``ended`` is told of every pass, when it ends.
    """
    architecture = busiest_architecture(timing)
    wanted = (*achieved_occupancy.COUNTERS, *counters_for(architecture, request))
    plan = plan_counters(wanted, architecture, rocprof.available_counters())
    return collect_planned(rocprof, folder, plan, progress, ended)


def collect_planned(
    rocprof: Rocprof,
    folder: RunFolder,
    plan: CounterPlan,
    progress: Progress,
    ended: Callable[[Pass], None] | None = None,
) -> CounterCollection:
    """One pass for each group of the plan, more where groups are refused and tried again in parts."""
    result = CounterCollection(dropped=dict(plan.dropped))
    waiting = list(plan.groups)
    most_refusals = len(waiting) + PATIENCE
    progress.plan(len(waiting))
    refusals = 0
    number = 0
    while waiting:
        group = waiting.pop(0)
        number += 1
        progress.begin(f"counters {number} of {number + len(waiting)}")
        problem = _one_pass(rocprof, folder, number, group, result, progress)
        if ended is not None:
            ended(result.passes[-1])
        if problem is None:
            continue
        refusals += 1
        if problem.final or (refusals >= most_refusals and not result.traces):
            for counter in [*group, *(name for later in waiting for name in later)]:
                result.dropped[counter] = problem.reason
            result.warnings.append(f"counter passes were given up: {problem.reason}")
            break
        if len(group) == 1:
            result.dropped[group[0]] = problem.reason
        else:
            waiting += halves(group)  # behind the others: whether those are refused, too, is told first
            progress.plan(2)
    return result


@dataclass(frozen=True)
class _Problem:
    reason: str
    final: bool = False


def _one_pass(
    rocprof: Rocprof,
    folder: RunFolder,
    number: int,
    group: Sequence[str],
    result: CounterCollection,
    progress: Progress,
) -> _Problem | None:
    place, name = folder.counter_pass(number), f"counters-{number}"
    logs = (folder.log(name, "stdout"), folder.log(name, "stderr"))
    outcome = rocprof.run([KERNEL_TRACE, COUNTERS, *group], place, logs, progress.ticker)
    if outcome.interrupted:
        check(outcome, name, traced=True)
    databases = find_databases(place)
    trace = read_trace(databases, medians=False) if outcome.succeeded and databases else None
    result.passes.append(
        Pass(
            purpose="counters",
            databases=tuple(folder.relative(path) for path in databases),
            counters=tuple(group),
            exit_code=outcome.exit_code,
            gpu_time_ms=ms(trace.total_ns) if trace else None,
            wall_ms=outcome.wall_s * 1e3,
        )
    )
    if trace is None:
        return _problem(outcome, name)
    collected = {counter for launches in trace.launches for counter in launches.counters}
    for counter in group:
        if counter not in collected:
            result.dropped[counter] = f"rocprofv3 gave no value for it in {name}"
    result.traces.append(trace)
    return None


def _problem(outcome: ProcessOutcome, name: str) -> _Problem:
    said = last_words(outcome.stderr)
    if outcome.timed_out:
        return _Problem(f"{name} was stopped after {outcome.wall_s:.1f} s (--timeout)", final=True)
    if outcome.exit_code == 0:
        return _Problem(f"{name} wrote no database" + (f": {said}" if said else ""))
    return _Problem(f"{name}: rocprofv3 {how_it_ended(outcome.exit_code)}" + (f": {said}" if said else ""))


def busiest_architecture(trace: Trace) -> str:
    """Of the GPU that worked most."""
    time: dict[int, int] = {}
    for launches in trace.launches:
        time[launches.key.agent] = time.get(launches.key.agent, 0) + launches.total_ns
    names = {agent.index: agent.name for agent in trace.agents}
    busiest = max(time, key=lambda index: time[index])
    return names.get(busiest, "")
