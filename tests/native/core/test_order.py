"""Which kernels are run in one fixed order because their result depends on it."""

from __future__ import annotations

import numpy as np
import pytest
from simulator import compile_c, run_kernel

SOURCE = """
#define G __attribute__((address_space(1)))
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected"))) void
typedef G unsigned *Words;
#define ITEM (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())
#define ADD(p, v) __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define MAX(p, v) __scoped_atomic_fetch_max(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define SWAP(p, v) __scoped_atomic_exchange_n(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define LOAD(p) __scoped_atomic_load_n(p, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)

static __attribute__((noinline)) unsigned plain_function(unsigned x) { return x * 3 + 1; }
static __attribute__((noinline)) unsigned ticket(Words p) { return ADD(p, 1u); }
unsigned (*volatile pointer)(unsigned) = plain_function;

KERNEL plain(Words p) { p[ITEM] = ITEM; }
KERNEL counts(Words p) { ADD(p, 1u); }
KERNEL takes_ticket(Words p) { p[1 + ITEM] = ADD(p, 1u); }
KERNEL mixes(Words p) { ADD(p, 1u); MAX(p, 7u); }
KERNEL swaps(Words p) { SWAP(p, ITEM); }
KERNEL watches(Words p) { p[1 + ITEM] = LOAD(p); }
KERNEL watches_volatile(Words p) { p[1 + ITEM] = *(volatile G unsigned *)p; }
KERNEL calls_plain(Words p) { p[ITEM] = plain_function(ITEM); }
KERNEL calls_ticket(Words p) { p[1 + ITEM] = ticket(p); }
KERNEL calls_pointer(Words p) { p[ITEM] = pointer(ITEM); }
KERNEL local_ticket(Words p) {
  static __attribute__((address_space(3), loader_uninitialized)) unsigned counter;
  p[ITEM] = __scoped_atomic_fetch_add(&counter, 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
}
"""

EXPECTED = {
    "plain": True,
    "counts": True,
    "calls_plain": True,
    "local_ticket": True,
    "takes_ticket": False,
    "mixes": False,
    "swaps": False,
    "watches": False,
    "watches_volatile": False,
    "calls_ticket": False,
    "calls_pointer": False,
}


@pytest.fixture(scope="module", params=[("gfx942", "-O2"), ("gfx942", "-O0"), ("gfx90a", "-O2")])
def code(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, str]:
    arch, level = request.param
    return compile_c(tmp_path_factory.mktemp("order"), SOURCE, arch, level), level


@pytest.mark.parametrize(("kernel", "parallel"), EXPECTED.items())
def test_parallel_only_when_order_does_not_matter(
    code: tuple[bytes, str], kernel: str, parallel: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VROCM_THREADS", "4")
    code_object, level = code
    if kernel == "counts" and level == "-O0":
        parallel = False  # unoptimised code asks for the old value, too
    out = np.zeros(64 * 100 + 1, np.uint32)
    result = run_kernel(code_object, kernel, [64 * 100], [64], [out])
    assert result.kind == 0, result.message
    assert result.stats.host_threads == (4 if parallel else 1)
