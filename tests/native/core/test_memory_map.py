"""Which memory kernels may touch, and several dispatches at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from bare_wave import MEMORY_VIOLATION
from simulator import compile_c, run_kernel

SOURCE = """
#define G __attribute__((address_space(1)))
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected"))) void
#define ITEM (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())
typedef G unsigned *Words;

KERNEL gather(Words out, Words a, Words b, Words c, Words d, Words e, Words f, Words g) {
  unsigned i = ITEM;
  out[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i];
}
KERNEL write_argument(Words p) {
  *(volatile G unsigned *)__builtin_amdgcn_kernarg_segment_ptr() = 1;
}
typedef struct __attribute__((packed)) { unsigned long value; } Loose;
KERNEL load_wide(G unsigned long *out, G char *from) { out[0] = ((G Loose *)from)->value; }

// Running sum over groups: each waits for the total of the one before it (decoupled look-back).
KERNEL look_back(Words in, Words out, G unsigned long *totals) {
  unsigned group = __builtin_amdgcn_workgroup_id_x(), item = __builtin_amdgcn_workitem_id_x();
  if (item == 0) {
    unsigned before = 0;
    if (group != 0) {
      unsigned long seen;
      do {
        seen = __scoped_atomic_load_n(totals + group - 1, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
      } while (!(seen >> 32));
      before = (unsigned)seen;
    }
    unsigned sum = before;
    for (int i = 0; i < 64; i++) {
      sum += in[group * 64 + i];
      out[group * 64 + i] = sum;
    }
    __scoped_atomic_store_n(totals + group, 1ul << 32 | sum, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  }
}

// Long groups that also take tickets: they are set aside and resumed.
KERNEL long_ticket(Words counter, Words out, unsigned long n) {
  unsigned x = ITEM + 1;
  for (unsigned long i = 0; i < n; i++) x = x * 1664525u + 1013904223u;
  if (__builtin_amdgcn_workitem_id_x() == 0)
    out[__scoped_atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)] = x;
}
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compile_c(tmp_path_factory.mktemp("memory"), SOURCE, "gfx942", "-O2")


def test_more_buffers_than_the_cache_of_ranges_holds(code: bytes) -> None:
    rng = np.random.default_rng(1)
    inputs = [rng.integers(0, 1 << 20, 6400).astype(np.uint32) for _ in range(7)]
    out = np.zeros(6400, np.uint32)
    result = run_kernel(code, "gather", [6400], [64], [out, *inputs])
    assert result.kind == 0, result.message
    assert np.array_equal(out, np.sum(inputs, axis=0, dtype=np.uint32))


def test_read_only_memory_is_named_as_such(code: bytes) -> None:
    result = run_kernel(code, "write_argument", [1], [1], [np.zeros(4, np.uint32)])
    assert result.kind == MEMORY_VIOLATION
    assert "kernarg allocation" in result.message
    assert "read-only for kernels" in result.message


def test_neighbouring_allocations_may_be_crossed(code: bytes) -> None:
    block = np.arange(64, dtype=np.uint8)
    out = np.zeros(1, np.uint64)
    halves = [block[:32], block[32:]]
    result = run_kernel(code, "load_wide", [1], [1], [out, block.ctypes.data + 28], halves)
    assert result.kind == 0, result.message
    assert out[0] == int.from_bytes(bytes(range(28, 36)), "little")
    alone = run_kernel(code, "load_wide", [1], [1], [out, block.ctypes.data + 28], halves[:1])
    assert alone.kind == MEMORY_VIOLATION


@pytest.mark.parametrize("threads", ["1", "4"])
def test_decoupled_look_back(code: bytes, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VROCM_THREADS", threads)
    values = np.random.default_rng(2).integers(0, 100, 64 * 300).astype(np.uint32)
    out, totals = np.zeros_like(values), np.zeros(300, np.uint64)
    result = run_kernel(code, "look_back", [64 * 300], [64], [values, out, totals])
    assert result.kind == 0, result.message
    assert np.array_equal(out, np.cumsum(values, dtype=np.uint32))


def test_groups_set_aside_go_on_where_they_were(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    for threads in ("1", "4"):
        monkeypatch.setenv("VROCM_THREADS", threads)
        counter, out = np.zeros(1, np.uint32), np.zeros(6, np.uint32)
        result = run_kernel(code, "long_ticket", [64 * 6], [64], [counter, out, 300_000])
        assert result.kind == 0, result.message
        seen.append(out.tolist())
    assert seen[0] == seen[1]
    assert len(set(seen[0])) == 6


def test_dispatches_from_several_host_threads(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VROCM_THREADS", "3")

    def one(seed: int) -> bool:
        inputs = [np.full(64 * 500, seed + i, np.uint32) for i in range(7)]
        out = np.zeros(64 * 500, np.uint32)
        result = run_kernel(code, "gather", [64 * 500], [64], [out, *inputs])
        return result.kind == 0 and bool(np.all(out == 7 * seed + 21))

    with ThreadPoolExecutor(max_workers=4) as pool:
        assert all(pool.map(one, range(24)))
