"""The limits of each architecture, with the source of every value."""

from __future__ import annotations

from dataclasses import replace

from rocm_perf_lab.arch.limits import DeviceLimits, RegisterFile
from rocm_perf_lab.arch.virtual_gpus import limits_of

_LLVM = "LLVM llvm/lib/Target/AMDGPU/Utils/AMDGPUBaseInfo.cpp"
_USAGE = "LLVM AMDGPUUsage, compute_pgm_rsrc1..3 tables (https://llvm.org/docs/AMDGPUUsage.html)"

_CDNA1 = DeviceLimits(
    architecture="gfx908",
    generation="CDNA1",
    simds_per_cu=4,
    wave_slots_per_simd=10,
    wave_sizes=(64,),
    vgprs={64: RegisterFile(registers=256, granule=4)},
    accumulation="separate",
    sgpr_steps=((80, 10), (88, 9), (100, 8), (102, 7)),
    lds_bytes=65536,
    lds_bytes_per_workgroup=65536,
    lds_granule=512,
    barriers=16,
    pairs_of_units=False,
    max_threads_per_workgroup=1024,
    sources={
        "simds_per_cu": f"{_LLVM}: getEUsPerCU",
        "wave_slots_per_simd": f"{_LLVM}: getMaxWavesPerEU",
        "wave_sizes": "LLVM AMDGPUUsage, processor features",
        "vgprs": f"{_LLVM}: getTotalNumVGPRs, getVGPRAllocGranule",
        "accumulation": f"{_USAGE}: GRANULATED_WORKITEM_VGPR_COUNT, max(vgpr, agpr) on GFX908",
        "sgpr_steps": "LLVM llvm/lib/Target/AMDGPU/AMDGPUSubtarget.cpp: getOccupancyWithNumSGPRs",
        "lds_bytes": f"{_LLVM}: getLocalMemorySize",
        "lds_bytes_per_workgroup": f"{_LLVM}: getAddressableLocalMemorySize",
        "lds_granule": f"{_USAGE}: GRANULATED_LDS_SIZE, 128 dwords",
        "barriers": f"{_LLVM}: getMaxWorkGroupsPerCU",
        "pairs_of_units": f"{_LLVM}: getEUsPerCU",
        "max_threads_per_workgroup": f"{_LLVM}: getMaxFlatWorkGroupSize",
    },
)

# Vega: the same rules without accumulation registers.
_GCN5 = replace(
    _CDNA1,
    architecture="gfx906",
    generation="GCN5",
    accumulation="none",
    sources={**_CDNA1.sources, "accumulation": "LLVM AMDGPUUsage: no MAI instructions before gfx908"},
)

# Those of the virtual GPUs have files of their own.
_CDNA2 = limits_of("gfx90a")
_CDNA3 = limits_of("gfx942")
_CDNA4 = replace(
    _CDNA3,
    architecture="gfx950",
    generation="CDNA4",
    lds_bytes=163840,
    lds_bytes_per_workgroup=163840,
    lds_granule=1280,
    sources={**_CDNA3.sources, "lds_granule": f"{_USAGE}: GRANULATED_LDS_SIZE, 320 dwords on GFX950"},
)

_RDNA2 = replace(
    _CDNA1,
    architecture="gfx1030",
    generation="RDNA2",
    simds_per_cu=2,
    wave_slots_per_simd=16,
    wave_sizes=(32, 64),
    vgprs={32: RegisterFile(registers=1024, granule=16), 64: RegisterFile(registers=512, granule=8)},
    accumulation="none",
    sgpr_steps=(),
    lds_granule=1024,
    pairs_of_units=True,
    sources={
        **_CDNA1.sources,
        "accumulation": "LLVM AMDGPUUsage: no MAI instructions",
        "sgpr_steps": "LLVM AMDGPUSubtarget.cpp: getOccupancyWithNumSGPRs, no limit from GFX10 on",
        # The kernel descriptor counts in 512 bytes (AMDGPUUsage, GRANULATED_LDS_SIZE); hardware takes 1024.
        "lds_granule": "LLVM pull request 224852 (GFX10.3, GFX11, GFX12.0 allocate 1024-byte blocks); Mesa "
        "src/amd/compiler/aco_ir.cpp: lds_alloc_granule. AMDGPUUsage's 512 is the unit of the descriptor",
    },
)
_RDNA1 = replace(
    _RDNA2,
    architecture="gfx1010",
    generation="RDNA1",
    wave_slots_per_simd=20,
    vgprs={32: RegisterFile(registers=1024, granule=8), 64: RegisterFile(registers=512, granule=4)},
    lds_granule=512,
    sources={**_RDNA2.sources, "lds_granule": _CDNA1.sources["lds_granule"]},
)
# Navi 31, Navi 32, Strix Halo and RDNA 4 have half as many again; smaller RDNA 3 parts have RDNA 2's.
_MORE_REGISTERS = {32: RegisterFile(registers=1536, granule=24), 64: RegisterFile(registers=768, granule=12)}
_RDNA3 = replace(
    _RDNA2,
    architecture="gfx1100",
    generation="RDNA3",
    vgprs=_MORE_REGISTERS,
    sources={
        **_RDNA2.sources,
        "vgprs": f"{_LLVM}: getTotalNumVGPRs, getVGPRAllocGranule with Feature1_5xVGPRs",
    },
)
_RDNA3_SMALL = replace(_RDNA2, architecture="gfx1102", generation="RDNA3")
_RDNA35 = replace(_RDNA2, architecture="gfx1150", generation="RDNA3.5")
_RDNA35_LARGE = replace(_RDNA3, architecture="gfx1151", generation="RDNA3.5")
_RDNA4 = replace(_RDNA3, architecture="gfx1200", generation="RDNA4")


def _table() -> dict[str, DeviceLimits]:
    relatives: tuple[tuple[DeviceLimits, tuple[str, ...]], ...] = (
        (_GCN5, ("gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c")),
        (_CDNA1, ("gfx908",)),
        (_CDNA2, ("gfx90a",)),
        (_CDNA3, ("gfx942",)),
        (_CDNA4, ("gfx950",)),
        (_RDNA1, ("gfx1010", "gfx1011", "gfx1012", "gfx1013")),
        (_RDNA2, ("gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036")),
        (_RDNA3, ("gfx1100", "gfx1101")),
        (_RDNA3_SMALL, ("gfx1102", "gfx1103")),
        (_RDNA35, ("gfx1150", "gfx1152", "gfx1153")),
        (_RDNA35_LARGE, ("gfx1151",)),
        (_RDNA4, ("gfx1200", "gfx1201")),
    )
    return {name: replace(limits, architecture=name) for limits, names in relatives for name in names}


LIMITS: dict[str, DeviceLimits] = _table()
