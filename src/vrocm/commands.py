"""What ``vrocm`` does (and ``rocm-perf vrocm``): the virtual ROCm for a shell, a build or one program."""

from __future__ import annotations

import shlex
import sys

from .errors import Problem, UsageProblem

USAGE = """usage: vrocm COMMAND ...
  env                 exports for a shell: eval "$(vrocm env)" && make
  path                the folder of the virtual ROCm: cmake -DCMAKE_PREFIX_PATH="$(vrocm path)" ..
  devices             the GPUs that VROCM_DEVICE can name, each with its architecture
  hipcc WORDS...      compile HIP sources; takes what hipcc takes
  run PROGRAM ...     run a program with the virtual ROCm
  --version           the versions of this package and of the ROCm that it follows
  --help, -h          this text"""


def exports() -> str:
    """Lines for a shell, by which builds and programs find the virtual ROCm."""
    from .layout import environment

    return "\n".join(f"export {name}={shlex.quote(value)}" for name, value in environment().items())


def hipcc(words: list[str]) -> int:
    """Compiles as hipcc does, in this process; returns its exit code."""
    from .hipcc import main

    return main(words)


def run(words: list[str]) -> int:
    """Runs a program in place of this one."""
    from .programs import run_instead

    run_instead(words)


def main(words: list[str]) -> int:
    """Runs vrocm with the given words; returns the exit code."""
    try:
        return _run(words)
    except Problem as problem:
        remedy = f"\n  try: {problem.remedy}" if problem.remedy else ""
        print(f"vrocm: error: {problem.cause}{remedy}", file=sys.stderr)
        return problem.exit_code
    except KeyboardInterrupt:
        return 130


def _run(words: list[str]) -> int:
    import vrocm

    match words:
        case ["env"]:
            print(exports())
        case ["path"]:
            print(vrocm.prefix())
        case ["devices"]:
            for device in vrocm.devices():
                print(device.name, device.architecture)
        case ["hipcc", *rest]:
            return hipcc(rest)
        case ["run", "--", program, *rest] | ["run", program, *rest]:
            return run([program, *rest])
        case ["--version"]:
            print(f"vrocm {vrocm.__version__} (ROCm {vrocm.ROCM_VERSION})")
        case ["--help" | "-h"]:
            print(USAGE)
        case _:
            asked = f"{shlex.join(words)!r} is no command of vrocm" if words else "no command is given"
            raise UsageProblem(asked, "vrocm --help")
    return 0
