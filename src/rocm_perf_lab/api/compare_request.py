"""What is asked of ``rocm-perf compare``: the one place where its options are declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal, get_args

from rocm_perf_lab.api.run_object import Run
from rocm_perf_lab.requests.offered import KERNELS_THAT_MATCH
from rocm_perf_lab.requests.option import (
    Offered,
    check_options,
    choices_among,
    flag,
    paths,
    pattern,
    percent,
)
from rocm_perf_lab.requests.values import AnyPath

Aspect = Literal["origin", "gpu", "clocks", "command", "environment", "filter", "unfinished"]
"""What may differ between two runs if it is allowed; unfinished: they need not have come to their ends."""


@dataclass(frozen=True)
class CompareRequest:
    base: Run | AnyPath
    new: Run | AnyPath
    _: KW_ONLY
    also_base: Sequence[Run | AnyPath] = paths((), "More runs of BASE.")
    also_new: Sequence[Run | AnyPath] = paths((), "More runs of NEW.")
    kernel: str | None = pattern(
        None, "Only kernels whose name matches somewhere.", offered=KERNELS_THAT_MATCH
    )
    relevant: float = percent(0.01, "Less is no change.")
    fail_on_regression: float | None = percent(
        None, "Exit with 8 if slower by more.", offered=Offered("A share: 0.05 is 5 %.")
    )
    allow: Sequence[Aspect] = choices_among(
        (),
        get_args(Aspect),
        "Compare although this differs.",
        offered=Offered("Compare although these circumstances differ."),
    )
    force: bool = flag("Compare whatever differs.")

    def __post_init__(self) -> None:
        check_options(self)
