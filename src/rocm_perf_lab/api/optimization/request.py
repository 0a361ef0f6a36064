"""What an optimization is to do, as the user asks for it; what makes no sense is said here."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocm_perf_lab.api.optimization.source import Named
from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem
from rocm_perf_lab.requests.values import kernel_pattern, seconds

if TYPE_CHECKING:
    from rocm_perf_lab.optimizing.loop import LoopSettings
    from rocm_perf_lab.optimizing.proposers.interface import Proposer

NOTHING = "nothing"  # says how to build: the default is used


@dataclass(frozen=True)
class OptimizationRequest:
    """What is to be optimized, and how the user wants it."""

    source: Path
    program: tuple[str, ...]
    build: str
    options: dict[str, Any]
    found_through: str | None = None
    """How the source was found; None: it was named."""
    build_folder: Path | None = None
    """Where the build runs; None: in the working folder."""
    built_by: str | None = None
    """What says how to build, or NOTHING; None: --build does."""

    @property
    def dry_run(self) -> bool:
        return bool(self.options["dry_run"])


def refuse_with_revert(given: dict[str, Any]) -> None:
    """Taking back takes nothing else along."""
    for name in ("yes", "resume", "dry_run"):
        if given.get(name):
            option = "--" + name.replace("_", "-")
            raise UsageProblem(
                f"--revert takes back what was written; {option} is for optimizing", "give one of them"
            )


def request_of(named: Named, options: dict[str, Any]) -> OptimizationRequest:
    from rocm_perf_lab.builds.command import DEFAULT_COMMAND, BuildCommand
    from rocm_perf_lab.optimizing.building.recorded_build import recorded_build
    from rocm_perf_lab.optimizing.source.read import read_unit
    from rocm_perf_lab.optimizing.transforms.catalogue import TRANSFORMS
    from rocm_perf_lab.profiling.processes.command_line import find_program, parse_command

    for name in ("yes", "resume"):
        if options["dry_run"] and options[name]:
            raise UsageProblem(f"--dry-run keeps nothing; --{name} asks for it", "give one of them")
    for name in options["allow"]:
        if name not in TRANSFORMS:
            raise UsageProblem(f"there is no transform {name!r}", ", ".join(TRANSFORMS))
    if options["proposer"] != "llm":
        for name in ("base_url", "model", "key_file"):
            if options[name] is not None:
                option = "--" + name.replace("_", "-")
                raise UsageProblem(f"{option} has a meaning with --proposer llm only", "leave it out")
    program = parse_command(named.words, "optimize")
    read_unit(named.source)  # what cannot be read, or written, is said before anything is built
    if options["yes"] and not os.access(named.source.resolve().parent, os.W_OK):
        raise EnvironmentProblem(
            f"{named.source} cannot be written: its folder is not yours to write to",
            "leave out --yes, and changes are kept as a diff",
        )
    if options["build"] is not None:
        BuildCommand.read(options["build"])
        return OptimizationRequest(named.source, program, options["build"], options, named.found)
    found = recorded_build(find_program(program[0], os.environ), named.source)
    if found is None:
        return OptimizationRequest(
            named.source, program, DEFAULT_COMMAND, options, named.found, None, NOTHING
        )
    return OptimizationRequest(
        named.source, program, found.command, options, named.found, found.folder, found.how
    )


def settings_of(request: OptimizationRequest) -> LoopSettings:
    from rocm_perf_lab.optimizing.loop import LoopSettings

    return LoopSettings(
        improvement=request.options["min_improvement"],
        iterations=request.options["max_iters"],
        trials=request.options["max_trials"],
        budget_s=seconds(request.options["budget"]),
        allowed=frozenset(request.options["allow"]),
        pattern=kernel_pattern(request.options["kernel"]),
    )


def proposer_of(request: OptimizationRequest) -> Proposer:
    name = request.options["proposer"]
    if name == "rules":
        from rocm_perf_lab.optimizing.proposers.rules import RulesProposer

        return RulesProposer()
    if name == "llm":
        from rocm_perf_lab.optimizing.proposers.llm.endpoint import find_endpoint
        from rocm_perf_lab.optimizing.proposers.llm.proposer import LlmProposer

        options = request.options
        return LlmProposer(find_endpoint(options["base_url"], options["model"], options["key_file"]))
    from rocm_perf_lab.optimizing.proposers.plugged_in import load_proposer

    return load_proposer(name)
