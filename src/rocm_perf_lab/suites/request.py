"""What is asked of ``rocm-perf suite run``: the one place where its options are declared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.executors.request import EXECUTORS, deadline_option, scheduler_option, workers_option
from rocm_perf_lab.replaying.request import atol_option, rtol_option
from rocm_perf_lab.requests.option import (
    check_options,
    choice,
    count,
    path,
    paths,
    percent,
    positive,
    trust_option,
)
from rocm_perf_lab.requests.values import AnyPath, path_of, paths_of

if TYPE_CHECKING:
    from rocm_perf_lab.suites.case import CaseResult
    from rocm_perf_lab.trust import Ask


@dataclass(frozen=True)
class SuiteRequest:
    captures: AnyPath | Sequence[AnyPath]
    _: KW_ONLY
    baseline: AnyPath | None = path(None, "suite.json of an earlier run, or its folder: compare times.")
    fail_on_regression: float = percent(0.05, "Exit with 8 if slower by more.")
    relevant: float = percent(0.01, "Less is no change.")
    hsaco: Sequence[AnyPath] = paths((), "Replay with the kernels in this program, library or code object.")
    runs: int = count(5, "Fresh processes of each.", least=2)
    iterations: int = count(10, "Timed executions in a process; 0: no times.", least=0)
    rtol: float | None = rtol_option()
    atol: float | None = atol_option()
    timeout: float | None = positive(None, "Seconds of one execution.")
    executor: Literal["inline", "local", "dask"] = choice("inline", EXECUTORS, None)
    workers: int | None = workers_option()
    scheduler: str | None = scheduler_option()
    deadline: float | None = deadline_option()
    out: AnyPath | None = path(None, "Folder. [default: a new .rocm-perf/<run>]")
    trust: bool = trust_option()
    ask: Ask | None = None
    tell: Callable[[CaseResult, int, int], None] | None = None

    def __post_init__(self) -> None:
        check_options(self)
        if self.baseline is not None and not self.iterations:
            raise UsageProblem(
                "--baseline compares times; --iterations 0 takes none", "leave one of them out"
            )

    @property
    def capture_paths(self) -> tuple[Path, ...]:
        return paths_of(self.captures)

    @property
    def baseline_path(self) -> Path | None:
        return path_of(self.baseline)

    @property
    def variants(self) -> tuple[Path, ...]:
        """Programs or code objects whose kernels take the place of the captured ones."""
        return paths_of(self.hsaco)
