"""What is asked of ``rocm-perf check``: the one place where its options are declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import get_args

from rocm_perf_lab.contracts.check import DefectClass
from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.profiling.processes.command_line import Program, command_of
from rocm_perf_lab.requests.offered import SECONDS_OF_A_RUN
from rocm_perf_lab.requests.option import Offered, check_options, path, positive, texts
from rocm_perf_lab.requests.values import AnyPath

CLASSES: tuple[DefectClass, ...] = get_args(DefectClass)


@dataclass(frozen=True)
class CheckRequest:
    program: Program
    _: KW_ONLY
    only: Sequence[str] = texts(
        (),
        "Look for this class of defects alone. Repeatable.",
        metavar="CLASS",
        offered=Offered("Classes of defects to look for; all unless given."),
    )
    suppressions: AnyPath | None = path(None, "File with defects that are known.")
    timeout: float | None = positive(None, "Seconds the program may take.", offered=SECONDS_OF_A_RUN)
    output_to_stderr: bool = False
    """Our own document has stdout for itself."""

    def __post_init__(self) -> None:
        for name in self.only:
            if name not in CLASSES:
                raise UsageProblem(f"there is no class of defects {name!r}", f"one of {', '.join(CLASSES)}")
        check_options(self)
        _ = self.command

    @cached_property
    def command(self) -> tuple[str, ...]:
        """The words of the program's command line."""
        return command_of(self.program, "check")

    @property
    def classes(self) -> tuple[DefectClass, ...]:
        """That are looked for."""
        return tuple(name for name in CLASSES if not self.only or name in self.only)
