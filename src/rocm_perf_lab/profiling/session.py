"""One profile in the making: takes executions as they end, collects counters, writes the documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.contracts.profiling.analysis import AnalysisDocument
from rocm_perf_lab.contracts.profiling.profile import Pass, ProfileDocument, Setting
from rocm_perf_lab.contracts.profiling.roofline_document import RooflineDocument
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.contracts.text import to_text
from rocm_perf_lab.errors import NoKernels
from rocm_perf_lab.profiling.calibration.store import Stored, load
from rocm_perf_lab.profiling.documents.analysis import analysis_document, idle_before_launches
from rocm_perf_lab.profiling.documents.assemble import Circumstances, assemble
from rocm_perf_lab.profiling.documents.kernel_code import kernel_code
from rocm_perf_lab.profiling.folder.run_folder import PROFILE, SETTING, RunFolder, point_latest
from rocm_perf_lab.profiling.folder.setting import describe_setting
from rocm_perf_lab.profiling.folder.unfinished import UnfinishedMark
from rocm_perf_lab.profiling.passes.collect_counters import CounterCollection, collect_counters
from rocm_perf_lab.profiling.passes.execution import ProgramExecution
from rocm_perf_lab.profiling.passes.failures import NO_KERNELS_REMEDY, check
from rocm_perf_lab.profiling.passes.run_rocprof import Rocprof
from rocm_perf_lab.profiling.processes.process_group import ProcessOutcome
from rocm_perf_lab.profiling.profiled import Profiled
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.profiling.request import ProfileRequest
from rocm_perf_lab.rocm.find import Prefix
from rocm_perf_lab.rocpd.read import find_databases, read_trace
from rocm_perf_lab.rocpd.rows import Agent, Trace
from rocm_perf_lab.units import ms

if TYPE_CHECKING:
    from rocm_perf_lab.profiling.documents.critical_path import CriticalPath
    from rocm_perf_lab.profiling.passes.deep_analysis import DeepAnalysis

NO_WALL = "the passes ran under the tracer; --no-rocprof measures the process by itself"


@dataclass
class Session:
    request: ProfileRequest
    program: Path
    mark: UnfinishedMark
    rocprof: Rocprof
    prefix: Prefix
    progress: Progress
    setting: Setting
    tool_version: Callable[[], str]
    timing: list[Trace] = field(default_factory=list)

    @classmethod
    def open(
        cls,
        request: ProfileRequest,
        program: Path,
        mark: UnfinishedMark,
        rocprof: Rocprof,
        prefix: Prefix,
        progress: Progress,
        now: datetime,
        until: ExitStack,
    ) -> Session:
        """Writes down the circumstances and prepares for what comes, while the first pass runs."""
        version = rocprof.ask_version(until)
        setting = describe_setting(request.command, prefix, rocprof.environment, request.kernel, now)
        mark.folder.write(SETTING, json.dumps(asdict(setting), indent=2, ensure_ascii=False) + "\n")
        return cls(request, program, mark, rocprof, prefix, progress, setting, version)

    @property
    def folder(self) -> RunFolder:
        return self.mark.folder

    def take(self, execution: ProgramExecution, outcome: ProcessOutcome) -> None:
        """Reads what an execution left; raises what goes with one that did not end well."""
        if execution.purpose == "warm-up":
            check(outcome, execution.name, traced=False)
            databases, trace = [], None
        else:
            databases = find_databases(self.folder.timing_pass(execution.number))
            check(outcome, execution.name, traced=True, wrote_databases=bool(databases))
            trace = read_trace(databases) if databases else None
            if trace is None or not trace.dispatches:
                raise NoKernels("the program ran and launched no kernel", NO_KERNELS_REMEDY)
            self.timing.append(trace)
        self.mark.ended(
            Pass(
                purpose=execution.purpose,
                databases=tuple(self.folder.relative(path) for path in databases),
                counters=(),
                exit_code=outcome.exit_code,
                gpu_time_ms=ms(trace.total_ns) if trace else None,
                wall_ms=outcome.wall_s * 1e3,
            )
        )

    def conclude(self) -> Profiled:
        """The documents, after the counter passes that were asked for."""
        counted = CounterCollection()
        if self.request.roofline:
            asked, ended = self.request.roofs, self.mark.ended
            counted = collect_counters(self.rocprof, self.folder, self.timing[0], asked, self.progress, ended)
            self.mark.whole("counters")
        told = list(counted.warnings)
        critical: CriticalPath | None = None
        if self.request.focus_critical:
            from rocm_perf_lab.profiling.documents.critical_path import trace_critical_path

            critical = trace_critical_path(self.rocprof, self.folder, self._origin(), self.progress)
            told += critical.warnings
            self.mark.whole("critical path")
        deep: DeepAnalysis | None = None
        if self.request.deep_analysis:
            from rocm_perf_lab.profiling.passes.deep_analysis import write_deep_analysis

            dag, wanted = critical.document if critical else None, self.request.kernel
            deep = write_deep_analysis(self.timing[0], dag, wanted, self.rocprof, self.folder, self.progress)
            told += deep.warnings if deep else []
            self.mark.whole("thread traces")
        self.progress.done()
        calibrated = self._calibrations()
        problems = [stored.problem for stored in calibrated.values() if stored.problem]
        profile, roofline = assemble(
            self.timing,
            counted.traces,
            replace(self.setting, tools={**self.setting.tools, "rocprofv3": self.tool_version()}),
            Circumstances(
                passes=self.mark.state.passes,
                no_wall=NO_WALL,
                dropped_counters=counted.dropped,
                warnings=(*told, *problems),
                origin=self._origin(),
                kernel_filter=self.request.kernel,
                code=kernel_code(self.timing[:1], [self.program]),
                roofline=self.request.roofs,
                measured_ceilings=lambda agent: calibrated[agent].ceilings if agent in calibrated else (),
            ),
        )
        analysis = self._analysis(profile, critical, deep)
        self.folder.write("roofline.json", self._text(roofline))
        self.folder.write("analysis.json", self._text(analysis))
        text = self._text(profile)
        self.folder.write(PROFILE, text)
        self.mark.remove()
        point_latest(self.folder)
        return Profiled(profile, text, self.folder.path, analysis)

    def _analysis(
        self, profile: ProfileDocument, critical: CriticalPath | None, deep: DeepAnalysis | None
    ) -> AnalysisDocument:
        by_kernel = att = None
        if critical is not None and critical.document is not None:
            from rocm_perf_lab.profiling.documents.analysis import criticality_by_kernel

            by_kernel = criticality_by_kernel(critical.document)
        if deep is not None:
            from rocm_perf_lab.profiling.documents.analysis import att_by_kernel

            att = att_by_kernel(deep.document)
        idle = idle_before_launches(self.timing)
        return analysis_document(profile, idle_ns=idle, criticality=by_kernel, att=att)

    def _calibrations(self) -> dict[Agent, Stored]:
        """Measured ceilings of the GPUs, where somebody has calibrated them."""
        return {} if self.request.quiet else {agent: load(agent) for agent in self.timing[0].agents}

    def _text(self, document: ProfileDocument | RooflineDocument | AnalysisDocument) -> str:
        """Checked against its contract, except in a hurry: the text is the same."""
        if self.request.quiet:
            return to_text(document)
        from rocm_perf_lab.contracts.documents import to_json

        return to_json(document)

    def _origin(self) -> Origin:
        virtual = any(agent.virtual for agent in self.timing[0].agents)
        return "simulated" if virtual or self.prefix.kind == "virtual" else "measured"
