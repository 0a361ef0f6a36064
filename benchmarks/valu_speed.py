"""Nanoseconds per vector ALU instruction on a bare wave: python benchmarks/valu_speed.py [pattern]

Each instruction runs in a loop of 100 copies, so that the loop itself costs next to nothing.
VROCM_SIM_LIBRARY names the library, as for the tests.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "native"))

import numpy as np
from bare_wave import ALL, Wave, assemble

COPIES = 100
ROUNDS = 4000

CASES = [
    "v_mov_b32 v0, v1",
    "v_mov_b32 v0, s0",
    "v_add_u32 v0, v1, v2",
    "v_add_u32 v0, s0, v2",
    "v_lshl_add_u32 v0, v1, 2, v2",
    "v_add_f32 v0, v1, v2",
    "v_mul_f32 v0, s2, v2",
    "v_fma_f32 v0, v1, v2, v3",
    "v_fmac_f32 v0, v1, v2",
    "v_fma_f32 v0, -v1, v2, 1.0",
    "v_pk_fma_f32 v[10:11], v[4:5], v[6:7], v[8:9]",
    "v_pk_fma_f32 v[10:11], v[4:5], v[6:7], v[8:9] op_sel_hi:[0,1,1]",
    "v_max_f32 v0, v1, v2",
    "v_med3_f32 v0, v1, v2, v3",
    "v_cmp_lt_f32 vcc, v1, v2",
    "v_cmp_gt_u32 vcc, s0, v2",
    "v_cmp_lt_u64 vcc, v[4:5], v[6:7]",
    "v_cndmask_b32 v0, v1, v2, vcc",
    "v_add_co_u32 v0, vcc, v1, v2",
    "v_addc_co_u32 v0, vcc, v1, v2, vcc",
    "v_lshl_add_u64 v[10:11], v[4:5], 2, v[6:7]",
    "v_lshlrev_b64 v[10:11], 2, v[4:5]",
    "v_mad_u64_u32 v[10:11], s[4:5], v1, v2, v[4:5]",
    "v_mul_lo_u32 v0, v1, v2",
    "v_mul_hi_u32 v0, v1, v2",
    "v_and_b32 v0, v1, v2",
    "v_lshlrev_b32 v0, 3, v1",
    "v_ashrrev_i32 v0, 31, v1",
    "v_bfe_u32 v0, v1, 4, 8",
    "v_perm_b32 v0, v1, v2, v3",
    "v_add_f64 v[10:11], v[4:5], v[6:7]",
    "v_fma_f64 v[10:11], v[4:5], v[6:7], v[8:9]",
    "v_max_f64 v[10:11], v[4:5], v[6:7]",
    "v_cmp_lt_f64 vcc, v[4:5], v[6:7]",
    "v_add_f16 v0, v1, v2",
    "v_fma_f16 v0, v1, v2, v3",
    "v_pk_fma_f16 v0, v1, v2, v3",
    "v_pk_add_f16 v0, v1, v2",
    "v_pk_max_f16 v0, v1, v2",
    "v_pk_add_u16 v0, v1, v2",
    "v_dot2_f32_f16 v0, v1, v2, v3",
    "v_dot4_i32_i8 v0, v1, v2, v3",
    "v_cvt_f32_f16 v0, v1",
    "v_cvt_f16_f32 v0, v1",
    "v_cvt_pkrtz_f16_f32 v0, v1, v2",
    "v_cvt_f32_i32 v0, v1",
    "v_cvt_f32_u32 v0, v1",
    "v_cvt_i32_f32 v0, v1",
    "v_cvt_f64_f32 v[10:11], v1",
    "v_cvt_f32_f64 v0, v[4:5]",
    "v_cvt_f64_i32 v[10:11], v1",
    "v_cvt_pk_fp8_f32 v0, v1, v2",
    "v_cvt_f32_fp8 v0, v1",
    "v_exp_f32 v0, v1",
    "v_log_f32 v0, v1",
    "v_sin_f32 v0, v1",
    "v_rcp_f32 v0, v1",
    "v_rsq_f32 v0, v1",
    "v_sqrt_f32 v0, v1",
    "v_rcp_f64 v[10:11], v[4:5]",
    "v_rndne_f32 v0, v1",
    "v_ldexp_f32 v0, v1, v2",
    "v_frexp_mant_f32 v0, v1",
    "v_div_scale_f32 v0, vcc, v1, v2, v1",
    "v_div_fmas_f32 v0, v1, v2, v3",
    "v_div_fixup_f32 v0, v1, v2, v3",
    "v_div_scale_f64 v[10:11], vcc, v[4:5], v[6:7], v[4:5]",
    "v_readfirstlane_b32 s2, v1",
    "v_mbcnt_lo_u32_b32 v0, -1, 0",
    "v_bcnt_u32_b32 v0, v1, 0",
    "v_ffbh_u32 v0, v1",
    "v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf",
    "v_add_f32_dpp v0, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0",
    "v_lshlrev_b32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_1",
    "v_add_f32 v0, v1, v2 clamp",
]


def loop(instruction: str, exec_mask: int) -> str:
    low, high = exec_mask & 0xFFFFFFFF, exec_mask >> 32
    body = "\n".join([instruction] * COPIES)
    return f"""
        s_mov_b32 exec_lo, {low:#x}
        s_mov_b32 exec_hi, {high:#x}
        s_mov_b32 s20, {ROUNDS}
    again:
        {body}
        s_sub_u32 s20, s20, 1
        s_cmp_lg_u32 s20, 0
        s_cbranch_scc1 again
    """.replace("again", f"again_{abs(hash((instruction, exec_mask)))}")


def nanoseconds(code: bytes) -> float:
    best = float("inf")
    for _ in range(3):
        wave = Wave()
        rng = np.random.default_rng(1)
        for register in range(16):  # ordinary numbers in single precision and as a pair of halves
            half = rng.uniform(0.5, 1.8, 64).astype(np.float16).view(np.uint16).astype(np.uint32)
            wave.v[register] = half | half << 16
        for register in (4, 6, 8):
            wave.set_v64(register, rng.uniform(0.5, 2.0, 64).view(np.uint64))
        wave.s[:8] = np.float32(1.25).view(np.uint32)
        start = time.process_time()
        kind = wave.run(code, limit=10**9)
        elapsed = time.process_time() - start
        if kind:
            raise RuntimeError(wave.message)
        best = min(best, elapsed)
    return best / (COPIES * ROUNDS) * 1e9


def main() -> None:
    cases = [case for case in CASES if len(sys.argv) < 2 or sys.argv[1] in case]
    snippets = [loop(case, mask) for case in cases for mask in (ALL, 0x0FFF_F0FF_FFFF_1234)]
    codes = assemble("gfx942", snippets)
    print(f"{'all lanes':>10} {'some':>8}  ns per instruction")
    for case, full, part in zip(cases, codes[::2], codes[1::2], strict=True):
        print(f"{nanoseconds(full):10.2f} {nanoseconds(part):8.2f}  {case}", flush=True)


if __name__ == "__main__":
    main()
