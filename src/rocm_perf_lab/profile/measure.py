"""Profiles a program: warm-up, timing and counter passes into a run folder, then the documents."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

from rocm_perf_lab.contracts.profile import Pass, ProfileDocument, Setting
from rocm_perf_lab.contracts.roofline_document import RooflineDocument
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.errors import NoKernels
from rocm_perf_lab.profile.assemble import Circumstances, assemble
from rocm_perf_lab.profile.collect_counters import CounterCollection, collect_counters
from rocm_perf_lab.profile.command_line import find_program
from rocm_perf_lab.profile.environment import pass_environment
from rocm_perf_lab.profile.failures import NO_KERNELS_REMEDY, check
from rocm_perf_lab.profile.keeping import keeping
from rocm_perf_lab.profile.kernel_code import kernel_code
from rocm_perf_lab.profile.processes import run
from rocm_perf_lab.profile.profiled import Profiled
from rocm_perf_lab.profile.progress import Progress
from rocm_perf_lab.profile.request import Request
from rocm_perf_lab.profile.run_folder import RunFolder, make_run_folder, point_latest
from rocm_perf_lab.profile.run_rocprof import Rocprof, find_rocprof
from rocm_perf_lab.profile.setting import describe_setting
from rocm_perf_lab.rocm.find import Prefix, find_prefix
from rocm_perf_lab.rocpd.read import find_databases, read_trace
from rocm_perf_lab.rocpd.rows import Trace
from rocm_perf_lab.units import ms


def measure(request: Request, now: datetime, progress: Progress) -> Profiled:
    """Everything that ``rocm-perf profile`` does, except for showing it."""
    prefix = find_prefix()
    environment = pass_environment(request, prefix)
    program = find_program(request.command[0], environment)
    tool = find_rocprof(prefix)
    setting = describe_setting(request.command, prefix, environment, request.kernel_filter, now)
    folder = make_run_folder(request.command[0], now, request.out)
    rocprof = Rocprof(tool, request.command, environment, request.timeout_s, request.debug)
    session = _Session(request, program, folder, rocprof, setting, prefix, progress)
    with keeping(folder):
        folder.write("setting.json", json.dumps(asdict(setting), indent=2, ensure_ascii=False) + "\n")
        return session.run()


@dataclass
class _Session:
    request: Request
    program: Path
    folder: RunFolder
    rocprof: Rocprof
    setting: Setting
    prefix: Prefix
    progress: Progress

    def run(self) -> Profiled:
        request = self.request
        self.progress.plan(request.warmup + request.runs)
        passes = [self._warm_up(number) for number in range(1, request.warmup + 1)]
        timing = []
        for number in range(1, request.runs + 1):
            taken, trace = self._time(number)
            passes.append(taken)
            timing.append(trace)
        counted = CounterCollection()
        if request.counters:
            counted = collect_counters(self.rocprof, self.folder, timing[0], request.roofline, self.progress)
        version = self.rocprof.ask_version()
        self.progress.done()
        profile, roofline = assemble(
            timing,
            counted.traces,
            self.setting,
            Circumstances(
                passes=(*passes, *counted.passes),
                no_wall="the passes ran under the tracer; --no-rocprof measures the process by itself",
                dropped_counters=counted.dropped,
                warnings=tuple(counted.warnings),
                origin=self._origin(timing[0]),
                code=kernel_code(timing[:1], [self.program]),
                kernel_filter=request.kernel_filter,
                roofline=request.roofline,
            ),
        )
        tools = {**self.setting.tools, "rocprofv3": version()}
        return self._write(replace(profile, setting=replace(self.setting, tools=tools)), roofline)

    def _origin(self, trace: Trace) -> Origin:
        simulated = self.prefix.kind == "virtual" or any(agent.virtual for agent in trace.agents)
        return "simulated" if simulated else "measured"

    def _write(self, profile: ProfileDocument, roofline: RooflineDocument) -> Profiled:
        from rocm_perf_lab.contracts.documents import to_json

        text = to_json(profile)
        self.folder.write("profile.json", text)
        self.folder.write("roofline.json", to_json(roofline))
        point_latest(self.folder)
        return Profiled(profile, text, self.folder.path)

    def _warm_up(self, number: int) -> Pass:
        """A run without the tracer, whose times nobody looks at."""
        name = f"warm-up-{number}"
        self.progress.begin(f"warm-up {number}")
        outcome = run(
            self.request.command,
            self.rocprof.environment,
            stdout=self.folder.log(name, "stdout"),
            stderr=self.folder.log(name, "stderr"),
            timeout_s=self.request.timeout_s,
            show=self.request.debug,
            tick=self.progress.ticker,
        )
        check(outcome, name, traced=False)
        return Pass(
            purpose="warm-up",
            databases=(),
            counters=(),
            exit_code=outcome.exit_code,
            gpu_time_ms=None,
            wall_ms=outcome.wall_s * 1e3,
        )

    def _time(self, number: int) -> tuple[Pass, Trace]:
        name = f"timing-{number}"
        self.progress.begin(f"timing run {number} of {self.request.runs}")
        place = self.folder.timing_pass(number)
        logs = (self.folder.log(name, "stdout"), self.folder.log(name, "stderr"))
        outcome = self.rocprof.run(["--kernel-trace"], place, logs, self.progress.ticker)
        databases = find_databases(place)
        check(outcome, name, traced=True, wrote_databases=bool(databases))
        trace = read_trace(databases) if databases else None
        if trace is None or not trace.dispatches:
            raise NoKernels("the program ran and launched no kernel", NO_KERNELS_REMEDY)
        taken = Pass(
            purpose="timing",
            databases=tuple(self.folder.relative(path) for path in databases),
            counters=(),
            exit_code=outcome.exit_code,
            gpu_time_ms=ms(trace.total_ns),
            wall_ms=outcome.wall_s * 1e3,
        )
        return taken, trace
