"""What a code object's metadata says of its kernels.

Format: https://llvm.org/docs/AMDGPUUsage.html#code-object-metadata (version 3 and later: msgpack in a note).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocm_perf_lab.codeobj.elf import Elf, NotAnElf
from rocm_perf_lab.codeobj.target import target_of

NOTE_NAME = b"AMDGPU"
NOTE_METADATA = 32  # NT_AMDGPU_METADATA
NOTE_METADATA_V2 = (b"AMD", 10)  # NT_AMD_HSA_METADATA: YAML


class NoMetadata(ValueError):
    """A code object without metadata that this reads; says why."""


@dataclass(frozen=True, kw_only=True)
class KernelMetadata:
    """Counts as the compiler wrote them: exact, not rounded up to what hardware allocates."""

    symbol: str
    """Mangled, without the .kd of its descriptor."""
    architecture: str
    """For example gfx942 or gfx90a:sramecc+:xnack-."""
    arch_vgprs: int | None
    """Rounded up to a multiple of 4 where accumulation registers follow them."""
    accum_vgprs: int | None
    sgprs: int | None
    vgpr_spills: int | None
    sgpr_spills: int | None
    lds_static_bytes: int | None
    scratch_bytes: int | None
    """Per lane, without what a dynamic stack adds."""
    kernarg_bytes: int | None
    max_workgroup_size: int | None
    wave_size: int | None
    uses_dynamic_stack: bool | None
    cu_mode: bool | None
    """RDNA: compiled for one compute unit (True) or a pair (False); None where there is no such choice."""
    code_bytes: int | None


def kernels_of_code_object(data: bytes) -> list[KernelMetadata]:
    """Raises NotAnElf or NoMetadata."""
    elf = Elf(data)
    document = metadata_of(elf)
    target = target_of(elf.flags, elf.abi_version)
    sizes = dict(elf.symbol_sizes())
    return [
        _kernel(kernel, target, sizes)
        for kernel in _list(document.get("amdhsa.kernels"))
        if isinstance(kernel, dict) and isinstance(kernel.get(".symbol"), str)
    ]


def metadata_of(elf: Elf) -> Mapping[str, Any]:
    """The whole metadata, as the compiler wrote it; raises NoMetadata."""
    import msgpack  # type: ignore[import-untyped]

    for name, kind, content in elf.notes():
        if name == NOTE_NAME and kind == NOTE_METADATA:
            try:
                document = msgpack.unpackb(content, raw=False, strict_map_key=False)
            except Exception as error:  # msgpack has many, from ValueError to its own
                raise NoMetadata(f"its metadata is damaged ({error})") from error
            if not isinstance(document, dict):
                raise NoMetadata("its metadata is not a map")
            return document
        if (name, kind) == NOTE_METADATA_V2:
            raise NoMetadata("it is a code object of version 2, whose metadata is not read")
    raise NoMetadata("it has no metadata")


def _kernel(kernel: Mapping[str, Any], target: str, sizes: Mapping[str, int]) -> KernelMetadata:
    symbol = str(kernel[".symbol"]).removesuffix(".kd")
    total, accum = _count(kernel, ".vgpr_count"), _count(kernel, ".agpr_count")
    # From gfx90a on .vgpr_count counts both kinds in one file; on gfx908 it is the larger of the two.
    unified = total is not None and accum is not None and not target.startswith("gfx908")
    pair = kernel.get(".workgroup_processor_mode")
    stack = kernel.get(".uses_dynamic_stack")
    return KernelMetadata(
        symbol=symbol,
        architecture=target,
        arch_vgprs=total - accum if unified and total is not None and accum is not None else total,
        accum_vgprs=accum,
        sgprs=_count(kernel, ".sgpr_count"),
        vgpr_spills=_count(kernel, ".vgpr_spill_count"),
        sgpr_spills=_count(kernel, ".sgpr_spill_count"),
        lds_static_bytes=_count(kernel, ".group_segment_fixed_size"),
        scratch_bytes=_count(kernel, ".private_segment_fixed_size"),
        kernarg_bytes=_count(kernel, ".kernarg_segment_size"),
        max_workgroup_size=_count(kernel, ".max_flat_workgroup_size"),
        wave_size=_count(kernel, ".wavefront_size"),
        uses_dynamic_stack=bool(stack) if stack is not None else None,
        cu_mode=not pair if pair is not None else None,
        code_bytes=sizes.get(symbol),
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _count(kernel: Mapping[str, Any], key: str) -> int | None:
    value = kernel.get(key)
    return value if isinstance(value, int) and value >= 0 else None


__all__ = ["KernelMetadata", "NoMetadata", "NotAnElf", "kernels_of_code_object", "metadata_of"]
