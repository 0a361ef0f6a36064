"""Instructions of gfx9 to gfx12 and their classes."""

from __future__ import annotations

import pytest
from tests.table_rows import rows

from rocm_perf_lab.analysis.att.classes import class_of, counters_waited_for, counting_of

CLASSES = {
    "VALU": "v_add_f32_e32 v_pk_fma_f32 v_cmp_lt_i32_e64 v_readlane_b32 v_dual_fmac_f32 v_accvgpr_read_b32"
    " v_dot2_f32_f16 v_mad_u64_u32",
    "MFMA": "v_mfma_f32_32x32x8_f16 v_mfma_f64_16x16x4_f64 v_smfmac_f32_16x16x32_f16 v_wmma_f32_16x16x16_f16"
    " v_swmmac_f32_16x16x32_f16",
    "SALU": "s_add_i32 s_mov_b64 s_and_saveexec_b64 s_cmp_lt_i32 s_getreg_b32 s_cselect_b32 s_bitcmp1_b32",
    "SMEM": "s_load_dwordx4 s_buffer_load_dword s_load_b128 s_memtime s_memrealtime s_dcache_wb s_store_dword"
    " s_atomic_add s_scratch_load_dword s_prefetch_data",
    "VMEM": "buffer_load_dword buffer_store_dwordx4 tbuffer_load_format_x image_load buffer_atomic_add"
    " buffer_inv image_bvh_intersect_ray",
    "FLAT": "global_load_dword flat_store_dword scratch_load_dword global_atomic_add_f32"
    " global_load_lds_dword",
    "LDS": "ds_read_b128 ds_write2st64_b32 ds_add_u32 ds_bpermute_b32 ds_swizzle_b32 lds_direct_load",
    "branch": "s_branch s_cbranch_scc1 s_cbranch_execz s_setpc_b64 s_swappc_b64 s_call_b64",
    "wait": "s_waitcnt s_waitcnt_vscnt s_waitcnt_lgkmcnt s_wait_loadcnt s_wait_idle s_wait_alu s_nop s_sleep"
    " s_delay_alu",
    "barrier": "s_barrier s_barrier_signal s_barrier_wait",
    "message": "s_endpgm s_sendmsg s_sendmsghalt s_trap",
    "other": "s_setprio s_inst_prefetch s_clause s_code_end exp nonsense",
}


CASES = [(name, expected) for expected, names in CLASSES.items() for name in names.split()]


@rows("name, expected", CASES)
def test_class(name: str, expected: str) -> None:
    assert class_of(f"{name} v0, v1") == expected
    assert class_of(name) == expected


@pytest.mark.parametrize(
    ("text", "counters"),
    [
        ("s_waitcnt vmcnt(0)", 1),
        ("s_waitcnt vmcnt(0) lgkmcnt(0)", 2),
        ("s_waitcnt_vscnt null, 0x0", 1),
        ("s_wait_loadcnt_dscnt 0x0", 2),
        ("s_wait_idle", 3),
    ],
)
def test_counters_of_waits(text: str, counters: int) -> None:
    assert counters_waited_for(text) == counters


def test_counting() -> None:
    texts = (
        "ds_read_b32 v0, v1",
        "s_load_dword s0",
        "global_load_dword v0",
        "buffer_store_dword",
        "flat_load_dword",
    )
    assert [counting_of(text) for text in texts] == ["local", "local", "vector", "vector", "flat"]
