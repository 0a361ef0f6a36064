"""Atomics and masked stores while several host threads run workgroups on the same memory."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from simulator import compile_c, run_kernel

GROUPS, GROUP, ROUNDS = 64, 256, 240
ITEMS = GROUPS * GROUP

SOURCE = """
typedef unsigned u32;
typedef unsigned long long u64;
#define KERNEL __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(1, 256)))
#define GLOBAL __attribute__((address_space(1)))
static u32 item() { return __builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x(); }
#define ROUNDS 240
#define EACH(name, type, expression) \\
    KERNEL void name(GLOBAL type* p) { u32 i = item(); for (u32 k = 0; k < ROUNDS; ++k) { expression; } }
EACH(add32, u32, __atomic_fetch_add(p + (i + k) % 3, i, __ATOMIC_RELAXED))
EACH(add64, u64, __atomic_fetch_add(p + (i + k) % 3, (u64)i << 20, __ATOMIC_RELAXED))
EACH(xor32, u32, __atomic_fetch_xor(p + (i + k) % 3, i * (k + 1), __ATOMIC_RELAXED))
EACH(max32, u32, __atomic_fetch_max(p + (i + k) % 3, i + k * ITEMS, __ATOMIC_RELAXED))
EACH(flag_bits, u32, __atomic_fetch_or(p + i / 32 % 8 + k % 24 * 8, 1u << i % 32, __ATOMIC_RELAXED))

// Dwords of neighbouring groups, written under a mask.
KERNEL void masked(GLOBAL u32* p) {
    u32 group = __builtin_amdgcn_workgroup_id_x(), x = __builtin_amdgcn_workitem_id_x();
    if ((x ^ group) & 1)
        for (u32 k = 0; k < 4096; ++k) ((volatile GLOBAL u32*)p)[k % 8 * 256 + x] = (group & 1) * 1000 + x;
}

// These depend on order, so that one launch runs on one host thread; the tests make two launches at once.
KERNEL void compare_and_swap(GLOBAL u32* p) {
    for (u32 k = 0; k < 8; ++k) {
        u32 old = __atomic_load_n(p, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(p, &old, old + 3, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    }
}
KERNEL void tickets(GLOBAL u32* p) {
    for (u32 k = 0; k < 40; ++k) p[1024 + __atomic_fetch_add(p, 1, __ATOMIC_RELAXED)] += 1;
}
KERNEL void float_sum(GLOBAL float* p) {
    u32 i = item();
    for (u32 k = 0; k < 64; ++k) __builtin_amdgcn_global_atomic_fadd_f32(p + (i + k) % 4, 1.0f);
}
KERNEL void double_sum(GLOBAL double* p) {
    u32 i = item();
    for (u32 k = 0; k < 64; ++k) __builtin_amdgcn_global_atomic_fadd_f64(p + (i + k) % 4, 1.0);
}
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compile_c(tmp_path_factory.mktemp("atomics"), SOURCE, "gfx942", "-O2", f"-DITEMS={ITEMS}")


@pytest.fixture(autouse=True)
def two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VROCM_THREADS", "2")
    monkeypatch.setenv("VROCM_TIMING", "off")  # what is simulated in detail runs on one


def launch(code: bytes, kernel: str, target: np.ndarray) -> None:
    result = run_kernel(code, kernel, [ITEMS], [GROUP], [target])
    assert result.kind == 0, result.message


def launch_twice_at_once(code: bytes, kernel: str, block: np.ndarray) -> None:
    """Two launches on the block past its first 64 bytes. They list different parts of it as theirs, so that
    the one that ends first does not take the memory away from the other."""
    address = block.ctypes.data + 64

    def one(first: int) -> tuple[int, str]:
        result = run_kernel(code, kernel, [ITEMS], [GROUP], [address], memory=[block.view(np.uint8)[first:]])
        return result.kind, result.message

    with ThreadPoolExecutor(max_workers=2) as pool:
        assert list(pool.map(one, (0, 32))) == [(0, ""), (0, "")]


def expected(values: np.ndarray, reduce: np.ufunc) -> np.ndarray:
    """values[item, round] reduced per place (item + round) % 3."""
    item, turn = np.meshgrid(np.arange(ITEMS), np.arange(ROUNDS), indexing="ij")
    return np.array([reduce.reduce(values[(item + turn) % 3 == slot]) for slot in range(3)])


def test_sums_and_extremes(code: bytes) -> None:
    item = np.broadcast_to(np.arange(ITEMS, dtype=np.uint64)[:, None], (ITEMS, ROUNDS))
    turn = np.broadcast_to(np.arange(ROUNDS, dtype=np.uint64)[None, :], (ITEMS, ROUNDS))
    wanted = {
        "add32": (np.uint32, expected(item, np.add)),
        "add64": (np.uint64, expected(item << np.uint64(20), np.add)),
        "xor32": (np.uint32, expected(item * (turn + np.uint64(1)), np.bitwise_xor)),
        "max32": (np.uint32, expected(item + turn * np.uint64(ITEMS), np.maximum)),
    }
    for kernel, (dtype, values) in wanted.items():
        target = np.zeros(3, dtype=dtype)
        launch(code, kernel, target)
        assert np.array_equal(target, values.astype(dtype)), kernel


def test_bits_of_shared_words(code: bytes) -> None:
    target = np.zeros(8 * 24, dtype=np.uint32)
    launch(code, "flag_bits", target)
    assert np.all(target == 0xFFFFFFFF)


def test_masked_stores_leave_neighbours_alone(code: bytes) -> None:
    """Even and odd groups write alternate dwords of the same lines: none may write back the others'."""
    target = np.zeros(8 * 256, dtype=np.uint32)
    launch(code, "masked", target)
    x = np.arange(target.size) % 256
    assert np.array_equal(target, (x + 1) % 2 * 1000 + x)


def test_compare_and_swap_loses_nothing(code: bytes) -> None:
    block = np.zeros(64, dtype=np.uint32)
    launch_twice_at_once(code, "compare_and_swap", block)
    assert block[16] == 2 * 8 * 3 * ITEMS


def test_every_ticket_is_drawn_once(code: bytes) -> None:
    block = np.zeros(16 + 1024 + 2 * 40 * ITEMS, dtype=np.uint32)
    launch_twice_at_once(code, "tickets", block)
    assert block[16] == 2 * 40 * ITEMS
    assert np.all(block[16 + 1024 :] == 1)


def test_float_sums_lose_nothing(code: bytes) -> None:
    for kernel, dtype in (("float_sum", np.float32), ("double_sum", np.float64)):
        block = np.zeros(64, dtype=dtype)
        launch_twice_at_once(code, kernel, block)
        sums = block[64 // block.itemsize :][:4]
        assert np.all(sums == 2 * 64 * ITEMS / 4), kernel
