"""The hand-written kernels of the dispatch tests (gfx942), one assembly file for all of them.

s[0:1] points at the arguments, s2, s3, s4 are the workgroup ids, v0 is x | y << 10 | z << 20.
"""

from __future__ import annotations

from simulator import kernel_text

# v1 = flat work-item of a one-dimensional group, v2 = its byte offset in the grid of groups of 64 * s10 items
GLOBAL_ID = """
  v_and_b32 v1, 0x3ff, v0
  v_mov_b32 v3, s2
  v_mul_lo_u32 v3, v3, s10
  v_add_u32 v1, v1, v3
  v_lshlrev_b32 v2, 2, v1
"""

# out[grid position] = packed work-item id | workgroup ids in the next three words; count[grid position] += 1
WHO_AM_I = """
  s_load_dwordx4 s[8:11], s[0:1], 0x0        // out, sizes: group x | y << 16, group z
  s_load_dwordx2 s[12:13], s[0:1], 0x10      // grid x, grid y
  s_waitcnt lgkmcnt(0)
  v_and_b32 v1, 0x3ff, v0
  v_bfe_u32 v2, v0, 10, 10
  v_bfe_u32 v3, v0, 20, 10
  s_and_b32 s14, s10, 0xffff                 // group x
  s_lshr_b32 s15, s10, 16                    // group y
  s_mul_i32 s16, s2, s14
  s_mul_i32 s17, s3, s15
  s_mul_i32 s18, s4, s11
  v_add_u32 v1, s16, v1
  v_add_u32 v2, s17, v2
  v_add_u32 v3, s18, v3
  v_mul_lo_u32 v3, v3, s13
  v_add_u32 v2, v2, v3
  v_mul_lo_u32 v2, v2, s12
  v_add_u32 v1, v1, v2
  v_lshlrev_b32 v1, 4, v1
  v_mov_b32 v4, v0
  v_mov_b32 v5, s2
  v_mov_b32 v6, s3
  v_mov_b32 v7, s4
  global_load_dword v8, v1, s[8:9]
  s_waitcnt vmcnt(0)
  v_cmp_ne_u32 vcc, 0, v8
  s_cbranch_vccnz who_twice
  global_store_dwordx4 v1, v[4:7], s[8:9]
  s_endpgm
who_twice:
  s_trap 2
  s_endpgm
"""

# Four waves write LDS, wait, and read it back reversed. Wave 3 ends before the second barrier.
BARRIER = """
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  v_add_u32 v2, 1000, v0
  ds_write_b32 v1, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_sub_u32 v3, 255, v0
  v_lshlrev_b32 v3, 2, v3
  ds_read_b32 v4, v3
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v4, s[8:9]
  v_readfirstlane_b32 s10, v0
  s_cmp_eq_u32 s10, 192
  s_cbranch_scc1 barrier_end
  s_barrier
  global_store_dword v1, v4, s[8:9] offset:1024
barrier_end:
  s_endpgm
"""

# Wave 0 spins on a word of LDS that wave 3 sets. Nothing here tells the scheduler that it waits.
SPIN_IN_GROUP = """
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  v_readfirstlane_b32 s10, v0
  v_mov_b32 v1, 0
  v_mov_b32 v2, 1
  s_cmp_eq_u32 s10, 192
  s_cbranch_scc1 spin_set
  s_cmp_eq_u32 s10, 0
  s_cbranch_scc0 spin_end
spin_again:
  ds_read_b32 v3, v1
  s_waitcnt lgkmcnt(0)
  v_readfirstlane_b32 s11, v3
  s_cmp_eq_u32 s11, 1
  s_cbranch_scc0 spin_again
  v_mov_b32 v4, 7
  global_store_dword v1, v4, s[8:9]
  s_endpgm
spin_set:
  ds_write_b32 v1, v2
spin_end:
  s_endpgm
"""

# Group g waits for flag[g + 1], the last one does not wait: every group needs all later ones to start.
WAIT_FOR_NEXT = """
  s_load_dwordx4 s[8:11], s[0:1], 0x0        // flags, groups
  s_waitcnt lgkmcnt(0)
  s_add_u32 s12, s2, 1
  s_cmp_eq_u32 s12, s10
  s_cbranch_scc1 next_done
  v_mov_b32 v1, s12
  v_lshlrev_b32 v1, 2, v1
next_again:
  global_load_dword v2, v1, s[8:9] sc1
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s13, v2
  s_cmp_eq_u32 s13, 0
  s_cbranch_scc1 next_again
next_done:
  v_mov_b32 v1, s2
  v_lshlrev_b32 v1, 2, v1
  v_mov_b32 v2, 1
  global_store_dword v1, v2, s[8:9] sc1
  s_endpgm
"""

