"""Code objects of every version and kind of architecture that the compiler makes can be read."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.commands import SECONDS

from rocm_perf_lab.codeobj.kernels import kernels_in_file
from rocm_perf_lab.codeobj.metadata import KernelMetadata
from vrocm.hipcc import toolchain

KERNEL = """
target triple = "amdgcn-amd-amdhsa"
@tile = internal addrspace(3) global [1000 x i8] poison
define amdgpu_kernel void @kernel(ptr addrspace(1) %out, i32 %n) #0 {{
  call void asm sideeffect "", "~{{v40}}{accumulation}"()
  call void asm sideeffect "", "v"(ptr addrspace(3) @tile)
  store i32 %n, ptr addrspace(1) %out
  ret void
}}
attributes #0 = {{ "amdgpu-flat-work-group-size"="1,192" }}
"""


def compiled(folder: Path, architecture: str, *options: str) -> KernelMetadata:
    tools = toolchain.find()
    accumulation = ",~{a10}" if architecture in ("gfx908", "gfx90a", "gfx942", "gfx950") else ""
    source, made, linked = folder / "kernel.ll", folder / "kernel.o", folder / "kernel.co"
    source.write_text(KERNEL.format(accumulation=accumulation))
    compile_ = [*tools.clang, "-x", "ir", "-c", "-nogpulib", "-target", "amdgcn-amd-amdhsa"]
    for command in (
        [*compile_, f"-mcpu={architecture}", *options, str(source), "-o", str(made)],
        [*tools.device_linker, "-shared", str(made), "-o", str(linked)],
    ):
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
    found = kernels_in_file(linked)
    assert set(found) == {"kernel"}
    return found["kernel"]


@pytest.mark.parametrize("version", [4, 5, 6])
@pytest.mark.parametrize("architecture", ["gfx906", "gfx908", "gfx90a", "gfx942", "gfx950"])
def test_cdna(architecture: str, version: int, tmp_path: Path) -> None:
    kernel = compiled(tmp_path, architecture, f"-mcode-object-version={version}")
    assert kernel.architecture.split(":")[0] == architecture
    # In one file: 41 up to a multiple of 4, then 11. With a file each, the larger count is given.
    counts = {"gfx906": (41, None), "gfx908": (41, 11)}.get(architecture, (44, 11))
    assert (kernel.arch_vgprs, kernel.accum_vgprs) == counts
    assert (kernel.lds_static_bytes, kernel.max_workgroup_size, kernel.wave_size) == (1000, 192, 64)
    assert (kernel.vgpr_spills, kernel.sgpr_spills, kernel.scratch_bytes) == (0, 0, 0)
    assert kernel.kernarg_bytes is not None
    assert kernel.kernarg_bytes >= 12
    assert kernel.code_bytes
    assert kernel.cu_mode is None


@pytest.mark.parametrize("architecture", ["gfx1030", "gfx1100", "gfx1151", "gfx1201"])
@pytest.mark.parametrize("wave_size", [32, 64])
@pytest.mark.parametrize("cu_mode", [False, True])
def test_rdna(architecture: str, wave_size: int, cu_mode: bool, tmp_path: Path) -> None:
    kernel = compiled(
        tmp_path,
        architecture,
        "-mwavefrontsize64" if wave_size == 64 else "-mno-wavefrontsize64",
        "-mcumode" if cu_mode else "-mno-cumode",
    )
    assert (kernel.arch_vgprs, kernel.accum_vgprs) == (41, None)
    assert (kernel.wave_size, kernel.cu_mode) == (wave_size, cu_mode)
