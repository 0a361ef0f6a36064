"""What is asked of ``rocm-perf autotune``: the one place where its options are declared."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Literal

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.executors.request import EXECUTORS, deadline_option, scheduler_option, workers_option
from rocm_perf_lab.requests.option import (
    check_options,
    choice,
    count,
    flag,
    number,
    path,
    pattern,
    positive,
    text,
    trust_option,
)
from rocm_perf_lab.requests.values import AnyPath

if TYPE_CHECKING:
    from rocm_perf_lab.autotuning.trial import TuningTrial
    from rocm_perf_lab.autotuning.tune import Tuning
    from rocm_perf_lab.trust import Ask

OBJECTIVES = ("gpu-time", "wall", "metric")


@dataclass(frozen=True)
class TuningRequest:
    space: AnyPath
    _: KW_ONLY
    cmd_template: str | None = text(None, 'The program: "./kernel --bm {BLOCK_M}". No shell runs it.')
    build_template: str | None = text(None, 'Builds a variant: "hipcc -DBM={BLOCK_M} k.hip -o {build}/k".')
    capture: AnyPath | None = path(None, "Instead of --cmd-template: replay this with what was built.")
    build_jobs: int | None = count(None, "Builds at once. [default: cores, at most 8]", least=1)
    check: str | None = text(
        None, "A command that fails where the output is wrong; {stdout} is a file with it."
    )
    evals: int = count(50, "Runs at most.", least=1)
    budget: str | float | None = text(None, "No new trial after this long: 90s, 10m, 2h.", metavar="TIME")
    objective: Literal["gpu-time", "wall", "metric"] = choice("gpu-time", OBJECTIVES, None, shown=False)
    metric: str | None = text(
        None, "The figure that the program prints; its group is the number.", metavar="REGEX"
    )
    maximize: bool = flag("The figure of --metric is to be large.")
    kernel: str | None = pattern(None, "GPU time of kernels whose name matches somewhere only.")
    baseline: str | Mapping[str, Any] | None = text(
        None, "The configuration in use today.", metavar="JSON|A=1,B=2"
    )
    seed: int = count(0, "Same seed, same search.", least=0)
    seed_fraction: float | None = number(None, "Share of --evals before the model chooses.", least=0, most=1)
    prune_factor: float | None = number(None, "Not run: expected to take so many times the best.", least=1)
    repeats: int = count(5, "Runs of good ones.", least=1)
    timeout: float | None = positive(None, "Seconds that a run or a build may take.")
    executor: Literal["inline", "local", "dask"] = choice("inline", EXECUTORS, None)
    workers: int | None = workers_option()
    scheduler: str | None = scheduler_option()
    deadline: float | None = deadline_option()
    batch: int | None = count(None, "Suggest and await so many together.", least=1)
    out: AnyPath | None = path(None, "Folder. [default: a new .rocm-perf/<run>]")
    resume: bool = flag("Go on with the tuning in --out, or the last one like this.")
    keep_traces: bool = flag("Keep the traces of all trials.")
    imported: AnyPath | None = path(None, "Results to learn from: Kernel Tuner cache or T4.", called="import")
    export_t4: AnyPath | None = path(None, "Write results there, in T4.")
    export_kernel_tuner: AnyPath | None = path(None, "Write results there, as a Kernel Tuner cache.")
    trust: bool = trust_option()
    ask: Ask | None = None
    tell: Callable[[TuningTrial, Tuning], None] | None = None

    def __post_init__(self) -> None:
        check_options(self)
        if self.capture is None:
            if self.cmd_template is None:
                raise UsageProblem(
                    "--cmd-template is missing",
                    'rocm-perf autotune --space s.json --cmd-template "./k {N}"',
                )
        else:
            self._check_what_goes_with_a_capture()
        self._check_objective()

    def _check_what_goes_with_a_capture(self) -> None:
        if self.cmd_template is not None or self.check is not None or self.objective != "gpu-time":
            raise UsageProblem(
                "--capture replays a kernel and compares memory: no command, check or other objective",
                "leave the others out",
            )
        if self.build_template is None:
            raise UsageProblem("--capture needs variants", 'add --build-template "hipcc … -o {build}/k"')

    def _check_objective(self) -> None:
        if (self.objective == "metric") != (self.metric is not None):
            raise UsageProblem("--objective metric and --metric REGEX go together", "give both or none")
        if self.maximize and self.metric is None:
            raise UsageProblem("times are to be small; --maximize is for --metric", "leave it out")
        if self.metric is not None:
            try:
                re.compile(self.metric)
            except re.error as problem:
                raise UsageProblem(
                    f"--metric {self.metric!r} is not a regular expression: {problem}"
                ) from None
        if self.kernel is not None and self.objective != "gpu-time":
            raise UsageProblem("--kernel is for --objective gpu-time", "leave one of them out")
