"""What a kernel that goes wrong reports: where, what, which thread, and what to do."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from bare_wave import (
    BAD_BRANCH,
    HANG,
    ILLEGAL,
    MEMORY_VIOLATION,
    TRAP,
    UNSUPPORTED,
)
from kernels import assembly
from simulator import assemble_object, compile_c, run_kernel


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return assemble_object(tmp_path_factory.mktemp("kernels"), assembly(), "gfx942")


@pytest.mark.parametrize("threads", ["1", "4"])
def test_store_past_the_end_names_thread_and_allocation(
    code: bytes, threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups 5 to 63 all go wrong; the report is about the first, with any number of threads."""
    monkeypatch.setenv("VROCM_THREADS", threads)
    out = np.zeros(64 * 64, np.uint32)
    result = run_kernel(code, "store_past_end", [64 * 64], [64], [out, out.nbytes])
    assert result.kind == MEMORY_VIOLATION
    assert f"4-byte write to {out.ctypes.data + out.nbytes + 12:#x}" in result.message
    assert (
        f"12 bytes past the end of the 16384-byte device allocation at {out.ctypes.data:#x}" in result.message
    )
    assert "store_past_end" in result.message
    assert "global_store_dword" in result.message
    assert "workgroup:    (5,0,0)" in result.message
    assert "thread:       (37,0,0)" in result.message
    assert "remedy:" in result.message


def test_null_pointer(code: bytes) -> None:
    result = run_kernel(code, "load_null", [64], [64])
    assert result.kind == MEMORY_VIOLATION
    assert "4-byte read of 0x10" in result.message
    assert "null pointer" in result.message


def test_address_before_an_allocation(code: bytes) -> None:
    block = np.zeros(1 << 16, np.uint8)
    middle = block[32768:]
    result = run_kernel(code, "load_before", [64], [64], [middle])
    assert result.kind == MEMORY_VIOLATION
    assert f"8 bytes before the 32768-byte device allocation at {middle.ctypes.data:#x}" in result.message


def test_illegal_instruction_shows_its_bytes(code: bytes) -> None:
    result = run_kernel(code, "illegal", [64], [64])
    assert result.kind == ILLEGAL
    assert "bytes 00 00 ff bf" in result.message


@pytest.mark.parametrize("kernel", ["runs_off", "jump_away"])
def test_leaving_the_code(code: bytes, kernel: str) -> None:
    result = run_kernel(code, kernel, [64], [64])
    assert result.kind == BAD_BRANCH
    assert kernel in result.message
    if kernel == "jump_away":
        assert "0x1234" in result.message


def test_trap(code: bytes) -> None:
    result = run_kernel(code, "assertion", [64], [64])
    assert result.kind == TRAP
    assert "assert" in result.message
    assert "thread:       (28,0,0)" in result.message


def test_instruction_limit(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VROCM_INSTRUCTION_LIMIT", "1e6")
    result = run_kernel(code, "forever", [64 * 8], [64])
    assert result.kind == HANG
    assert "1000000 wave instructions" in result.message
    assert "VROCM_INSTRUCTION_LIMIT" in result.message
    assert result.stats.instructions < 100e6


SHORT_GROUPS = """
__attribute__((amdgpu_kernel)) void work(__attribute__((address_space(1))) unsigned *out) {
  for (unsigned i = 0; i < 250; ++i) __asm__ volatile("s_nop 0");
  out[__builtin_amdgcn_workgroup_id_x()] = 1;
}
"""


@pytest.mark.parametrize("mode", ["off", "sampled", "full"])
@pytest.mark.parametrize("threads", ["1", "4"])
@pytest.mark.parametrize("limit", [1000, 2_000_000])
def test_instruction_limit_of_groups_that_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int, threads: str, mode: str
) -> None:
    """The limit is of the whole dispatch, however short its workgroups are."""
    groups = 20_000
    monkeypatch.setenv("VROCM_INSTRUCTION_LIMIT", str(limit))
    monkeypatch.setenv("VROCM_THREADS", threads)
    monkeypatch.setenv("VROCM_TIMING", mode)
    code = compile_c(tmp_path, SHORT_GROUPS, "gfx942", "-O2")
    out = np.zeros(groups, np.uint32)
    result = run_kernel(code, "work", [64 * groups], [64], [out])
    assert result.kind == HANG
    assert f"{limit} wave instructions" in result.message
    assert not out.all()


def test_time_limit(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VROCM_TIMEOUT", "0.05")
    result = run_kernel(code, "forever", [64], [64])
    assert result.kind == HANG
    assert "no workgroup has ended" in result.message


@pytest.mark.parametrize(
    ("grid", "group", "extra", "text"),
    [
        ([2048], [2048], {}, "2048 work-items"),
        ([64], [0], {}, "workgroup is 0"),
        ([0], [64], {}, "grid is 0"),
        ([64], [64], {"group_segment_size": 70000}, "70000 bytes of LDS"),
    ],
)
def test_launches_that_cannot_start(
    code: bytes, grid: list[int], group: list[int], extra: dict[str, int], text: str
) -> None:
    result = run_kernel(code, "work", grid, group, [], None, **extra)
    assert result.kind == UNSUPPORTED
    assert text in result.message


SOURCE = """\
__attribute__((noinline)) static void put(__attribute__((address_space(1))) int *p, int i, int v) {
  p[i] = v;                       // line 2
}
__attribute__((amdgpu_kernel, visibility("protected"))) void
_Z5crashPii(__attribute__((address_space(1))) int *p, int n) {
  int i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  if (i == n)
    put(p, (1 << 18) + 3, i);
  p[i] = i;                       // line 9
}
"""


@pytest.fixture(scope="module", params=["-gdwarf-4", "-gdwarf-5"])
def debug_code(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("debug")
    return compile_c(folder, SOURCE, "gfx942", "-O1", request.param)


def test_source_line_and_demangled_name(debug_code: bytes) -> None:
    out = np.zeros(1 << 18, np.int32)
    result = run_kernel(debug_code, "_Z5crashPii", [256], [64], [out, 200])
    assert result.kind == MEMORY_VIOLATION
    assert "crash(int*, int)" in result.message
    assert "kernel.c:2\n" in result.message
    assert "workgroup:    (3,0,0)" in result.message
    assert "thread:       (8,0,0)" in result.message
    assert "12 bytes past the end of the 1048576-byte device allocation" in result.message


def test_damaged_debug_information_is_survived(debug_code: bytes) -> None:
    """Bytes of the ELF after the code change at random: the fault is still reported, in some form."""
    out = np.zeros(1 << 18, np.int32)
    start = debug_code.index(b".debug_") if b".debug_" in debug_code else len(debug_code) // 2
    lower = min(start, len(debug_code) // 2)
    rng = random.Random(7)
    for _ in range(200):
        damaged = bytearray(debug_code)
        for _ in range(rng.randrange(1, 40)):
            damaged[rng.randrange(lower, len(damaged))] = rng.randrange(256)
        result = run_kernel(bytes(damaged), "_Z5crashPii", [256], [64], [out, 200])
        assert result.kind in (MEMORY_VIOLATION, UNSUPPORTED), result.message
