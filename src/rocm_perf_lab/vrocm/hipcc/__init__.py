"""hipcc: compiles HIP programs for the virtual GPU.

The compiler is clang from the ziglang wheel, the host linker is the system's g++; this package is the driver
between them. `python -m rocm_perf_lab.vrocm.hipcc` takes what hipcc takes.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from . import arguments, toolchain
from .errors import HipccError, StepError
from .invocation import Invocation

__all__ = ["main"]


def main(argv: list[str]) -> int:
    """Run hipcc with the given arguments; returns the exit code."""
    try:
        return _run(argv)
    except HipccError as problem:
        print(f"hipcc: error: {problem}", file=sys.stderr)
        return problem.exit_code
    except StepError as failure:
        return failure.exit_code
    except KeyboardInterrupt:
        return 130


def _run(argv: list[str]) -> int:
    appended = shlex.split(os.environ.get("HIPCC_COMPILE_FLAGS_APPEND", ""))
    appended += shlex.split(os.environ.get("HIPCC_LINK_FLAGS_APPEND", ""))
    invocation = arguments.parse([*argv, *appended])
    if os.environ.get("HIPCC_VERBOSE", "0") not in ("", "0"):
        invocation.verbose = True
    tools = toolchain.find()
    if invocation.show_version or invocation.query:
        return _answer(invocation, tools)
    if invocation.verbose and not invocation.link_items:
        return _answer(invocation, tools)
    _build(invocation, tools)
    return 0


def _build(invocation: Invocation, tools: toolchain.Toolchain) -> None:
    import tempfile

    from .commands import Commands
    from .pipeline import Pipeline
    from .processes import Processes

    with tempfile.TemporaryDirectory(prefix="hipcc-") as scratch:
        processes = Processes(invocation.verbose, invocation.dry_run)
        commands = Commands(tools, invocation, coloured=sys.stderr.isatty())
        Pipeline(invocation, commands, processes, Path(scratch)).run()


def _answer(invocation: Invocation, tools: toolchain.Toolchain) -> int:
    if invocation.show_version:
        from rocm_perf_lab.vrocm.hipconfig import hip_version

        print(f"HIP version: {hip_version()}", flush=True)
    questions = invocation.query or (["--version"] if invocation.show_version else ["-v"])
    return subprocess.call([*tools.clang, f"--target={toolchain.HOST_TARGET}", *questions])