# A barrier of the whole grid, three times: arrive with an atomic, wait for the others as SLEEP says.
GRID_BARRIER = """
  s_load_dwordx4 s[8:11], s[0:1], 0x0        // counter, groups
  s_mov_b32 s12, 0
  v_mov_b32 v1, 0
  s_mov_b64 exec, 1
  s_waitcnt lgkmcnt(0)
grid_round_NAME:
  s_add_u32 s12, s12, s10
  v_mov_b32 v2, 1
  global_atomic_add v3, v1, v2, s[8:9] sc0
  s_waitcnt vmcnt(0)
grid_again_NAME:
  SLEEP
  global_load_dword v4, v1, s[8:9] sc1
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s13, v4
  s_cmp_lt_u32 s13, s12
  s_cbranch_scc1 grid_again_NAME
  s_mul_i32 s14, s10, 3
  s_cmp_lt_u32 s12, s14
  s_cbranch_scc1 grid_round_NAME
  s_endpgm
"""

# out[old value of the counter] = workgroup: depends on the order of workgroups.
TICKET = """
  s_load_dwordx4 s[8:11], s[0:1], 0x0        // counter, out
  v_mov_b32 v1, 0
  v_mov_b32 v2, 1
  v_cmp_eq_u32 vcc, 0, v0
  s_and_b64 exec, exec, vcc
  s_waitcnt lgkmcnt(0)
  s_cbranch_execz ticket_end
  global_atomic_add v3, v1, v2, s[8:9] sc0
  s_waitcnt vmcnt(0)
  v_lshlrev_b32 v3, 2, v3
  v_mov_b32 v4, s2
  global_store_dword v3, v4, s[10:11]
ticket_end:
  s_endpgm
"""

# sum += float(1 / (item + 1)): the rounding depends on the order.
FLOAT_SUM = (
    """
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  s_movk_i32 s10, 256
"""
    + GLOBAL_ID
    + """
  v_add_u32 v1, 1, v1
  v_cvt_f32_u32 v1, v1
  v_rcp_f32 v1, v1
  v_mov_b32 v2, 0
  s_waitcnt lgkmcnt(0)
  global_atomic_add_f32 v2, v1, s[8:9]
  s_endpgm
"""
)

# out[i] = sum of i * k over k < n, in a loop: plain work without communication.
WORK = (
    """
  s_load_dwordx4 s[12:15], s[0:1], 0x0       // out, n
  s_movk_i32 s10, 256
"""
    + GLOBAL_ID
    + """
  v_mov_b32 v4, 0
  s_mov_b32 s11, 0
  s_waitcnt lgkmcnt(0)
work_loop:
  v_mul_lo_u32 v5, v1, s11
  v_add_u32 v4, v4, v5
  s_add_u32 s11, s11, 1
  s_cmp_lt_u32 s11, s14
  s_cbranch_scc1 work_loop
  global_store_dword v2, v4, s[12:13]
  s_endpgm
"""
)

FOREVER = """
forever_loop:
  s_nop 0
  s_branch forever_loop
"""

# Item 37 of group 5 stores behind the end of the buffer.
STORE_PAST_END = (
    """
  s_load_dwordx4 s[12:15], s[0:1], 0x0       // out, bytes
  s_movk_i32 s10, 64
"""
    + GLOBAL_ID
    + """
  s_cmp_lt_u32 s2, 5
  s_cbranch_scc1 past_store
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v3, s14
  v_add_u32 v3, 12, v3
  v_cmp_eq_u32 vcc, 37, v0
  v_cndmask_b32 v2, v2, v3, vcc
past_store:
  s_waitcnt lgkmcnt(0)
  global_store_dword v2, v1, s[12:13]
  s_endpgm
"""
)

LOAD_NULL = """
  v_mov_b32 v2, 16
  v_mov_b32 v3, 0
  global_load_dword v4, v[2:3], off
  s_waitcnt vmcnt(0)
  s_endpgm
"""

LOAD_BEFORE = """
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  v_mov_b32 v1, 0
  s_waitcnt lgkmcnt(0)
  global_load_dword v3, v1, s[8:9] offset:-8
  s_endpgm
"""

ILLEGAL = """
  s_nop 0
  .long 0xbfff0000
  s_endpgm
"""
RUNS_OFF = """
  s_branch 32767
"""
JUMP_AWAY = """
  s_mov_b64 s[8:9], 0x1234
  s_setpc_b64 s[8:9]
"""
ASSERTION = """
  v_cmp_lt_u32 vcc, 27, v0
  s_and_b64 exec, exec, vcc
  s_trap 2
  s_endpgm
"""

