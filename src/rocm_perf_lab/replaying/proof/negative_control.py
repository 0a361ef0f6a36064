"""The negative control: a kernel that does nothing has to be found out, or a right result proves nothing."""

from __future__ import annotations

from rocm_perf_lab.contracts.captures.validation import NegativeControl
from rocm_perf_lab.replaying.memory.observed_differences import Allowed, first_wrong
from rocm_perf_lab.replaying.native_tool.document import agreement
from rocm_perf_lab.replaying.native_tool.trial import Poisoned, ReplayBench
from rocm_perf_lab.replaying.proof.noop_kernel import without_effect


def control(bench: ReplayBench, poisoned: Poisoned | None, allowed: Allowed) -> NegativeControl:
    bench.progress.plan(1)
    dispatch = bench.capture.dispatch
    file = bench.scratch / "does_nothing.hsaco"
    architecture = dispatch.agent.isa.rpartition("--")[2]
    file.write_bytes(without_effect(bench.capture.code_object(), dispatch.kernel.name, architecture))
    trial = bench.trial("a kernel that does nothing", hsaco=file, poisoned=poisoned)
    with trial.observe() as observed:
        wrong = first_wrong(bench.memory, bench.buffers, observed, allowed)
    changed = sum(region.changed_bytes for region in bench.capture.memory.regions)
    differing = sum(one.differing_bytes for one in agreement(trial.document))
    poisoned_bytes = poisoned.ranges.size if poisoned else 0
    if wrong is not None:
        reason = f"it leaves {wrong.name} wrong, and that is seen"
    elif differing:
        reason = "what the kernel changes is within the tolerances: a kernel that does nothing passes"
    else:
        reason = "the kernel changed nothing in the program, and no byte could be poisoned: anything passes"
    return NegativeControl(
        found_out=wrong is not None,
        changed_bytes=changed,
        poisoned_bytes=poisoned_bytes,
        differing_bytes=differing,
        reason=reason,
    )
