"""What is asked of ``rocm-perf profile``: the one place where its options are declared."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Literal

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.profiling.processes.command_line import Program, command_of
from rocm_perf_lab.profiling.progress import AnyProgress
from rocm_perf_lab.requests.offered import KERNELS_THAT_MATCH, NEW_FOLDER, SECONDS_OF_A_RUN
from rocm_perf_lab.requests.option import (
    Offered,
    check_options,
    choice,
    count,
    flag,
    no_flag,
    path,
    pattern,
    positive,
    text,
)
from rocm_perf_lab.requests.values import AnyPath

FLOP_MODELS = ("typed", "valu-width")


@dataclass(frozen=True)
class RooflineRequest:
    flop_model: Literal["typed", "valu-width"] = "typed"
    memory_bandwidth_gbps: float | None = None
    clock_mhz: float | None = None


@dataclass(frozen=True)
class ProfileRequest:
    program: Program
    _: KW_ONLY
    runs: int = count(
        3,
        "Timing passes.",
        least=1,
        offered=Offered("Timing passes: each runs the program once.", most=1000),
    )
    warmup: int = count(
        0,
        "Runs before them, not timed.",
        least=0,
        offered=Offered("Runs before those that are timed.", most=1000),
    )
    roofline: bool = flag("Collect counters too, in further passes.", offered=Offered())
    memory_bandwidth_gbps: float | None = positive(None, "Roof of memory.")
    clock_mhz: float | None = positive(None, "Clock of the compute roofs.")
    flop_model: Literal["typed", "valu-width"] | None = choice(
        None, FLOP_MODELS, "How FLOPs are counted. [default: typed]"
    )
    focus_critical: bool = flag("Find the critical path, from a further pass: dag.json.", offered=Offered())
    deep_analysis: bool = flag("Trace the waves of the kernel that matters: att.json.", offered=Offered())
    kernel: str | None = pattern(
        None, "Only kernels whose name matches somewhere.", offered=KERNELS_THAT_MATCH
    )
    rocprof: bool = no_flag("Wall time of the process only; nothing about the GPU.")
    out: AnyPath | None = path(None, "Run folder. [default: a new .rocm-perf/<run>]", offered=NEW_FOLDER)
    device: str | None = text(None, "Show only this GPU to the program (ROCR_VISIBLE_DEVICES).", metavar="N")
    timeout: float | None = positive(None, "Seconds a pass may take.", offered=SECONDS_OF_A_RUN)
    debug: bool = flag("Show all that the program and rocprofv3 print, on stderr.")
    quiet: bool = flag("Print the GPU time of one run in ms, and nothing else.")
    progress: AnyProgress = None

    def __post_init__(self) -> None:
        check_options(self)
        if not self.roofline:
            self._refuse_roofs()
        if not self.rocprof:
            self._refuse_questions_about_the_gpu()
        _ = self.command

    @cached_property
    def command(self) -> tuple[str, ...]:
        """The words of the program's command line."""
        return command_of(self.program, "profile")

    @property
    def roofs(self) -> RooflineRequest:
        return RooflineRequest(self.flop_model or "typed", self.memory_bandwidth_gbps, self.clock_mhz)

    def _refuse_roofs(self) -> None:
        roofs = {
            "--memory-bandwidth-gbps": self.memory_bandwidth_gbps,
            "--clock-mhz": self.clock_mhz,
            "--flop-model": self.flop_model,
        }
        for name, value in roofs.items():
            if value is not None:
                raise UsageProblem(f"{name} has a meaning with --roofline only", "add --roofline")

    def _refuse_questions_about_the_gpu(self) -> None:
        of_the_gpu = {
            "--roofline": self.roofline,
            "--focus-critical": self.focus_critical,
            "--deep-analysis": self.deep_analysis,
            "--kernel": self.kernel is not None,
        }
        for name, given in of_the_gpu.items():
            if given:
                raise UsageProblem(
                    f"--no-rocprof says nothing of the GPU; {name} asks for it", "give one of them"
                )
