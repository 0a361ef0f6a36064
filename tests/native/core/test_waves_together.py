"""Waves of a workgroup keep together as on hardware, in every mode (docs/ARCHITECTURE.md, Order of waves)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from simulator import Result, assemble_object, compile_c, kernel_text, run_kernel

MODES = ("off", "sampled", "full")
ARCHS = ("gfx90a", "gfx942")
# One workgroup; so many that what is simulated has gaps, which are passed by clocks or by instructions.
SHAPES = {"one": (1, 2000), "many": (10000, 8)}

# Every wave reads a word of LDS after each barrier, and some 30 instructions later writes the number of the
# round to it, as all others do. That needs another barrier. Without it what hardware's timing gives is the
# former number: 30 instructions are more than what parts waves that left a barrier together.
SAVED_BY_TIMING = """
  s_load_dwordx4 s[8:11], s[0:1], 0x0        // out, rounds
  v_and_b32 v0, 0x3ff, v0
  v_mov_b32 v1, 0                            // the sum of what it reads, and the address in LDS
  v_mov_b32 v2, 0
  s_mov_b32 s12, 0
  ds_write_b32 v2, v1
  s_waitcnt lgkmcnt(0)
  s_barrier
round:
  ds_read_b32 v3, v2
  s_add_u32 s12, s12, 1
  v_mov_b32 v4, s12
  s_waitcnt lgkmcnt(0)
  v_add_u32 v1, v1, v3
  .rept 30
  v_add_f32 v5, v5, v6
  .endr
  ds_write_b32 v2, v4
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_cmp_lt_u32 s12, s10
  s_cbranch_scc1 round
  s_lshl_b32 s13, s2, 7                      // 128 work-items
  v_add_u32 v0, s13, v0
  v_lshlrev_b32 v0, 2, v0
  global_store_dword v0, v1, s[8:9]
  s_endpgm
"""

# No matter who comes first: each wave takes its own time for each round (from `seed`), reads what another one
# wrote in the round before, and leaves early when it is its turn to.
RACE_FREE = """
#define G __attribute__((address_space(1)))
#define LDS __attribute__((address_space(3), loader_uninitialized))
#define KERNEL __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(256, 256))) void
#define ITEM __builtin_amdgcn_workitem_id_x()
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define WAVE __builtin_amdgcn_readfirstlane(ITEM / 64)
typedef unsigned u32;
typedef unsigned long u64;
LDS u32 slot[2][256];
LDS u32 turn;

static u32 mixed(u32 h) {
  h = (h ^ h >> 15) * 2246822519u;
  return h ^ h >> 13;
}
static void take_time(u32 chance) {
  for (u32 i = 0; i < (chance & 15) * (chance >> 4 & 15); ++i) __asm__ volatile("s_nop 0");
}
static void meet(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
KERNEL exchange(G u32 *out, u64 rounds, u64 seed) {
  u32 value = ITEM + GROUP * 3, last = rounds - WAVE * (GROUP & 1);
  slot[1][ITEM] = 0;
  for (u32 r = 0; r < last; ++r) {
    u32 chance = mixed(seed + r * 64 + WAVE * 16 + GROUP);
    take_time(chance);
    slot[r & 1][ITEM] = value;
    take_time(chance >> 8);
    meet();
    take_time(chance >> 16);
    value = value * 5 + slot[r & 1][(ITEM + 64 * (r % 3 + 1) + r) & 255];
  }
  out[GROUP * 256 + ITEM] = value;
}
// Each wave waits for the one before it, or after it, by looking at LDS.
KERNEL in_turn(G u32 *out, u64 backwards) {
  u32 mine = backwards ? 3 - WAVE : WAVE;
  if (ITEM == 0) turn = 0;
  meet();
  while (__scoped_atomic_load_n(&turn, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_WRKGRP) != mine) {}
  out[GROUP * 256 + ITEM] = mine;
  if ((ITEM & 63) == 0) __scoped_atomic_store_n(&turn, mine + 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_WRKGRP);
}
"""


def exchanged(groups: int, rounds: int) -> NDArray[np.uint32]:
    """What `exchange` gives."""
    item, group = np.arange(256), np.arange(groups)[:, None]
    value = (item + group * 3).astype(np.uint32)
    last = rounds - (item // 64) * (group & 1)
    slot = np.zeros((2, groups, 256), np.uint32)
    for r in range(rounds):
        stays = r < last
        slot[r & 1] = np.where(stays, value, slot[r & 1])
        value = np.where(stays, value * 5 + slot[r & 1][:, (item + 64 * (r % 3 + 1) + r) & 255], value)
    return value.ravel()


@pytest.fixture(scope="module", params=ARCHS)
def saved_by_timing(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    text = kernel_text("saved", SAVED_BY_TIMING, {"group_segment_fixed_size": 4})
    return assemble_object(tmp_path_factory.mktemp("saved"), text, request.param)


@pytest.fixture(scope="module", params=ARCHS)
def race_free(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compile_c(tmp_path_factory.mktemp("race_free"), RACE_FREE, request.param, "-O2")


def run(
    code: bytes, kernel: str, groups: int, *arguments: NDArray[np.uint32] | int, items: int = 256
) -> Result:
    result = run_kernel(code, kernel, [groups * items], [items], arguments)
    assert result.kind == 0, result.message
    return result


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", SHAPES)
def test_what_timing_saves_on_hardware_is_saved(
    saved_by_timing: bytes, shape: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups, rounds = SHAPES[shape]
    if mode == "full":
        groups = min(groups, 100)
    monkeypatch.setenv("VROCM_TIMING", mode)
    monkeypatch.setenv("VROCM_TIMING_BUDGET", "0")  # or only much longer dispatches have gaps
    out = np.zeros(groups * 128, np.uint32)
    result = run(saved_by_timing, "saved", groups, out, rounds, items=128)
    assert result.stats.sampled == (mode == "sampled" and shape == "many")
    assert np.array_equal(out, np.full(len(out), rounds * (rounds - 1) // 2))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(4))
def test_race_free_programs_give_the_same_in_every_order(
    race_free: bytes, seed: int, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VROCM_TIMING", mode)
    groups, rounds = 64, 24
    out = np.zeros(groups * 256, np.uint32)
    run(race_free, "exchange", groups, out, rounds, seed * 7919)
    assert np.array_equal(out, exchanged(groups, rounds))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("backwards", [False, True])
def test_waves_may_wait_for_each_other(
    race_free: bytes, backwards: bool, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VROCM_TIMING", mode)
    out = np.zeros(64 * 256, np.uint32)
    run(race_free, "in_turn", 64, out, backwards)
    waves = out.reshape(64, 4, 64)[:, :, 0]
    assert (waves == ([3, 2, 1, 0] if backwards else [0, 1, 2, 3])).all()
