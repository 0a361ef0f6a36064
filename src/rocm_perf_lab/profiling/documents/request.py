"""What is asked of ``rocm-perf analyze``: the one place where its options are declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Literal

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.profiling.request import FLOP_MODELS, RooflineRequest
from rocm_perf_lab.requests.offered import KERNELS_THAT_MATCH, NEW_FOLDER
from rocm_perf_lab.requests.option import check_options, choice, path, pattern, positive
from rocm_perf_lab.requests.values import AnyPath, paths_of


@dataclass(frozen=True)
class AnalyzeRequest:
    traces: AnyPath | Sequence[AnyPath]
    _: KW_ONLY
    kernel: str | None = pattern(
        None, "Only kernels whose name matches somewhere.", offered=KERNELS_THAT_MATCH
    )
    out: AnyPath | None = path(None, "Write the documents there.", offered=NEW_FOLDER)
    memory_bandwidth_gbps: float | None = positive(None, "Roof of memory.")
    clock_mhz: float | None = positive(None, "Clock of the compute roofs.")
    flop_model: Literal["typed", "valu-width"] = choice("typed", FLOP_MODELS, "How FLOPs are counted.")

    def __post_init__(self) -> None:
        check_options(self)
        if not self.paths:
            raise UsageProblem("no trace is given", "name a run folder or a trace")

    @property
    def paths(self) -> tuple[Path, ...]:
        return paths_of(self.traces)

    @property
    def roofs(self) -> RooflineRequest:
        return RooflineRequest(self.flop_model, self.memory_bandwidth_gbps, self.clock_mhz)
