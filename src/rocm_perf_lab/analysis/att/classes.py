"""The hardware class of an instruction, from its text."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, get_args

from rocm_perf_lab.contracts.profiling.att import InstructionClass
from rocm_perf_lab.thread_trace.rows import Category

# First match counts. Mnemonics of gfx9 to gfx12 (AMD's ISA documents; spelled as LLVM spells them).
TABLE: tuple[tuple[str, InstructionClass], ...] = (
    (r"v_(mfma|smfmac|wmma|swmmac)", "MFMA"),
    (r"v_", "VALU"),
    (r"(t?buffer|image)_", "VMEM"),
    (r"(global|flat|scratch)_", "FLAT"),
    (r"(ds|lds)_", "LDS"),
    (r"s_barrier", "barrier"),
    (r"s_wait|s_(nop|sleep|sleep_var|delay_alu)\b", "wait"),
    (r"s_(c?branch|setpc|swappc|call|rfe|subvector_loop)", "branch"),
    (r"s_(endpgm|sendmsg|trap)", "message"),
    (
        r"s_(buffer_|scratch_)?(load|store|atomic|prefetch)|s_mem(real)?time|s_dcache|s_gl1_inv|s_atc_probe"
        r"|s_get_waveid",
        "SMEM",
    ),
    (
        r"s_(setprio|sethalt|setkill|icache_inv|incperflevel|decperflevel|ttracedata|set_gpr_idx_(off|mode)"
        r"|wakeup|clause|inst_prefetch|set_inst_prefetch_distance|code_end|version|denorm_mode|round_mode)",
        "other",
    ),
    (r"s_", "SALU"),
    (r"exp\b|export", "other"),
)
_COMPILED = tuple((re.compile(pattern), name) for pattern, name in TABLE)

# What hardware may call the instructions of a class. Version 3 traces have no category for matrix
# instructions, barriers and waits.
CATEGORIES: dict[InstructionClass, frozenset[Category]] = {
    "VALU": frozenset({Category.VALU}),
    "MFMA": frozenset({Category.VALU}),
    "SALU": frozenset({Category.SALU}),
    "SMEM": frozenset({Category.SMEM}),
    "VMEM": frozenset({Category.VMEM, Category.BVH}),
    "FLAT": frozenset({Category.FLAT, Category.VMEM}),
    "LDS": frozenset({Category.LDS}),
    "branch": frozenset({Category.JUMP, Category.NEXT, Category.SALU}),
    "wait": frozenset({Category.IMMED}),
    "barrier": frozenset({Category.IMMED, Category.SALU}),
    "message": frozenset({Category.MESSAGE, Category.IMMED}),
    "other": frozenset(Category),
}


@cache
def class_of(text: str) -> InstructionClass:
    for pattern, name in _COMPILED:
        if pattern.match(text):
            return name
    return "other"


def is_exec_branch(text: str) -> bool:
    """Branches over code that no lane wants."""
    return text.startswith(("s_cbranch_execz", "s_cbranch_execnz"))


# How hardware keeps count of operations that are under way: local ones (LDS, scalar memory, messages) apart
# from vector memory; flat ones, which may go to either, count as both.
Counting = Literal["local", "vector", "flat"]
_COUNTERS = re.compile(
    r"vmcnt|lgkmcnt|expcnt|vscnt|loadcnt|storecnt|samplecnt|bvhcnt|dscnt|kmcnt|xcnt|asynccnt"
)


@cache
def counting_of(text: str) -> Counting:
    if text.startswith("flat_"):
        return "flat"
    return "local" if class_of(text) in ("LDS", "SMEM", "message") else "vector"


@cache
def counters_waited_for(text: str) -> int:
    """How many counters a wait names; one that names none waits for all of them."""
    return len(_COUNTERS.findall(text)) or len(get_args(Counting))
