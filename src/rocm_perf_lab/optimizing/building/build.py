"""Builds a variant with the user's command, in its own folder, within limits of time, memory and files.

The user's source is never written: a variant lies elsewhere, and quoted includes are still looked for beside
the original.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rocm_perf_lab.builds.command import DEFAULT_COMMAND, SOURCE, BuildCommand, fill
from rocm_perf_lab.builds.run_build import BuildLimits, run_build
from rocm_perf_lab.builds.scratch import climbs, look_alike
from rocm_perf_lab.optimizing.building.built import read_built
from rocm_perf_lab.optimizing.refused import Refused

_COMPILER = re.compile(
    r"hipcc(?:\.bin)?|(?:amd)?clang(?:\+\+)?(?:-\d+)?|(?:.*-)?(?:g\+\+|gcc|c\+\+|cc)(?:-\d+)?"
)
MOST_OUTPUT = 16_000  # characters of the compiler's messages that are kept
__all__ = ["DEFAULT_COMMAND", "BuildLimits", "BuildPlan", "build_repeatably", "build_variant"]


@dataclass(frozen=True)
class BuildPlan:
    command: str
    """With {source} and {output}; run without a shell, in a folder that looks like ``folder``."""
    original: Path
    folder: Path
    environment: Mapping[str, str] | None = None
    limits: BuildLimits = field(default_factory=BuildLimits)


def build_variant(plan: BuildPlan, text: bytes, place: Path, name: str = "variant") -> Path:
    """The program made from ``text``, below ``place``. Raises Refused where it does not compile."""
    command = BuildCommand.read(plan.command)
    # Under its own name: thread traces and diagnostics tell lines of the user's file.
    source = place.absolute() / "source" / plan.original.name
    source.parent.mkdir(parents=True, exist_ok=True)
    output = place.absolute() / name
    source.write_bytes(text)
    scratch = place / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        done = run_build(
            [_step(plan, step, source, output) for step in command.steps],
            folder=look_alike(plan.folder, scratch, max(map(climbs, command.steps))),
            environment=_environment(plan, command),
            limits=plan.limits,
            writable=[place.absolute()],
        )
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if done.interrupted:
        raise KeyboardInterrupt
    if done.timed_out:
        raise Refused("build-timed-out", f"after {plan.limits.seconds:g} s")
    if not done.succeeded or not output.is_file():
        # Named as the user knows it: where variants lie is nobody's business.
        messages = done.said.replace(str(source), plan.original.name)[:MOST_OUTPUT]
        detail = done.complaint.replace(str(source), plan.original.name)
        raise Refused("build-failed", detail or f"exit code {done.exit_code}", messages=messages)
    return output


def build_repeatably(plan: BuildPlan, text: bytes, place: Path) -> Path:
    """Builds twice and compares the code objects: what is measured must be what was built."""
    output = build_variant(plan, text, place)
    first = read_built(output).digest
    output.unlink()
    second = read_built(build_variant(plan, text, place)).digest
    if first != second:
        raise Refused("build-not-repeatable", f"{first[:12]} and {second[:12]}")
    return output


def _step(plan: BuildPlan, words: Sequence[str], source: Path, output: Path) -> list[str]:
    """Filled; a compiler looks for quoted includes beside the original first, as it did."""
    beside = ["-iquote", str(plan.original.resolve().parent)] if _compiles(words) else []
    found: list[str] = []
    for word in words:
        found += [*(beside if word == SOURCE else []), fill(word, str(source), str(output))]
    return found


def _compiles(words: Sequence[str]) -> bool:
    """Not make, or a script: nobody knows how to tell these."""
    return SOURCE in words and any(_COMPILER.fullmatch(Path(word).name) for word in words)


def _environment(plan: BuildPlan, command: BuildCommand) -> Mapping[str, str]:
    given = os.environ if plan.environment is None else plan.environment
    if any(map(_compiles, command.steps)):
        return given
    # Compilers that scripts call look here, too.
    beside = str(plan.original.resolve().parent)
    return {**given, "CPATH": os.pathsep.join(filter(None, [beside, given.get("CPATH")]))}
