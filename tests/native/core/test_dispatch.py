"""Dispatches: where work-items are, how they share and wait, whatever the number of host threads."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import assembly
from numpy.typing import NDArray
from simulator import Result, assemble_object, kernel_text, run_kernel


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return assemble_object(tmp_path_factory.mktemp("kernels"), assembly(), "gfx942")


def words(count: int) -> NDArray[np.uint32]:
    return np.zeros(count, np.uint32)


def succeed(result: Result) -> Result:
    assert result.kind == 0, result.message
    return result


@pytest.mark.parametrize(
    ("grid", "group"),
    [((256, 1, 1), (64, 1, 1)), ((70, 5, 3), (32, 4, 2)), ((7, 7, 7), (3, 3, 3)), ((1, 1, 1), (1024, 1, 1))],
)
@pytest.mark.parametrize("threads", ["1", "4"])
def test_every_item_of_the_grid_runs_once_in_its_place(
    code: bytes,
    grid: tuple[int, int, int],
    group: tuple[int, int, int],
    threads: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("VROCM_THREADS", threads)
    count = int(np.prod(grid))
    out = words(4 * count + 16)
    sizes = group[0] | group[1] << 16 | group[2] << 32
    result = succeed(run_kernel(code, "who_am_i", grid, group, [out, sizes, grid[0] | grid[1] << 32]))
    z, y, x = np.unravel_index(np.arange(count), grid[::-1])
    local = x % group[0] | y % group[1] << 10 | z % group[2] << 20
    want = np.stack([local, x // group[0], y // group[1], z // group[2]], axis=1)
    assert np.array_equal(out[: 4 * count].reshape(-1, 4), want)
    assert not out[4 * count :].any()
    groups = int(np.prod([-(-g // w) for g, w in zip(grid, group, strict=True)]))
    assert result.stats.workgroups == groups


def test_barrier_and_waves_that_have_ended(code: bytes) -> None:
    out = words(512)
    succeed(run_kernel(code, "barrier", [256], [256], [out]))
    assert np.array_equal(out[:256], 1255 - np.arange(256))
    assert np.array_equal(out[256:448], 1255 - np.arange(192))
    assert not out[448:].any()


def test_wave_spinning_on_lds_lets_its_neighbour_run(code: bytes) -> None:
    out = words(4)
    succeed(run_kernel(code, "spin_in_group", [256], [256], [out]))
    assert out[0] == 7


@pytest.mark.parametrize("threads", ["1", "3"])
def test_groups_waiting_for_later_groups(code: bytes, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VROCM_THREADS", threads)
    flags = words(600)
    succeed(run_kernel(code, "wait_for_next", [64 * 600], [64], [flags, 600]))
    assert flags.all()


@pytest.mark.parametrize("kernel", ["grid_barrier", "grid_barrier_sleep"])
@pytest.mark.parametrize("step", [0, 5000])
def test_barrier_of_the_whole_grid(code: bytes, kernel: str, step: int) -> None:
    counter = words(1)
    result = succeed(run_kernel(code, kernel, [64 * 1000], [64], [counter, 1000], step=step))
    assert counter[0] == 3 * 1000
    if step:
        assert result.stats.steps > 1


def test_order_of_workgroups_does_not_depend_on_threads(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    for threads in ("1", "2", "8"):
        monkeypatch.setenv("VROCM_THREADS", threads)
        counter, out = words(1), words(500)
        succeed(run_kernel(code, "ticket", [500 * 128], [128], [counter, out]))
        assert np.array_equal(np.sort(out), np.arange(500))
        seen.append(out.tobytes())
    assert len(set(seen)) == 1


def test_float_atomics_give_the_same_bits_with_any_number_of_threads(
    code: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    for threads in ("1", "2", "8"):
        monkeypatch.setenv("VROCM_THREADS", threads)
        total = np.zeros(1, np.float32)
        succeed(run_kernel(code, "float_sum", [256 * 200], [256], [total]))
        assert total[0] == pytest.approx(np.sum(1 / np.arange(1, 51201)), rel=1e-3)
        seen.append(total.tobytes())
    assert len(set(seen)) == 1


@pytest.mark.parametrize("threads", ["1", "2", "7"])
@pytest.mark.parametrize("step", [0, 1000])
def test_independent_groups(code: bytes, threads: str, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VROCM_THREADS", threads)
    out = words(256 * 64)
    result = succeed(run_kernel(code, "work", [256 * 64], [256], [out, 50], step=step))
    assert np.array_equal(out, np.arange(256 * 64, dtype=np.uint32) * (49 * 50 // 2))
    assert result.stats.waves == 256
    assert result.stats.instructions == 256 * (12 + 5 * 50)


def test_calls_returns_and_jumps(code: bytes) -> None:
    out = words(64)
    succeed(run_kernel(code, "calls", [64], [64], [out]))
    assert np.array_equal(out, 4 + np.arange(64))


def test_scratch_is_per_lane_and_fresh(code: bytes) -> None:
    out = words(192)
    succeed(run_kernel(code, "scratch", [192], [64], [out]))
    for group in range(3):
        out[:] = 0
        succeed(run_kernel(code, "scratch", [192], [192], [out]))
        assert np.array_equal(out, np.arange(192)), group


def test_registers_and_lds_start_at_zero(code: bytes) -> None:
    out = np.full(100, 1, np.uint32)
    succeed(run_kernel(code, "fresh", [100 * 64], [64], [out]))
    assert not out.any()


def test_preloaded_arguments(code: bytes) -> None:
    out = words(1)
    succeed(run_kernel(code, "preload", [1], [1], [out, 41]))
    assert out[0] == 41


def test_float_mode_comes_from_the_descriptor(code: bytes) -> None:
    out = words(1)
    succeed(run_kernel(code, "mode", [1], [1], [out]))
    # f32: round up, flush inputs; f16 and f64: nearest, keep denormals (the default); DX10 clamp, no IEEE
    assert out[0] & 0x3FF == 0b01_1110_0001


def test_dynamic_lds_is_what_the_launch_asks_for(code: bytes) -> None:
    out = words(512)
    succeed(run_kernel(code, "barrier", [256], [256], [out], group_segment_size=4096))
    assert np.array_equal(out[:256], 1255 - np.arange(256))


GFX90A_SCRATCH = """
  // s[0:3] scratch descriptor, s[4:5] arguments, s[6:7] flat scratch, s8.. workgroup ids, s11 wave offset
  s_add_u32 flat_scratch_lo, s6, s11
  s_addc_u32 flat_scratch_hi, s7, 0
  s_add_u32 s0, s0, s11
  s_addc_u32 s1, s1, 0
  s_load_dwordx2 s[12:13], s[4:5], 0x0
  v_add_u32 v1, 5, v0
  v_mov_b32 v2, 16
  buffer_store_dword v1, v2, s[0:3], 0 offen
  s_waitcnt vmcnt(0)
  s_mov_b64 s[14:15], src_private_base
  v_mov_b32 v2, 16
  v_mov_b32 v3, s15
  flat_load_dword v4, v[2:3]
  buffer_load_dword v5, off, s[0:3], 0 offset:16
  v_lshlrev_b32 v6, 2, v0
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_add_u32 v4, v4, v5
  global_store_dword v6, v4, s[12:13]
  s_endpgm
"""


def test_scratch_descriptor_of_gfx90a(tmp_path_factory: pytest.TempPathFactory) -> None:
    directives = {
        "user_sgpr_private_segment_buffer": 1,
        "user_sgpr_flat_scratch_init": 1,
        "user_sgpr_count": 8,
        "system_sgpr_private_segment_wavefront_offset": 1,
        "private_segment_fixed_size": 64,
        "system_vgpr_workitem_id": 0,
    }
    text = kernel_text("scratch", GFX90A_SCRATCH, directives)
    code = assemble_object(tmp_path_factory.mktemp("gfx90a"), text, "gfx90a")
    out = words(128)
    succeed(run_kernel(code, "scratch", [128], [128], [out]))
    assert np.array_equal(out, 2 * (np.arange(128) + 5))
