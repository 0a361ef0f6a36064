"""Occupancy against what LLVM's AMDGPU backend writes into the assembly of kernels with known resources."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.commands import SECONDS

from rocm_perf_lab.analysis.residency import Demand, residency
from rocm_perf_lab.arch.device import device
from rocm_perf_lab.arch.limits import DeviceLimits
from vrocm.hipcc import toolchain


@dataclass(frozen=True)
class Kernel:
    threads: int
    vgprs: int = 24
    accum_vgprs: int = 0
    scalars: int = 0
    lds: int = 0

    def text(self, name: str) -> str:
        """IR of a kernel that claims its registers by clobbering the last of each kind."""
        last = {"v": self.vgprs, "a": self.accum_vgprs, "s": self.scalars}
        clobbers = ",".join(f"~{{{kind}{count - 1}}}" for kind, count in last.items() if count)
        touch = f'  call void asm sideeffect "", "v"(ptr addrspace(3) @lds_{name})\n' if self.lds else ""
        array = f"@lds_{name} = internal addrspace(3) global [{self.lds} x i8] poison\n" if self.lds else ""
        return (
            f"{array}define amdgpu_kernel void @{name}() #{name[1:]} {{\n"
            f'  call void asm sideeffect "", "{clobbers}"()\n{touch}  ret void\n}}\n'
            f'attributes #{name[1:]} = {{ "amdgpu-flat-work-group-size"="{self.threads},{self.threads}" }}\n'
        )


@dataclass(frozen=True)
class Answer:
    occupancy: int  # waves per SIMD
    sgprs: int  # with those that the compiler adds


def ask_llvm(folder: Path, architecture: str, options: list[str], kernels: list[Kernel]) -> list[Answer]:
    source, assembly = folder / "kernels.ll", folder / "kernels.s"
    text = "".join(kernel.text(f"k{index}") for index, kernel in enumerate(kernels))
    source.write_text(f'target triple = "amdgcn-amd-amdhsa"\n{text}')
    command = [*toolchain.find().clang, "-x", "ir", "-S", "-nogpulib", "-target", "amdgcn-amd-amdhsa"]
    subprocess.run(
        [*command, f"-mcpu={architecture}", *options, str(source), "-o", str(assembly)],
        check=True,
        capture_output=True,
        timeout=SECONDS,
    )
    pattern = r"^k\d+:.*?; TotalNumSgprs: (\d+).*?; Occupancy: (\d+)"
    found = re.findall(pattern, assembly.read_text(), re.MULTILINE | re.DOTALL)
    assert len(found) == len(kernels)
    return [Answer(occupancy=int(waves), sgprs=int(sgprs)) for sgprs, waves in found]


def kernels_for(limits: DeviceLimits, wave_size: int) -> list[Kernel]:
    # LLVM 22 does not round LDS up to what hardware takes at a time: whole granules, so that it need not.
    most = limits.lds_bytes_per_workgroup
    lds = [most // parts // limits.lds_granule * limits.lds_granule for parts in (1, 2, 3, 5, 8, 13, 20, 31)]
    sizes = [waves * wave_size for waves in (1, 2, 3, 4, 5, 8, 11, 16)]
    kernels = [Kernel(threads=wave_size, vgprs=count) for count in range(1, 257)]
    kernels += [Kernel(threads=size, lds=size_of_lds) for size in sizes for size_of_lds in (0, *lds)]
    kernels += [Kernel(threads=size, vgprs=count) for size in sizes for count in (48, 72, 96, 128)]
    if limits.accumulation != "none":
        kernels += [
            Kernel(threads=wave_size, vgprs=count, accum_vgprs=accum)
            for count in (1, 30, 61, 64, 97, 256)
            for accum in (1, 7, 64, 67, 130, 256)
        ]
    if limits.sgpr_steps:
        kernels += [Kernel(threads=wave_size, scalars=count) for count in range(70, 97)]
    return kernels


CDNA = [(name, 64, False) for name in ("gfx906", "gfx908", "gfx90a", "gfx942", "gfx950")]
RDNA = [
    (name, wave_size, False)
    for name in ("gfx1010", "gfx1030", "gfx1100", "gfx1102", "gfx1150", "gfx1151", "gfx1200")
    for wave_size in (32, 64)
]
CU_MODE = [("gfx1030", 64, True), ("gfx1100", 32, True)]


@pytest.mark.parametrize(("architecture", "wave_size", "cu_mode"), [*CDNA, *RDNA, *CU_MODE])
def test_equal(architecture: str, wave_size: int, cu_mode: bool, tmp_path: Path) -> None:
    limits = device(architecture)
    assert limits is not None
    options = []
    if limits.pairs_of_units:
        options = [
            "-mwavefrontsize64" if wave_size == 64 else "-mno-wavefrontsize64",
            "-mcumode" if cu_mode else "-mno-cumode",
        ]
    kernels = kernels_for(limits, wave_size)
    answers = ask_llvm(tmp_path, architecture, options, kernels)
    different = []
    for kernel, answer in zip(kernels, answers, strict=True):
        fits = residency(
            limits,
            Demand(
                threads=kernel.threads,
                wave_size=wave_size,
                arch_vgprs=kernel.vgprs,
                accum_vgprs=kernel.accum_vgprs,
                sgprs=answer.sgprs,
                lds_bytes=kernel.lds,
                cu_mode=cu_mode,
            ),
        )
        # LLVM counts the waves of the fullest SIMD and supposes that every kernel can run. It works out
        # registers and groups apart and answers with the lower of the two.
        by_registers = min(fits.capacity.get(kind, fits.slots) for kind in ("vgpr", "sgpr")) // fits.simds
        by_groups = min(fits.limits.get(kind, fits.slots) for kind in ("waves", "lds", "barriers"))
        fullest = -(-by_groups * fits.waves_per_group // fits.simds)
        ours = max(1, min(by_registers, fullest, limits.wave_slots_per_simd))
        if ours != answer.occupancy:
            different.append((kernel, answer, ours))
    assert different == []
