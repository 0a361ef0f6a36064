"""What is asked of ``rocm-perf optimize``: the one place where its options are declared."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Literal

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.profiling.processes.command_line import Program
from rocm_perf_lab.requests.option import (
    check_options,
    choice,
    count,
    flag,
    path,
    paths,
    pattern,
    positive,
    share,
    text,
    texts,
)
from rocm_perf_lab.requests.values import AnyPath, seconds

Ask = Callable[[Path, str, str], bool]
"""Source, change in words, its diff: whether it is to be written."""


@dataclass(frozen=True)
class OptimizationRequest:
    program: Program
    _: KW_ONLY
    source: AnyPath | None = path(None, "Has the kernels. [default: found through debug information]")
    build: str | None = text(
        None, "With {source} and {output}. [default: as PROGRAM was built]", metavar="COMMAND"
    )
    proposer: str = text("rules", "rules, llm, or one that is plugged in.")
    kernel: str | None = pattern(None, "Only kernels whose name matches somewhere.")
    allow: Sequence[str] = texts((), "Make this transform, too; may be repeated.", metavar="NAME")
    via: Literal["app", "replay"] = choice(
        "app",
        ("app", "replay"),
        "How variants are timed; what wins by replays is confirmed in the application.",
    )
    unchecked: bool = flag("Also where the checkers cannot run on the program.")
    compare_output: bool = flag("Standard output and exit status have to stay the same.")
    compare_file: Sequence[AnyPath] = paths(
        (), "What the program writes there has to stay the same; may be repeated.", metavar="PATH"
    )
    min_improvement: float = share(0.02, "Share of a kernel's time that a change has to save.")
    max_iters: int = count(10, "Changes.", least=1)
    max_trials: int = count(16, "Builds for a kernel until the next one has its turn.", least=1)
    budget: str | float | None = text(None, "No new trial after this long: 90s, 10m, 2h.", metavar="TIME")
    timeout: float = positive(600.0, "Seconds a run may take.")
    base_url: str | None = text(None, "Of --proposer llm: the endpoint.", metavar="ADDRESS")
    model: str | None = text(None, "Of --proposer llm.", metavar="NAME")
    key_file: AnyPath | None = path(None, "Of --proposer llm: has the key. [default: the environment]")
    yes: bool = flag("Write accepted changes into the source without asking.")
    dry_run: bool = flag("Write and keep nothing; show what would be accepted.")
    resume: bool = flag("Go on with the last optimization of the source.")
    ask: Ask | None = None
    tell: Callable[[str], None] | None = None

    def __post_init__(self) -> None:
        check_options(self)
        for name, kept in (("yes", self.yes), ("resume", self.resume)):
            if self.dry_run and kept:
                raise UsageProblem(f"--dry-run keeps nothing; --{name} asks for it", "give one of them")
        if self.allow:
            self._refuse_unknown_transforms()
        if self.proposer != "llm":
            self._refuse_endpoints()
        _ = self.budget_s

    @property
    def words(self) -> tuple[str, ...]:
        """The program, or the source and the program, as they would stand on the command line."""
        if isinstance(self.program, (str, os.PathLike)):
            return (os.fspath(self.program),)
        return tuple(self.program)

    @property
    def budget_s(self) -> float | None:
        return seconds(self.budget)

    def _refuse_unknown_transforms(self) -> None:
        from rocm_perf_lab.optimizing.transforms.catalogue import TRANSFORMS

        for name in self.allow:
            if name not in TRANSFORMS:
                raise UsageProblem(f"there is no transform {name!r}", ", ".join(TRANSFORMS))

    def _refuse_endpoints(self) -> None:
        endpoint = {"--base-url": self.base_url, "--model": self.model, "--key-file": self.key_file}
        for name, value in endpoint.items():
            if value is not None:
                raise UsageProblem(f"{name} has a meaning with --proposer llm only", "leave it out")
