"""What code objects say of the kernels in a trace: spilled registers, wave size, mode of compilation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from rocm_perf_lab.codeobj.kernels import kernel_named, kernels_in_file
from rocm_perf_lab.codeobj.metadata import KernelMetadata
from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.rows import Trace

# The metadata of a kernel, or why there is none.
KernelCode = Callable[[str], "KernelMetadata | str"]

NOT_LOOKED_AT = "code objects were not looked at"


def kernel_code(traces: Iterable[Trace], programs: Sequence[Path] = ()) -> KernelCode:
    """Looks kernels up in the code objects that the traces name, then in the programs themselves.

    A code object that a runtime loaded from memory is gone with its process; usually the program has it.
    """
    places: dict[str | Path, None] = {}
    architectures = set()
    for trace in traces:
        places.update(dict.fromkeys(trace.code_objects))
        architectures |= {agent.name for agent in trace.agents}
    places.update(dict.fromkeys(programs))
    # A program may carry code for several architectures; of the GPUs of one machine all are usually alike.
    architecture = architectures.pop() if len(architectures) == 1 else None
    found: dict[str, KernelMetadata] = {}
    problems: list[str] = []
    waiting = list(places)

    def open_next() -> None:
        try:
            found.update({**kernels_in_file(waiting.pop(0), architecture), **found})
        except BadInput as error:
            problems.append(error.cause)

    def look_up(name: str) -> KernelMetadata | str:
        while (kernel := kernel_named(found, name)) is None and waiting:
            open_next()
        if kernel is not None:
            return kernel
        return "its code object was not found" + (f" ({problems[-1]})" if problems else "")

    return look_up
