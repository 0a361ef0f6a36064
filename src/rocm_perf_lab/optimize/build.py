"""Builds a variant with the user's command, in its own folder, within limits of time, memory and files.

The user's source is never written: a variant lies elsewhere, and quoted includes are still looked for beside
the original.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shlex
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem
from rocm_perf_lab.optimize.built import read_built
from rocm_perf_lab.optimize.refused import Refused

DEFAULT_COMMAND = "hipcc -O3 {source} -o {output}"
MOST_OUTPUT = 16_000  # characters of the compiler's messages that are kept


@dataclass(frozen=True)
class BuildLimits:
    seconds: float = 300.0
    memory_bytes: int = 16 << 30
    """Of address space, for each process of the build."""
    file_bytes: int = 2 << 30
    """Of each file that it writes."""


@dataclass(frozen=True)
class BuildPlan:
    command: str
    """With {source} and {output}; run without a shell, in ``folder``."""
    original: Path
    folder: Path
    environment: Mapping[str, str] | None = None
    limits: BuildLimits = field(default_factory=BuildLimits)


def build_variant(plan: BuildPlan, text: bytes, place: Path, name: str = "variant") -> Path:
    """The program made from ``text``, below ``place``. Raises Refused where it does not compile."""
    place.mkdir(parents=True, exist_ok=True)
    source = place / f"{name}{plan.original.suffix}"
    output = place / name
    source.write_bytes(text)
    command = _command(plan, source, output)
    process = _start(plan, command)
    try:
        said, _ = process.communicate(timeout=plan.limits.seconds)
    except subprocess.TimeoutExpired:
        _kill(process)
        raise Refused("build-timed-out", f"after {plan.limits.seconds:g} s") from None
    except BaseException:
        _kill(process)
        raise
    # Named as the user knows it: where variants lie is nobody's business.
    messages = said.decode(errors="replace").replace(str(source), plan.original.name)[-MOST_OUTPUT:]
    if process.returncode != 0 or not output.is_file():
        first = next((line for line in messages.splitlines() if "error" in line), "")
        detail = first or messages.strip().partition("\n")[0] or f"exit code {process.returncode}"
        raise Refused("build-failed", detail[:300], messages=messages)
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


def _command(plan: BuildPlan, source: Path, output: Path) -> list[str]:
    try:
        words = shlex.split(plan.command)
    except ValueError as error:
        raise UsageProblem(f"the build command cannot be read: {error}", DEFAULT_COMMAND) from None
    if not any("{source}" in word for word in words) or not any("{output}" in word for word in words):
        raise UsageProblem("the build command needs {source} and {output}", DEFAULT_COMMAND)
    filled = [word.replace("{source}", str(source)).replace("{output}", str(output)) for word in words]
    return [filled[0], "-iquote", str(plan.original.resolve().parent), *filled[1:]]


def _start(plan: BuildPlan, command: list[str]) -> subprocess.Popen[bytes]:
    limits = plan.limits

    def restrain() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
        resource.setrlimit(resource.RLIMIT_FSIZE, (limits.file_bytes, limits.file_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    try:
        return subprocess.Popen(
            command,
            cwd=plan.folder,
            env=dict(plan.environment) if plan.environment is not None else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that a build that hangs is killed with all it started
            preexec_fn=restrain,
        )
    except OSError as error:
        raise EnvironmentProblem(
            f"{command[0]} cannot be run: {error.strerror}", "name the compiler with --build"
        ) from error


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
