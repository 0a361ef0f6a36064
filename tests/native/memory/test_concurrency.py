"""Atomics while several host threads run workgroups of one kernel."""

from __future__ import annotations

import numpy as np
import pytest
from simulator import compile_c, run_kernel

GROUPS, GROUP = 64, 256
ITEMS = GROUPS * GROUP

SOURCE = """
typedef unsigned u32;
typedef unsigned long long u64;
#define KERNEL __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(1, 256)))
static u32 item() { return __builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x(); }
#define GLOBAL __attribute__((address_space(1)))
#define EACH(name, type, expression) \\
    KERNEL void name(GLOBAL type* p) { u32 i = item(); expression; }
EACH(add32, u32, __atomic_fetch_add(p + i % 3, i, __ATOMIC_RELAXED))
EACH(add64, u64, __atomic_fetch_add(p + i % 3, (u64)i << 20, __ATOMIC_RELAXED))
EACH(max32, u32, __atomic_fetch_max(p + i % 3, i * 2654435761u, __ATOMIC_RELAXED))
EACH(xor32, u32, __atomic_fetch_xor(p + i % 3, i, __ATOMIC_RELAXED))
EACH(flag_bits, u32, __atomic_fetch_or(p + i / 32, 1u << i % 32, __ATOMIC_RELAXED))
// A lock-free increment: every lost update would show in the sum.
KERNEL void compare_and_swap(__attribute__((address_space(1))) u32* p) {
    u32 old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, old + 3, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}
// Bytes of one dword written by different workgroups must not disturb each other.
KERNEL void bytes(__attribute__((address_space(1))) unsigned char* p) {
    u32 i = item();
    p[i % 256 * 64 + i / 256] = i / 256 + i % 256;
}
// Dwords of neighbouring groups, written under a mask.
KERNEL void masked(__attribute__((address_space(1))) u32* p) {
    u32 group = __builtin_amdgcn_workgroup_id_x(), x = __builtin_amdgcn_workitem_id_x();
    if ((x ^ group) & 1) p[group / 2 * 256 + x] = group * 1000 + x;
}
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compile_c(tmp_path_factory.mktemp("atomics"), SOURCE, "gfx942", "-O2")


@pytest.fixture(autouse=True)
def two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VROCM_THREADS", "2")


def launch(code: bytes, kernel: str, target: np.ndarray) -> None:
    result = run_kernel(code, kernel, [ITEMS], [GROUP], [target])
    assert result.kind == 0, result.message


ITEM = np.arange(ITEMS, dtype=np.uint64)


def per_slot(values: np.ndarray, reduce: np.ufunc) -> np.ndarray:
    return np.array([reduce.reduce(values[slot::3]) for slot in range(3)])


def test_sums_and_extremes(code: bytes) -> None:
    expected = {
        "add32": (np.uint32, per_slot(ITEM, np.add)),
        "add64": (np.uint64, per_slot(ITEM << np.uint64(20), np.add)),
        "max32": (np.uint32, per_slot(ITEM * np.uint64(2654435761) % np.uint64(1 << 32), np.maximum)),
        "xor32": (np.uint32, per_slot(ITEM, np.bitwise_xor)),
    }
    for kernel, (dtype, values) in expected.items():
        target = np.zeros(3, dtype=dtype)
        launch(code, kernel, target)
        assert np.array_equal(target, values.astype(dtype)), kernel


def test_bits_of_shared_words(code: bytes) -> None:
    target = np.zeros(ITEMS // 32, dtype=np.uint32)
    launch(code, "flag_bits", target)
    assert np.all(target == 0xFFFFFFFF)


def test_compare_and_swap_loses_nothing(code: bytes) -> None:
    target = np.zeros(1, dtype=np.uint32)
    launch(code, "compare_and_swap", target)
    assert target[0] == 3 * ITEMS


def test_bytes_of_one_word_from_different_groups(code: bytes) -> None:
    target = np.zeros(ITEMS, dtype=np.uint8)
    launch(code, "bytes", target)
    expected = (np.arange(64)[None, :] + np.arange(256)[:, None]).astype(np.uint8)
    assert np.array_equal(target.reshape(256, 64), expected)


def test_masked_stores_leave_neighbours_alone(code: bytes) -> None:
    for _ in range(20):
        target = np.zeros(GROUPS // 2 * 256, dtype=np.uint32)
        launch(code, "masked", target)
        pair, x = np.divmod(np.arange(target.size), 256)
        assert np.array_equal(target, (2 * pair + (x + 1) % 2) * 1000 + x)
