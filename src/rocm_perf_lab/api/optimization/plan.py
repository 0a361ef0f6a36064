"""What an optimization does: the request, with all that had to be found out about it."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.optimization.source import source_and_program
from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem
from rocm_perf_lab.requests.values import kernel_pattern, path_of

if TYPE_CHECKING:
    from rocm_perf_lab.optimizing.loop import LoopSettings
    from rocm_perf_lab.optimizing.proposers.interface import Proposer
    from rocm_perf_lab.optimizing.request import OptimizationRequest

NOTHING = "nothing"  # says how to build: the default is used


@dataclass(frozen=True)
class OptimizationPlan:
    request: OptimizationRequest
    source: Path
    program: tuple[str, ...]
    build: str
    found_through: str | None = None
    """How the source was found; None: it was named."""
    build_folder: Path | None = None
    """Where the build runs; None: in the working folder."""
    built_by: str | None = None
    """What says how to build, or NOTHING; None: --build does."""


def refuse_with_revert(given: Collection[str]) -> None:
    """Taking back takes nothing else along."""
    for name in ("yes", "resume", "dry_run"):
        if name in given:
            option = "--" + name.replace("_", "-")
            raise UsageProblem(
                f"--revert takes back what was written; {option} is for optimizing", "give one of them"
            )


def plan_of(request: OptimizationRequest) -> OptimizationPlan:
    from rocm_perf_lab.builds.command import DEFAULT_COMMAND, BuildCommand
    from rocm_perf_lab.optimizing.building.recorded_build import recorded_build
    from rocm_perf_lab.optimizing.source.read import read_unit
    from rocm_perf_lab.profiling.processes.command_line import find_program, parse_command

    named = source_and_program(path_of(request.source), request.words, request.kernel)
    program = parse_command(named.words, "optimize")
    read_unit(named.source)  # what cannot be read, or written, is said before anything is built
    if request.yes and not os.access(named.source.resolve().parent, os.W_OK):
        raise EnvironmentProblem(
            f"{named.source} cannot be written: its folder is not yours to write to",
            "leave out --yes, and changes are kept as a diff",
        )
    if request.build is not None:
        BuildCommand.read(request.build)
        return OptimizationPlan(request, named.source, program, request.build, named.found)
    found = recorded_build(find_program(program[0], os.environ), named.source)
    if found is None:
        return OptimizationPlan(request, named.source, program, DEFAULT_COMMAND, named.found, None, NOTHING)
    return OptimizationPlan(
        request, named.source, program, found.command, named.found, found.folder, found.how
    )


def settings_of(request: OptimizationRequest) -> LoopSettings:
    from rocm_perf_lab.optimizing.loop import LoopSettings

    return LoopSettings(
        improvement=request.min_improvement,
        iterations=request.max_iters,
        trials=request.max_trials,
        budget_s=request.budget_s,
        allowed=frozenset(request.allow),
        pattern=kernel_pattern(request.kernel),
    )


def proposer_of(request: OptimizationRequest) -> Proposer:
    if request.proposer == "rules":
        from rocm_perf_lab.optimizing.proposers.rules import RulesProposer

        return RulesProposer()
    if request.proposer == "llm":
        from rocm_perf_lab.optimizing.proposers.llm.endpoint import find_endpoint
        from rocm_perf_lab.optimizing.proposers.llm.proposer import LlmProposer

        return LlmProposer(find_endpoint(request.base_url, request.model, path_of(request.key_file)))
    from rocm_perf_lab.optimizing.proposers.plugged_in import load_proposer

    return load_proposer(request.proposer)
