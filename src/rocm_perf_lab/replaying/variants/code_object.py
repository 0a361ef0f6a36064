"""Takes the code object with a variant of a captured kernel out of whatever a build made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.codeobj.arguments import ArgumentMetadata, arguments_of_kernel
from rocm_perf_lab.codeobj.bundles import COMPRESSED_MAGIC, MAGIC, BadBundle, entries
from rocm_perf_lab.codeobj.elf import MACHINE_AMDGPU, Elf, NotAnElf
from rocm_perf_lab.codeobj.elf import MAGIC as ELF_MAGIC
from rocm_perf_lab.codeobj.kernels import BUNDLE_SECTION
from rocm_perf_lab.codeobj.metadata import NoMetadata, kernels_of_code_object
from rocm_perf_lab.codeobj.target import target_of
from rocm_perf_lab.cxx_names import demangle
from rocm_perf_lab.errors import BadInput, NotReplayable

_MOST_NAMED = 8


@dataclass(frozen=True)
class VariantCode:
    content: bytes
    target: str
    """For example gfx942:sramecc+:xnack-."""


def take_out(built: Path, kernel: str, isa: str, original: bytes) -> VariantCode:
    """``kernel``: mangled name; ``isa``: of the captured GPU; ``original``: the captured code object."""
    wanted = isa.rpartition("--")[2]
    try:
        found = list(_code_objects(built.read_bytes()))
        fitting = [one for one in found if fits(one.target, wanted)]
        names = {kernel for one in fitting for kernel in _kernels(one.content)}
        for one in fitting:
            if kernel in _kernels(one.content):
                check_signature(original, one.content, kernel)
                return one
    except (NotAnElf, BadBundle, NoMetadata, OSError) as error:
        raise BadInput(f"{built.name}: its device code cannot be read: {error}") from error
    if not found:
        raise BadInput(f"{built.name} has no device code", "build what has the kernel in it")
    if not fitting:
        targets = ", ".join(sorted({one.target for one in found}))
        raise NotReplayable(
            f"{built.name} was built for {targets}; the capture is of {wanted}",
            f"add --offload-arch={wanted.split(':')[0]} to the build",
        )
    others = ", ".join(sorted(map(demangle, names))[:_MOST_NAMED]) or "none"
    raise BadInput(
        f"{built.name} has no kernel {demangle(kernel)}; it has: {others}",
        "keep the kernel's name and its parameters' types: they are part of its symbol",
    )


def fits(target: str, wanted: str) -> bool:
    """Whether code for a target runs where the capture was made: what it leaves open may be either."""
    processor, *features = target.split(":")
    captured, *captured_features = wanted.split(":")
    settled = {one[:-1]: one[-1] for one in captured_features}
    return processor == captured and all(settled.get(one[:-1], one[-1]) == one[-1] for one in features)


def check_signature(original: bytes, variant: bytes, kernel: str) -> None:
    """The captured arguments are given to the variant as they are: it must take the same."""
    first, second = (_explicit(arguments_of_kernel(code, kernel)) for code in (original, variant))
    if [_shape(one) for one in first] != [_shape(one) for one in second]:
        raise BadInput(
            f"the variant takes other arguments: {_shown(second)}; the capture has: {_shown(first)}",
            "keep the kernel's parameters",
        )


def _explicit(arguments: Sequence[ArgumentMetadata]) -> list[ArgumentMetadata]:
    return [one for one in arguments if not one.value_kind.startswith("hidden_")]


def _shape(argument: ArgumentMetadata) -> tuple[int, int, str]:
    return argument.offset, argument.size, argument.value_kind


def _shown(arguments: Sequence[ArgumentMetadata]) -> str:
    return (
        ", ".join(f"{one.name or 'argument'} ({one.size} bytes, {one.value_kind})" for one in arguments)
        or "none"
    )


def _kernels(code_object: bytes) -> set[str]:
    return {kernel.symbol for kernel in kernels_of_code_object(code_object)}


def _code_objects(data: bytes) -> Iterator[VariantCode]:
    if data.startswith((MAGIC, COMPRESSED_MAGIC)):
        yield from _of_bundles(data)
        return
    elf = Elf(data)
    if elf.machine == MACHINE_AMDGPU:
        yield VariantCode(data, target_of(elf.flags, elf.abi_version))
        return
    for section in elf.named_sections(BUNDLE_SECTION):
        yield from _of_bundles(bytes(section))


def _of_bundles(data: bytes) -> Iterator[VariantCode]:
    for entry in entries(data):
        if not entry.triple.startswith("host") and bytes(entry.content[:4]) == ELF_MAGIC:
            elf = Elf(entry.content)
            yield VariantCode(bytes(entry.content), target_of(elf.flags, elf.abi_version))
