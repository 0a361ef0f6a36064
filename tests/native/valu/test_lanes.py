"""Instructions that reach across lanes or touch no lane at all."""

from __future__ import annotations

import numpy as np
import pytest
from bare_wave import ALL, LANE, Wave, active, assemble, merged

PROGRAMS = {
    "nop": "v_nop\nv_clrexcp",
    "first": "v_readfirstlane_b32 s10, v4",
    "read": "v_readlane_b32 s10, v4, s2",
    "read_constant": "v_readlane_b32 s10, v4, 63",
    "write": "v_writelane_b32 v5, s3, 17",
    "write_m0": "s_mov_b32 m0, s2\nv_writelane_b32 v5, s3, m0",
    "swap": "v_swap_b32 v4, v5",
    "count": "v_mbcnt_lo_u32_b32 v6, s2, v4\nv_mbcnt_hi_u32_b32 v7, s3, v6",
    "lane": "v_mbcnt_lo_u32_b32 v6, -1, 0\nv_mbcnt_hi_u32_b32 v6, -1, v6",
    "count_lanes": "v_mbcnt_lo_u32_b32 v6, v4, v5\nv_mbcnt_hi_u32_b32 v7, v4, v5",
}


@pytest.fixture(scope="module")
def code() -> dict[str, bytes]:
    return dict(zip(PROGRAMS, assemble("gfx942", list(PROGRAMS.values())), strict=True))


def wave(mask: int = ALL) -> Wave:
    rng = np.random.default_rng(5)
    w = Wave()
    w.exec = mask
    w.v[:16] = rng.integers(0, 2**32, (16, 64), dtype=np.uint32)
    w.s[:16] = rng.integers(0, 2**32, 16, dtype=np.uint32)
    return w


def test_nothing_changes(code: dict[str, bytes]) -> None:
    w = wave()
    before = w.v.copy()
    assert w.run(code["nop"]) == 0
    assert (w.v == before).all()


@pytest.mark.parametrize(("mask", "lane"), [(ALL, 0), (0x8000000000000000, 63), (0x1230, 4), (0, 0)])
def test_first_active_lane(code: dict[str, bytes], mask: int, lane: int) -> None:
    w = wave(mask)
    assert w.run(code["first"]) == 0
    assert w.s[10] == w.v[4][lane]


@pytest.mark.parametrize("mask", [ALL, 0])
def test_lane_access_ignores_exec(code: dict[str, bytes], mask: int) -> None:
    w = wave(mask)
    w.s[2] = 64 + 17  # only the low six bits count
    before = w.v.copy()
    assert w.run(code["read"]) == 0
    assert w.s[10] == before[4][17]
    assert w.run(code["read_constant"]) == 0
    assert w.s[10] == before[4][63]
    for name in ("write", "write_m0"):
        w.v[:] = before
        assert w.run(code[name]) == 0
        assert (w.v[5] == np.where(LANE == 17, w.s[3], before[5])).all()


def test_swap_under_exec(code: dict[str, bytes]) -> None:
    mask = 0xF0F0_1234_5678_FFFF
    w = wave(mask)
    before = w.v.copy()
    assert w.run(code["swap"]) == 0
    assert (w.v[4] == merged(before[4], before[5], mask)).all()
    assert (w.v[5] == merged(before[5], before[4], mask)).all()


def test_counts_bits_below_each_lane(code: dict[str, bytes]) -> None:
    w = wave(0xFFFF_0000_FFFF_FFFF)
    bits = w.s64(2)
    before = w.v.copy()
    assert w.run(code["count"]) == 0
    below = np.array([(bits & ((1 << lane) - 1)).bit_count() for lane in range(64)], dtype=np.uint32)
    want = merged(before[7], before[4] + below, 0xFFFF_0000_FFFF_FFFF)
    assert (w.v[7] == want).all()


def test_lane_number(code: dict[str, bytes]) -> None:
    w = wave()
    assert w.run(code["lane"]) == 0
    assert (w.v[6] == LANE).all()


def test_counts_bits_of_a_register(code: dict[str, bytes]) -> None:
    w = wave()
    assert w.run(code["count_lanes"]) == 0
    for lane in range(64):
        value, base = int(w.v[4][lane]), int(w.v[5][lane])
        low = (value & ((1 << lane) - 1) & 0xFFFFFFFF).bit_count()
        high = (value & (((1 << lane) - 1) >> 32)).bit_count()
        assert int(w.v[6][lane]) == (base + low) & 0xFFFFFFFF
        assert int(w.v[7][lane]) == (base + high) & 0xFFFFFFFF


def test_graphics_table_is_refused_by_name() -> None:
    (text,) = assemble("gfx942", ["v_screen_partition_4se_b32 v1, v2"])
    w = wave()
    assert w.run(text) != 0
    assert "v_screen_partition_4se_b32" in w.message


def test_active_helper_agrees() -> None:
    assert list(np.flatnonzero(active(0x8001))) == [0, 15]