# Calls a function through registers and through the direct form, then jumps into the middle of decoded code.
CALLS = """
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  v_mov_b32 v1, 1
  v_lshlrev_b32 v2, 2, v0
  s_getpc_b64 s[10:11]
  s_add_u32 s10, s10, calls_double@rel32@lo+4
  s_addc_u32 s11, s11, calls_double@rel32@hi+12
  s_swappc_b64 s[30:31], s[10:11]            // 2
  s_call_b64 s[30:31], calls_double          // 4
  s_branch calls_middle
  v_mov_b32 v1, 99
calls_middle:
  v_add_u32 v1, v1, v0                       // 4 + item
  s_waitcnt lgkmcnt(0)
  global_store_dword v2, v1, s[8:9]
  s_endpgm
calls_double:
  v_add_u32 v1, v1, v1
  s_setpc_b64 s[30:31]
"""

# Stores the item number into scratch at a per-lane offset and reads it back.
SCRATCH = """
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  v_lshlrev_b32 v2, 2, v0
  scratch_load_dword v3, off, off offset:8
  s_waitcnt vmcnt(0)
  v_add_u32 v3, v3, v0
  scratch_store_dword off, v3, off offset:8
  s_waitcnt vmcnt(0)
  scratch_load_dword v4, off, off offset:8
  s_waitcnt vmcnt(0) lgkmcnt(0)
  global_store_dword v2, v4, s[8:9]
  s_endpgm
"""

# Stores what v0, v1, an unset SGPR and LDS hold at the start: registers and LDS are zero.
FRESH = """
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  v_mov_b32 v20, 0
  ds_read_b32 v3, v20 offset:64
  v_mov_b32 v4, s40
  v_accvgpr_read_b32 v5, a1
  s_waitcnt lgkmcnt(0)
  v_or_b32 v3, v3, v4
  v_or_b32 v3, v3, v5
  v_or_b32 v3, v3, v10
  s_mov_b32 s40, -1
  v_mov_b32 v10, -1
  v_accvgpr_write_b32 a1, v10
  ds_write_b32 v20, v10 offset:64
  v_mov_b32 v1, s2
  v_lshlrev_b32 v1, 2, v1
  global_store_dword v1, v3, s[8:9]
  s_endpgm
"""

# Preloaded arguments are in s2.. (s[0:1] is the pointer); the code before offset 256 is for other firmware.
PRELOAD = """
  s_trap 3
  .p2align 8
  v_mov_b32 v1, 0
  v_mov_b32 v2, s4
  s_nop 0
  global_store_dword v1, v2, s[2:3]
  s_endpgm
"""

MODE = """
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  s_getreg_b32 s10, hwreg(HW_REG_MODE)
  v_mov_b32 v1, 0
  v_mov_b32 v2, s10
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[8:9]
  s_endpgm
"""

KERNELS: dict[str, tuple[str, dict[str, int]]] = {
    "who_am_i": (WHO_AM_I, {}),
    "barrier": (BARRIER, {"group_segment_fixed_size": 1024}),
    "spin_in_group": (SPIN_IN_GROUP, {"group_segment_fixed_size": 16}),
    "wait_for_next": (WAIT_FOR_NEXT, {}),
    "grid_barrier": (GRID_BARRIER.replace("SLEEP", "").replace("NAME", "busy"), {}),
    "grid_barrier_sleep": (GRID_BARRIER.replace("SLEEP", "s_sleep 1").replace("NAME", "sleep"), {}),
    "ticket": (TICKET, {}),
    "float_sum": (FLOAT_SUM, {}),
    "work": (WORK, {}),
    "forever": (FOREVER, {}),
    "store_past_end": (STORE_PAST_END, {}),
    "load_null": (LOAD_NULL, {}),
    "load_before": (LOAD_BEFORE, {}),
    "illegal": (ILLEGAL, {}),
    "runs_off": (RUNS_OFF, {}),
    "jump_away": (JUMP_AWAY, {}),
    "assertion": (ASSERTION, {}),
    "calls": (CALLS, {}),
    "scratch": (SCRATCH, {"private_segment_fixed_size": 32, "enable_private_segment": 1}),
    "fresh": (FRESH, {"group_segment_fixed_size": 128, "next_free_vgpr": 40}),
    "preload": (
        PRELOAD,
        {"user_sgpr_count": 5, "user_sgpr_kernarg_preload_length": 3, "user_sgpr_kernarg_preload_offset": 0},
    ),
    "mode": (MODE, {"float_round_mode_32": 1, "float_denorm_mode_32": 2, "dx10_clamp": 1, "ieee_mode": 0}),
}


def assembly() -> str:
    return "\n".join(kernel_text(name, body, extra) for name, (body, extra) in KERNELS.items())
