"""hipcc: compiles HIP programs for the virtual GPU.

The compiler is clang from the ziglang wheel, the host linker is the system's g++; this package is the driver
between them. `python -m vrocm.hipcc` takes what hipcc takes.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

from ..end_requests import end_as_by_ctrl_c
from . import arguments, toolchain
from .errors import HipccError, StepError
from .invocation import Invocation

__all__ = ["main"]


# First argument by which a launcher says that it was called as clang (clang++, amdclang++, …).
AS_CLANG = "--called-as-clang"


def main(argv: list[str]) -> int:
    """Run hipcc with the given arguments; returns the exit code."""
    as_clang = argv[:1] == [AS_CLANG]
    end_as_by_ctrl_c()
    try:
        return _run(argv[1:] if as_clang else argv, as_clang)
    except HipccError as problem:
        print(f"{'clang++' if as_clang else 'hipcc'}: error: {problem}", file=sys.stderr)
        return problem.exit_code
    except StepError as failure:
        return failure.exit_code
    except KeyboardInterrupt:
        return 130


def _run(argv: list[str], as_clang: bool) -> int:
    appended = []
    if not as_clang:
        appended += shlex.split(os.environ.get("HIPCC_COMPILE_FLAGS_APPEND", ""))
        appended += shlex.split(os.environ.get("HIPCC_LINK_FLAGS_APPEND", ""))
    began_ns = time.time_ns()
    invocation = arguments.parse([*argv, *appended], as_clang)
    if os.environ.get("HIPCC_VERBOSE", "0") not in ("", "0"):
        invocation.verbose = True
    tools = toolchain.find()
    if invocation.show_version or invocation.query:
        return _answer(invocation, tools, as_clang)
    if invocation.verbose and not invocation.link_items:
        return _answer(invocation, tools, as_clang)
    _build(invocation, tools, began_ns)
    return 0


def _build(invocation: Invocation, tools: toolchain.Toolchain, began_ns: int) -> None:
    from .cached import known

    earlier = known(invocation, tools, began_ns)
    if earlier is not None and earlier.take():
        return
    # What is not needed where the result is known is imported here.
    import tempfile

    from .commands import DependencyFiles, StepCommands
    from .pipeline import Pipeline
    from .precompiled import PrecompiledHeaders
    from .processes import Processes

    with tempfile.TemporaryDirectory(prefix="hipcc-") as scratch:
        processes = Processes(invocation.verbose, invocation.dry_run)
        files = DependencyFiles(scratch) if earlier is not None else None
        commands = StepCommands(tools, invocation, coloured=sys.stderr.isatty(), dependency_files=files)
        if earlier is not None:
            commands.precompiled = PrecompiledHeaders(earlier, tools, Path(scratch)).take_or_make()
        Pipeline(invocation, commands, processes, Path(scratch)).run()
        if earlier is not None and files is not None:
            earlier.keep(commands, files, Path(scratch), "".join(processes.said))


def _answer(invocation: Invocation, tools: toolchain.Toolchain, as_clang: bool) -> int:
    from ..hipconfig import hip_version

    if invocation.show_version and not as_clang:
        print(f"HIP version: {hip_version()}", flush=True)
    if invocation.verbose:
        # clang's words; CMake looks for them.
        root = toolchain.library_dir().parent
        print(f"Found HIP installation: {root}, version {hip_version().split('-')[0]}", file=sys.stderr)
    questions = invocation.query or (["--version"] if invocation.show_version else ["-v"])
    return subprocess.call([*tools.clang, f"--target={toolchain.HOST_TARGET}", *questions])
