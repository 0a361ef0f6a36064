"""``replay build``: runs the program's own build on edited source and replays the kernel that comes of it.

The build runs in a scratch folder that has links to what is in the working folder, so that relative paths in
its options still lead where they led, and what it writes is nobody else's.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rocm_perf_lab.builds.command import fill
from rocm_perf_lab.builds.run_build import BuildLimits, run_build
from rocm_perf_lab.builds.scratch import climbs, look_alike
from rocm_perf_lab.capturing.folder import open_capture
from rocm_perf_lab.contracts.captures.validation import BuildDocument, ValidationDocument
from rocm_perf_lab.draft import draft_of
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, Interrupted, TimedOut, UsageProblem
from rocm_perf_lab.profiling.passes.failures import how_it_ended
from rocm_perf_lab.profiling.processes.command_line import parse_command
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.replaying.native_tool.tool import Tool
from rocm_perf_lab.replaying.proof.capture_proof import refuse_incomplete
from rocm_perf_lab.replaying.validate import ValidationRequest, validate
from rocm_perf_lab.replaying.variants.code_object import VariantCode, take_out

SECONDS = 900.0
_MOST_SAID = 2000
_MADE = "variant"


@dataclass(frozen=True)
class VariantSource:
    path: Path
    command: str
    """With {source} and {output}."""


def build(
    path: Path,
    source: VariantSource,
    out: Path | None,
    request: ValidationRequest | None,
    tool: Tool,
    progress: Progress,
) -> BuildDocument:
    """``request`` None: the variant is built and not replayed."""
    capture = open_capture(path)
    refuse_incomplete(capture)
    words = command_words(source)
    target = (out or Path(f"{source.path.stem}.hsaco")).absolute()
    with tempfile.TemporaryDirectory(prefix="rocm-perf-build-") as scratch:
        progress.plan(1)
        progress.begin("building")
        made = _build(words, source, Path(scratch), tool, progress)
        kernel = capture.dispatch.kernel
        code = take_out(made, kernel.name, capture.dispatch.agent.isa, capture.code_object())
        _write(target, code)
        name = made.name
    validation: ValidationDocument | None = None
    missing = {}
    if request is None:
        missing["validation"] = "--no-replay was given"
    else:
        validation = validate(path, replace(request, hsaco=target), tool, progress)
    return BuildDocument(
        origin="derived",
        missing=missing,
        capture=str(path),
        source=str(source.path),
        command=tuple(words),
        built=name,
        target=code.target,
        kernel=kernel.demangled,
        hsaco=str(out or target.name),
        identical=code.content == capture.code_object(),
        validation=validation,
    )


def command_words(source: VariantSource) -> list[str]:
    """The words of the build, with {source} and {output} still in them."""
    if not source.path.is_file():
        raise UsageProblem(f"there is no source {source.path}", "name the edited source file with --source")
    if "{source}" not in source.command:
        raise UsageProblem(
            "--build does not say where the source goes", 'for example "hipcc -O3 {source} -o {output}"'
        )
    return list(parse_command([source.command]))


def _build(
    words: Sequence[str], source: VariantSource, scratch: Path, tool: Tool, progress: Progress
) -> Path:
    place = look_alike(Path(), scratch / "build", climbs(words), leave_out=[_MADE])
    before = {entry.name for entry in place.iterdir()}
    output = place / _MADE
    filled = [fill(word, str(source.path.absolute()), str(output)) for word in words]
    done = run_build(
        [filled],
        folder=place,
        environment={**tool.environment, **_include_path(source.path, tool.environment)},
        limits=BuildLimits(seconds=SECONDS),
        writable=[scratch],
        tick=progress.ticker,
    )
    if done.interrupted:
        raise Interrupted("interrupted while building")
    if done.timed_out:
        raise TimedOut(f"the build was stopped after {SECONDS:.0f} s")
    if not done.succeeded:
        said = done.said[:_MOST_SAID]
        raise BadInput(
            f"the build {how_it_ended(done.exit_code)}: {shlex.join(filled)}" + (f"\n{said}" if said else ""),
            "run the build by itself first",
        )
    return _what_was_made(place, output, before)


def _include_path(source: Path, environment: dict[str, str]) -> dict[str, str]:
    """Headers beside the edited source and in the working folder are found whatever the build says."""
    folders = [str(source.absolute().parent), str(Path().absolute())]
    return {"CPATH": os.pathsep.join([*folders, *filter(None, [environment.get("CPATH")])])}


def _what_was_made(place: Path, output: Path, before: set[str]) -> Path:
    if output.is_file():
        return output
    made = [entry for entry in place.iterdir() if entry.name not in before and entry.is_file()]
    if len(made) == 1:
        return made[0]
    if not made:
        raise BadInput("the build made no file", "say with {output} where it should go")
    names = ", ".join(sorted(entry.name for entry in made)[:8])
    raise BadInput(f"the build made several files: {names}", "say with {output} which one is meant")


def _write(target: Path, code: VariantCode) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with draft_of(target) as draft:
            draft.write_bytes(code.content)
    except OSError as error:
        raise EnvironmentProblem(
            f"{target} cannot be written: {error.strerror}", "name another file with --out"
        ) from error
