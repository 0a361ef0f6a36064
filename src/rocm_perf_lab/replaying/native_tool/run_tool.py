"""Runs the native tool in a fresh process and turns what it says into a document or an error."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocm_perf_lab.errors import (
    BadInput,
    EnvironmentProblem,
    Interrupted,
    NotReplayable,
    ProgramFailed,
    RocmPerfError,
    TimedOut,
    UsageProblem,
)
from rocm_perf_lab.profiling.passes.failures import how_it_ended
from rocm_perf_lab.profiling.passes.run_rocprof import last_words
from rocm_perf_lab.profiling.processes.process_group import ProcessOutcome, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocm_perf_lab.replaying.native_tool.tool import Tool

# The tool itself ends a kernel that takes too long; restoring and reading may take as long again.
OUTER_SECONDS = 600.0
_KINDS: dict[int, type[RocmPerfError]] = {
    1: EnvironmentProblem,  # a call of the HSA runtime failed
    2: NotReplayable,  # relocated
    3: EnvironmentProblem,  # no runtime, no GPU
    4: ProgramFailed,  # the kernel faulted
    6: BadInput,
    7: TimedOut,
    9: NotReplayable,
    64: UsageProblem,
}
_REMEDY = "run it again; if it stays so, report it with what is on stderr"


@dataclass(frozen=True)
class ReplayRequest:
    """What is asked of one process."""

    capture: Path
    iterations: int = 1
    warmup: int = 0
    recopy: bool = True
    cold: bool = False
    timeout_s: float | None = None
    """Of one execution of the kernel."""
    hsaco: Path | None = None
    poison: Path | None = None
    observe: Path | None = None

    def options(self) -> list[str]:
        words = ["--iterations", str(self.iterations), "--warmup", str(self.warmup)]
        words += [] if self.recopy else ["--no-recopy"]
        words += ["--cold"] if self.cold else []
        words += ["--timeout", f"{self.timeout_s:g}"] if self.timeout_s is not None else []
        for name, path in (("--hsaco", self.hsaco), ("--poison", self.poison), ("--observe", self.observe)):
            words += [name, str(path)] if path is not None else []
        return words

    @property
    def outer_s(self) -> float | None:
        if self.timeout_s is None:
            return None
        return self.timeout_s * (self.iterations + self.warmup) + OUTER_SECONDS


def replay(
    tool: Tool,
    request: ReplayRequest,
    variables: Mapping[str, str] | None = None,
    tick: Callable[[], None] | None = None,
) -> dict[str, Any]:
    """The document of ``full-vm``; raises what goes with a replay that did not end well."""
    code, document, said = call(
        tool, tool.command("full-vm", request.capture, *request.options()), request.outer_s, variables, tick
    )
    if code != 0 or not document or "error" in document:
        raise error_of(code, document, said)
    return document


def call(
    tool: Tool,
    command: Sequence[str],
    timeout_s: float | None,
    variables: Mapping[str, str] | None = None,
    tick: Callable[[], None] | None = None,
) -> tuple[int, dict[str, Any], str]:
    """Exit code, document (empty where it gave none) and the last words on stderr."""
    with tempfile.TemporaryDirectory(prefix="rocm-perf-replay-") as folder:
        logs = (Path(folder) / "stdout", Path(folder) / "stderr")
        outcome = run(
            command,
            {**tool.environment, **(variables or {})},
            stdout=logs[0],
            stderr=logs[1],
            timeout_s=timeout_s,
            tick=tick,
        )
        _check(outcome)
        said = last_words(logs[1], 2)
        try:
            document = json.loads(logs[0].read_bytes())
        except ValueError:
            document = None
    return outcome.exit_code, document if isinstance(document, dict) else {}, said


def _check(outcome: ProcessOutcome) -> None:
    if outcome.interrupted:
        raise Interrupted("interrupted")
    if outcome.timed_out:
        raise TimedOut(
            f"the replay was stopped after {outcome.wall_s:.0f} s", "give it more time with --timeout"
        )


def error_of(code: int, document: Mapping[str, Any], said: str) -> RocmPerfError:
    """The error that the tool's own error object and exit code stand for."""
    told = document.get("error")
    if isinstance(told, dict) and isinstance(told.get("message"), str):
        kind = _KINDS.get(code, EnvironmentProblem)
        if code == 3 and told.get("kind") == "isa":
            kind = NotReplayable
        return kind(told["message"], told.get("remedy") or None)
    saying = f": {said}" if said else ""
    if code < 0:
        return EnvironmentProblem(f"the replay {how_it_ended(code)}{saying}", _REMEDY)
    if code == 0:
        return EnvironmentProblem(f"the replay said nothing that can be read{saying}", _REMEDY)
    return _KINDS.get(code, EnvironmentProblem)(f"the replay {how_it_ended(code)}{saying}", _REMEDY)
