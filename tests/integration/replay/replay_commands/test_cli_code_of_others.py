"""What other compilers name their target in metadata stands in the way of no capture and of no replay.

Which GPU a code object is for is in its header, and alike in all: that is what the loader goes by.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import HipProgram, RocmPerf, succeed
from tests.native.codeobj.containers import ZLIB, ZSTD, bundle, compressed

from rocm_perf_lab.codeobj.elf import Elf
from rocm_perf_lab.codeobj.kernels import kernels_in_file
from rocm_perf_lab.codeobj.metadata import kernels_of_code_object, metadata_of

KERNEL = """
#define GLOBAL __attribute__((address_space(1)))
__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(1, 256)))
void scale(GLOBAL const int *in, GLOBAL int *out, int count) {
    int i = __builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x();
    if (i < count) out[i] = EXPRESSION;
}
"""
# As found in what each of them compiles: the name in the metadata, and the features in the header.
COMPILERS = {
    "Triton and IREE": ("amdgpu9.42-amd-amdhsa-unknown-gfx942", "gfx942"),
    "XLA": ("amdgcn--amdhsa-amdgiz-gfx942:sramecc+:xnack-", "gfx942:sramecc+:xnack-"),
}

Assembled = Callable[..., Path]


@pytest.fixture(scope="module")
def assembled(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Assembled:
    """assembled(compiler, expression): a code object as that compiler writes them."""

    def make(compiler: str, expression: str) -> Path:
        name, target = COMPILERS[compiler]
        folder = tmp_path_factory.mktemp("code")
        zig = [sys.executable, "-m", "ziglang"]
        clang = [*zig, "clang", "--target=amdgcn-amd-amdhsa", f"-mcpu={target}", "-nogpulib"]
        (folder / "scale.c").write_text(KERNEL.replace("EXPRESSION", expression))
        succeed(*clang, "-O2", "-S", "scale.c", "-o", "scale.s", environment=environment, cwd=folder)
        text, renamed = re.subn(
            r"(amdhsa\.target: *)\S+", rf"\1'{name}'", (folder / "scale.s").read_text(), count=1
        )
        assert renamed == 1
        (folder / "scale.s").write_text(text)
        succeed(*clang, "-c", "scale.s", "-o", "scale.o", environment=environment, cwd=folder)
        succeed(
            *zig, "ld.lld", "-shared", "scale.o", "-o", "scale.hsaco", environment=environment, cwd=folder
        )
        return folder / "scale.hsaco"

    return make


@pytest.mark.parametrize("compiler", COMPILERS)
def test_from_capture_to_a_small_one(
    compiler: str,
    assembled: Assembled,
    hip_program: HipProgram,
    rocm_perf: RocmPerf,
    tmp_path: Path,
) -> None:
    code = assembled(compiler, "3 * in[i]")
    name, target = COMPILERS[compiler]
    assert metadata_of(Elf(code.read_bytes()))["amdhsa.target"] == name
    assert [kernel.architecture for kernel in kernels_of_code_object(code.read_bytes())] == [target]

    program = hip_program(Path(__file__).parent / "load_module.hip")
    capture = tmp_path / "capture"
    done = rocm_perf("capture", "--kernel", "scale", "--out", capture, "--", program, code)
    assert done.code == 0, done.stderr

    replayed = rocm_perf("replay", "full-vm", capture, "--iterations", 2, "--json")
    assert replayed.code == 0, replayed.stderr
    assert [one["differing_bytes"] for one in replayed.document["agreement"]] == [0, 0]

    same, other = assembled(compiler, "in[i] + 2 * in[i]"), assembled(compiler, "in[i] + 3")
    for variant, code_wanted, verdict in ((same, 0, "passed"), (other, 10, "failed")):
        judged = rocm_perf("replay", "validate", capture, "--hsaco", variant, "--runs", 2, "--json")
        assert judged.code == code_wanted, judged.stderr
        assert judged.document["verdict"] == verdict
        assert judged.document["negative_control"]["found_out"]

    small = rocm_perf("replay", "minimise", capture, "--out", tmp_path / "small", "--runs", 2, "--json")
    assert small.code == 0, small.stderr
    assert small.document["after"]["bytes_on_disk"] < small.document["before"]["bytes_on_disk"]
    again = rocm_perf("replay", "full-vm", tmp_path / "small", "--json")
    assert again.code == 0, again.stderr


@pytest.mark.parametrize("method", [ZLIB, ZSTD], ids=["zlib", "zstd"])
@pytest.mark.parametrize("version", [2, 3])
def test_compressed_bundles_run_and_are_read(
    version: int,
    method: int,
    assembled: Assembled,
    hip_program: HipProgram,
    environment: dict[str, str],
    tmp_path: Path,
) -> None:
    code = assembled("XLA", "3 * in[i]").read_bytes()
    bundles = bundle({"gfx90a": code, "gfx942": code})
    (tmp_path / "code.co").write_bytes(compressed(bundles, version, method))
    program = hip_program(Path(__file__).parent / "load_module.hip")
    succeed(program, tmp_path / "code.co", environment=environment)
    assert set(kernels_in_file(tmp_path / "code.co", "gfx942")) == {"scale"}
