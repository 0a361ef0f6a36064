"""What may not be in a loop that is unrolled: barriers, atomics, dynamic shared memory, unseen code."""

from __future__ import annotations

from rocm_perf_lab.contracts.changes.proposal_refusal import ReasonCode
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.device_names import HazardKind
from rocm_perf_lab.optimizing.source.hazards import hazards
from rocm_perf_lab.optimizing.source.model import SourceKernel, SourceLoop

_CODES: dict[HazardKind, ReasonCode] = {
    "barrier": "barrier-in-loop",
    "atomic": "atomic-in-loop",
    "dynamic_shared": "dynamic-shared-in-loop",
    "volatile": "volatile-in-loop",
    "assembly": "assembly-in-loop",
    "unseen": "unseen-call",
}


def check_loop(kernel: SourceKernel, loop: SourceLoop, *, rewritten: bool) -> None:
    """Raises Refused where the loop may not be unrolled.

    ``rewritten``: copies of the body are strung together in the source, with a loop for the rest after them.
    Lanes that run different numbers of iterations are then at different places in one iteration, so that
    operations across the wave would miss some of them. The compiler, told by a pragma, does not do that.
    """
    for hazard in hazards(kernel.unit, kernel.function, loop.span):
        if hazard.kind == "wave":
            if rewritten and loop.trips is None:
                raise Refused("wave-divergent", str(hazard), f"{kernel.file.path}:{loop.line}")
            continue
        raise Refused(_CODES[hazard.kind], str(hazard), f"{kernel.file.path}:{loop.line}")
