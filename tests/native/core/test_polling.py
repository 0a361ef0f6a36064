"""Workgroups that wait for others are set aside soon, however they wait."""

from __future__ import annotations

import numpy as np
import pytest
from bare_wave import HANG
from simulator import compile_c, run_kernel

# Every group but the last waits for the one after it: they finish in the reverse of the order they start in.
SOURCE = """
#define G __attribute__((address_space(1)))
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected"))) void
typedef G unsigned *Words;
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define FIRST (__builtin_amdgcn_workitem_id_x() == 0)
#define LOAD_AT(scope, p) __scoped_atomic_load_n(p, __ATOMIC_RELAXED, __MEMORY_SCOPE_##scope)
#define LOAD(p) LOAD_AT(DEVICE, p)
#define STORE(p, v) __scoped_atomic_store_n(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)

static int try(Words turn, unsigned mine, unsigned next) {
  return __scoped_atomic_compare_exchange_n(turn, &mine, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                            __MEMORY_SCOPE_DEVICE);
}

KERNEL plain(Words turn, unsigned long groups) {
  while (LOAD(turn) < groups - 1 - GROUP) {}
  if (FIRST) STORE(turn, groups - GROUP);
}
// The memory model does not promise that this sees what other workgroups do; on gfx942 it does, by and by.
KERNEL workgroup_scope(Words turn, unsigned long groups) {
  while (LOAD_AT(WRKGRP, turn) < groups - 1 - GROUP) {}
  if (FIRST) STORE(turn, groups - GROUP);
}
KERNEL with_barriers(Words turn, unsigned long groups) {
  for (;;) {
    unsigned found = LOAD(turn);
    __builtin_amdgcn_s_barrier();
    if (found >= groups - 1 - GROUP) break;
    __builtin_amdgcn_s_barrier();
  }
  __builtin_amdgcn_s_barrier();
  if (FIRST) STORE(turn, groups - GROUP);
}
KERNEL compare_and_swap(Words turn, unsigned long groups) {
  if (FIRST) while (!try(turn, groups - 1 - GROUP, groups - GROUP)) {}
}
KERNEL in_vain(Words turn, unsigned long groups) {
  while (LOAD(turn) < groups) __builtin_amdgcn_s_barrier();
}
"""
GROUPS = 100


KERNELS = ["plain", "with_barriers", "compare_and_swap"]
# On gfx90a a load of workgroup scope is a load like any other, and a cache may keep what it looks at.
WAITS = [("gfx90a", name) for name in KERNELS] + [("gfx942", name) for name in [*KERNELS, "workgroup_scope"]]


@pytest.fixture(scope="module")
def codes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp
    return {arch: compile_c(folder(arch), SOURCE, arch, "-O2") for arch in ("gfx90a", "gfx942")}


@pytest.mark.parametrize("mode", ["off", "sampled", "full"])
@pytest.mark.parametrize(("arch", "kernel"), WAITS)
def test_waiting_costs_little(
    codes: dict[str, bytes], arch: str, kernel: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VROCM_TIMING", mode)
    code = codes[arch]
    turn = np.zeros(1, np.uint32)
    result = run_kernel(code, kernel, [GROUPS * 256], [256], [turn, GROUPS])
    assert result.kind == 0, result.message
    assert turn[0] == GROUPS
    # Each of the 400 waves looks a few times while each of the 100 groups has its turn; a group that waited
    # until its turn is over would run half a million instructions every time.
    assert result.stats.instructions < 400 * GROUPS * 200


@pytest.mark.parametrize("limit", ["VROCM_TIMEOUT=0.1", "VROCM_INSTRUCTION_LIMIT=1e6"])
def test_waiting_in_vain_is_stopped(
    codes: dict[str, bytes], limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(*limit.split("="))
    result = run_kernel(codes["gfx942"], "in_vain", [4 * 256], [256], [np.zeros(1, np.uint32), 1])
    assert result.kind == HANG
    assert limit.split("=")[0] in result.message
