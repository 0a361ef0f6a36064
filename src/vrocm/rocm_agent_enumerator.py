"""rocm_agent_enumerator: the target of each GPU, one per line, as build scripts expect it."""

from __future__ import annotations

import os
import sys

USAGE = "usage: rocm_agent_enumerator [-h] [-name] [-t {ALL,GPU,CPU}]"
# The CPU has no ISA in this list; ROCm calls it gfx000.
CPU_TARGET = "gfx000"
GPU_TARGET = "gfx942"


def device_count() -> int:
    """How many virtual GPUs the runtime shows; it reads the same variable."""
    value = os.environ.get("VROCM_DEVICES", "1")
    return int(value) if value.isdigit() and int(value) > 0 else 1


def targets(kind: str) -> list[str]:
    """The targets of the agents of a kind: ALL, GPU or CPU."""
    cpus = [CPU_TARGET] if kind in ("ALL", "CPU") else []
    gpus = [GPU_TARGET] * device_count() if kind in ("ALL", "GPU") else []
    return cpus + gpus


def main(argv: list[str]) -> int:
    kind = "GPU"
    arguments = iter(argv)
    for argument in arguments:
        if argument in ("-h", "--help"):
            print(USAGE)
            return 0
        if argument == "-t":
            kind = next(arguments, "").upper()
            if kind not in ("ALL", "GPU", "CPU"):
                print(f"{USAGE}\nrocm_agent_enumerator: error: -t takes ALL, GPU or CPU", file=sys.stderr)
                return 2
        elif argument not in ("-name", "-v", "--verbose"):
            print(f"{USAGE}\nrocm_agent_enumerator: error: unknown argument {argument}", file=sys.stderr)
            return 2
    for target in targets(kind):
        print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
