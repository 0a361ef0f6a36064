"""VROCM_GROUP_ORDER starts workgroups in another order: the same one for the same number, each group once."""

from __future__ import annotations

import numpy as np
import pytest
from simulator import compile_c, run_kernel

SOURCE = """
#define G __attribute__((address_space(1)))
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected"))) void
typedef G unsigned *Words;
#define GROUP __builtin_amdgcn_workgroup_id_x()

KERNEL take_ticket(Words next, Words tickets) {
  if (__builtin_amdgcn_workitem_id_x() == 0)
    tickets[GROUP] = __scoped_atomic_fetch_add(next, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
KERNEL wait_for_the_one_before(Words turn, Words unused) {
  while (__scoped_atomic_load_n(turn, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) < GROUP) {}
  if (__builtin_amdgcn_workitem_id_x() == 0)
    __scoped_atomic_store_n(turn, GROUP + 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
KERNEL float_sum(G float *sum, G float *values) {
  if (__builtin_amdgcn_workitem_id_x() == 0)
    __scoped_atomic_fetch_add(sum, values[GROUP], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
"""
GROUPS = 500


@pytest.fixture(autouse=True)
def time_is_not_modelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VROCM_TIMING", "off")


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compile_c(tmp_path_factory.mktemp("order"), SOURCE, "gfx942", "-O2", "-munsafe-fp-atomics")


def tickets(code: bytes, monkeypatch: pytest.MonkeyPatch, order: str | None) -> list[int]:
    if order is None:
        monkeypatch.delenv("VROCM_GROUP_ORDER", raising=False)
    else:
        monkeypatch.setenv("VROCM_GROUP_ORDER", order)
    given = np.zeros(GROUPS, np.uint32)
    result = run_kernel(code, "take_ticket", [GROUPS * 64], [64], [np.zeros(1, np.uint32), given])
    assert result.kind == 0, result.message
    return given.tolist()


def test_by_number_unless_asked(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tickets(code, monkeypatch, None) == list(range(GROUPS))
    assert tickets(code, monkeypatch, "0") == list(range(GROUPS))


@pytest.mark.parametrize("order", ["1", "2", "99"])
def test_another_order_has_every_group_once_and_repeats(
    code: bytes, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    first = tickets(code, monkeypatch, order)
    assert sorted(first) == list(range(GROUPS))
    assert first != list(range(GROUPS))
    assert tickets(code, monkeypatch, order) == first


def test_orders_differ(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tickets(code, monkeypatch, "1") != tickets(code, monkeypatch, "2")


def test_groups_that_wait_for_earlier_ones_still_end(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VROCM_GROUP_ORDER", "7")
    turn = np.zeros(1, np.uint32)
    groups = 3000  # more than fit on the GPU at once, so that groups wait for a place too
    result = run_kernel(
        code, "wait_for_the_one_before", [groups * 256], [256], [turn, np.zeros(1, np.uint32)]
    )
    assert result.kind == 0, result.message
    assert turn[0] == groups


def test_a_float_sum_depends_on_the_order(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).standard_normal(GROUPS).astype(np.float32)
    sums = set()
    for order in range(6):
        monkeypatch.setenv("VROCM_GROUP_ORDER", str(order))
        total = np.zeros(1, np.float32)
        result = run_kernel(code, "float_sum", [GROUPS * 64], [64], [total, values])
        assert result.kind == 0, result.message
        assert abs(float(total[0]) - float(values.sum(dtype=np.float64))) < 1e-3
        sums.add(total.tobytes())
    assert len(sums) > 1
