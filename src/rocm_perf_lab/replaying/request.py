"""What is asked of the commands below ``rocm-perf replay``: where their options are declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.profiling.progress import AnyProgress
from rocm_perf_lab.requests.offered import SECONDS_OF_A_RUN
from rocm_perf_lab.requests.option import (
    Offered,
    as_option,
    check_options,
    count,
    flag,
    no_flag,
    number,
    path,
    positive,
    text,
    texts,
    trust_option,
)
from rocm_perf_lab.requests.values import AnyPath, path_of

if TYPE_CHECKING:
    from rocm_perf_lab.trust import Ask

BUILD = "hipcc -O3 {source} -o {output}"
VARIANT = Offered("A variant instead of the captured kernel: code object, or program with it.")
ERROR = Offered("Error that floating-point values may have.")


def runs_option() -> int:
    return count(
        5, "Fresh processes of each.", least=2, offered=Offered("Fresh processes of each kernel.", most=1000)
    )


def rtol_option() -> float | None:
    none: float | None = None
    return number(none, "Relative error that floating-point values may have.", offered=ERROR)


def atol_option() -> float | None:
    none: float | None = None
    return number(none, "Absolute error that floating-point values may have.", offered=ERROR)


def tolerance_option() -> Sequence[str]:
    none: Sequence[str] = ()
    return texts(none, "The same for one argument or element type.", metavar="NAME=rtol,atol")


def iterations_option() -> int:
    return count(10, "For the time of a variant; 0: no time.", least=0)


def timeout_option() -> float | None:
    none: float | None = None
    return positive(none, "Seconds that one execution may take.", offered=SECONDS_OF_A_RUN)


@dataclass(frozen=True)
class FullVmRequest:
    capture: AnyPath
    _: KW_ONLY
    iterations: int = count(
        1,
        "Timed executions.",
        least=1,
        offered=Offered("Timed executions in one process.", most=1_000_000, default=10),
    )
    warmup: int = count(
        0,
        "Executions before.",
        least=0,
        offered=Offered("Runs before those that are timed.", most=1000),
    )
    recopy: bool = no_flag("Restore memory once, not before every iteration.")
    cold: bool = flag("Flush the caches before every iteration.", offered=Offered())
    hsaco: AnyPath | None = path(
        None, "A variant: code object, or program or bundle with it.", offered=VARIANT
    )
    timeout: float | None = timeout_option()
    raw: bool = flag("Give the time of every iteration.")
    trust: bool = trust_option()
    ask: Ask | None = None
    progress: AnyProgress = None

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class ValidateRequest:
    capture: AnyPath
    _: KW_ONLY
    hsaco: AnyPath | None = path(
        None, "A variant to be judged: code object, or program or bundle with it.", offered=VARIANT
    )
    runs: int = runs_option()
    rtol: float | None = rtol_option()
    atol: float | None = atol_option()
    tolerance: Sequence[str] = tolerance_option()
    iterations: int = iterations_option()
    timeout: float | None = timeout_option()
    trust: bool = trust_option()
    ask: Ask | None = None
    progress: AnyProgress = None

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class BuildVariantRequest:
    capture: AnyPath
    _: KW_ONLY
    source: AnyPath = field(metadata=as_option("path", "The edited source file."))
    build: str = text(BUILD, "The program's own build; no shell runs it.", metavar="COMMAND")
    out: AnyPath | None = path(None, "Code object to write. [default: SOURCE's name with .hsaco]")
    replay: bool = no_flag("Build and check it only.")
    runs: int = runs_option()
    rtol: float | None = rtol_option()
    atol: float | None = atol_option()
    tolerance: Sequence[str] = tolerance_option()
    iterations: int = iterations_option()
    timeout: float | None = timeout_option()
    trust: bool = trust_option()
    ask: Ask | None = None
    progress: AnyProgress = None

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class MinimiseRequest:
    capture: AnyPath
    _: KW_ONLY
    out: AnyPath | None = path(None, "Folder to make. [default: CAPTURE_minimised]")
    runs: int = count(3, "Fresh processes of the proof.", least=2)
    timeout: float | None = timeout_option()
    trust: bool = trust_option()
    ask: Ask | None = None
    progress: AnyProgress = None

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class ReplayProfileRequest:
    capture: AnyPath
    _: KW_ONLY
    pmc: Sequence[str] = texts((), "Hardware counters, as many as you like.", metavar="COUNTER…")
    att: bool = flag("Trace the waves of the kernel.")
    hsaco: AnyPath | None = path(None, "A variant: code object, or program or bundle with it.")
    cold: bool = flag("Flush the caches before the kernel.")
    out: AnyPath | None = path(None, "Folder that keeps what rocprofv3 writes. [default: nothing is kept]")
    timeout: float | None = positive(None, "Seconds that the kernel may take.")
    trust: bool = trust_option()
    ask: Ask | None = None
    progress: AnyProgress = None

    def __post_init__(self) -> None:
        check_options(self)
        if not self.pmc and not self.att:
            raise UsageProblem(
                "neither counters nor a thread trace is asked for", "add --pmc SQ_WAVES, or --att"
            )
        kept = self.kept
        if kept is not None and kept.exists() and (not kept.is_dir() or any(kept.iterdir())):
            raise UsageProblem(
                f"{kept} is not an empty folder; nothing is overwritten", "name a new folder with --out"
            )

    @property
    def kept(self) -> Path | None:
        """The folder that keeps what rocprofv3 writes."""
        return path_of(self.out)
