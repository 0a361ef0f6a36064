"""Which GPUs a code object is for, by the flags in its ELF header.

The loader goes by them as well. Metadata name the target in as many ways as there are compilers (for gfx942
``amdgcn-amd-amdhsa--gfx942``, ``amdgcn--amdhsa-amdgiz-gfx942``, ``amdgpu9.42-amd-amdhsa-unknown-gfx942``).

Numbers: https://llvm.org/docs/AMDGPUUsage.html#amdgpu-elf-header-e-flags-table-v4-v5
"""

from __future__ import annotations

PROCESSORS = {
    0x20: "gfx600",
    0x21: "gfx601",
    0x22: "gfx700",
    0x23: "gfx701",
    0x24: "gfx702",
    0x25: "gfx703",
    0x26: "gfx704",
    0x28: "gfx801",
    0x29: "gfx802",
    0x2A: "gfx803",
    0x2B: "gfx810",
    0x2C: "gfx900",
    0x2D: "gfx902",
    0x2E: "gfx904",
    0x2F: "gfx906",
    0x30: "gfx908",
    0x31: "gfx909",
    0x32: "gfx90c",
    0x33: "gfx1010",
    0x34: "gfx1011",
    0x35: "gfx1012",
    0x36: "gfx1030",
    0x37: "gfx1031",
    0x38: "gfx1032",
    0x39: "gfx1033",
    0x3A: "gfx602",
    0x3B: "gfx705",
    0x3C: "gfx805",
    0x3D: "gfx1035",
    0x3E: "gfx1034",
    0x3F: "gfx90a",
    0x40: "gfx940",
    0x41: "gfx1100",
    0x42: "gfx1013",
    0x43: "gfx1150",
    0x44: "gfx1103",
    0x45: "gfx1036",
    0x46: "gfx1101",
    0x47: "gfx1102",
    0x48: "gfx1200",
    0x49: "gfx1250",
    0x4A: "gfx1151",
    0x4B: "gfx941",
    0x4C: "gfx942",
    0x4E: "gfx1201",
    0x4F: "gfx950",
    0x51: "gfx9-generic",
    0x52: "gfx10-1-generic",
    0x53: "gfx10-3-generic",
    0x54: "gfx11-generic",
    0x55: "gfx1152",
    0x58: "gfx1153",
    0x59: "gfx12-generic",
    0x5A: "gfx1251",
    0x5F: "gfx9-4-generic",
}
_PROCESSOR, _SRAMECC, _XNACK = 0xFF, 0xC00, 0x300
_SETTINGS: dict[int, str] = {2: "-", 3: "+"}  # of a feature; 0: the processor has none, 1: either will do
_SRAMECC_V3, _XNACK_V3 = 0x200, 0x100  # on, in code objects of version 3
_ABI_V4 = 2


def target_of(flags: int, abi_version: int) -> str:
    """For example gfx90a:sramecc+:xnack-; features that the code leaves open are not in it."""
    number = flags & _PROCESSOR
    name = PROCESSORS.get(number, f"processor-{number:#x}")
    if abi_version < _ABI_V4:
        sramecc = "+" if flags & _SRAMECC_V3 else None
        xnack = "+" if flags & _XNACK_V3 else None
    else:
        sramecc = _SETTINGS.get((flags & _SRAMECC) >> 10)
        xnack = _SETTINGS.get((flags & _XNACK) >> 8)
    features = {"sramecc": sramecc, "xnack": xnack}
    return name + "".join(f":{feature}{setting}" for feature, setting in features.items() if setting)
