"""Which test covers which scalar instruction; together they must be the whole table."""

from __future__ import annotations

import scalar_reference as ref

# Do nothing that a program could see, apart from taking time.
HARMLESS = {
    "s_nop", "s_wakeup", "s_waitcnt", "s_setprio", "s_sendmsg", "s_icache_inv", "s_incperflevel",
    "s_decperflevel", "s_ttracedata", "s_sleep", "s_barrier", "s_cbranch_cdbgsys", "s_cbranch_cdbguser",
    "s_cbranch_cdbgsys_or_user", "s_cbranch_cdbgsys_and_user",
}  # fmt: skip
TESTED_HERE = {
    "s_branch", "s_cbranch_scc0", "s_cbranch_scc1", "s_cbranch_vccz", "s_cbranch_vccnz", "s_cbranch_execz",
    "s_cbranch_execnz", "s_getpc_b64", "s_setpc_b64", "s_swappc_b64", "s_call_b64", "s_trap", "s_sethalt",
    "s_sendmsghalt", "s_setkill", "s_endpgm", "s_endpgm_saved", "s_endpgm_ordered_ps_done", "s_getreg_b32",
    "s_setreg_b32", "s_setreg_imm32_b32", "s_movrels_b32", "s_movrels_b64", "s_movreld_b32", "s_movreld_b64",
    "s_set_gpr_idx_on", "s_set_gpr_idx_off", "s_set_gpr_idx_mode", "s_set_gpr_idx_idx",
    "s_cbranch_g_fork", "s_cbranch_i_fork", "s_cbranch_join",
}  # fmt: skip
# What belongs to trap handlers, and skipping vector instructions by a mode: no compiler emits it.
UNSUPPORTED_NAMES = {"s_rfe_b64", "s_rfe_restore_b64", "s_setvskip"}


def covered_by_alu_tests() -> set[str]:
    groups = [ref.TWO_SOURCES, ref.COMPARE, ref.ONE_SOURCE, ref.BIT_SET, ref.SAVE_EXEC, ref.WRITE_EXEC]
    names = {name for group in groups for name in group} | set(ref.COMPARE_IMMEDIATE)
    return names | {"s_movk_i32", "s_cmovk_i32", "s_addk_i32", "s_mulk_i32", "s_cmov_b32", "s_cmov_b64"}
