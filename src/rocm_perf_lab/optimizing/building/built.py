"""What the code objects of a program say: kernels, their arguments, and variables that outlive a launch."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.codeobj.arguments import ArgumentMetadata, arguments_of_kernel
from rocm_perf_lab.codeobj.bundles import BadBundle
from rocm_perf_lab.codeobj.elf import Elf, NotAnElf
from rocm_perf_lab.codeobj.kernels import code_objects_in
from rocm_perf_lab.codeobj.metadata import KernelMetadata, NoMetadata, kernels_of_code_object
from rocm_perf_lab.cxx_names import demangle
from rocm_perf_lab.errors import BadInput

_LOADED = (".text", ".rodata", ".data")
_COMPILERS = ("__hip_cuid_", "_DYNAMIC", "__oclc_", "__llvm", ".L", "$")


@dataclass(frozen=True)
class BuiltKernel:
    metadata: KernelMetadata
    arguments: tuple[ArgumentMetadata, ...]

    @property
    def explicit(self) -> tuple[tuple[int, int, str, str | None], ...]:
        """The arguments that the host passes. Hidden ones follow from what the body uses; the runtime fills
        them in."""
        return tuple(
            (argument.offset, argument.size, argument.value_kind, argument.address_space)
            for argument in self.arguments
            if not argument.value_kind.startswith("hidden_")
        )


@dataclass(frozen=True)
class BuiltProgram:
    kernels: Mapping[tuple[str, str], BuiltKernel]
    """By architecture and mangled name."""
    globals: frozenset[tuple[str, str, int]]
    """(architecture, symbol, bytes) of what is in the code objects besides kernels and functions."""
    digest: str
    """Of the instructions and data of all code objects. Names and paths of the build are no part of it."""


def read_built(path: Path) -> BuiltProgram:
    """A program, library, offload bundle or code object."""
    kernels: dict[tuple[str, str], BuiltKernel] = {}
    others: set[tuple[str, str, int]] = set()
    digest = hashlib.sha256()
    try:
        for content in code_objects_in(path.read_bytes()):
            for section in _LOADED:
                for part in Elf(content).named_sections(section):
                    digest.update(hashlib.sha256(part).digest())
            found = kernels_of_code_object(content)
            architecture = found[0].architecture if found else ""
            for kernel in found:
                arguments = tuple(arguments_of_kernel(content, kernel.symbol))
                kernels[architecture, kernel.symbol] = BuiltKernel(kernel, arguments)
            symbols = {kernel.symbol for kernel in found}
            others |= {
                (architecture, name, size)
                for name, size in Elf(content).symbol_sizes()
                if name.removesuffix(".kd") not in symbols and _is_variable(name)
            }
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    except (NotAnElf, BadBundle, NoMetadata) as error:
        raise BadInput(f"{path}: its code objects cannot be read: {error}") from error
    return BuiltProgram(kernels, frozenset(others), digest.hexdigest())


def symbol_of(built: BuiltProgram, name: str) -> tuple[str, str] | None:
    """Symbol and architecture of the kernel that a profile names; None where the program does not have it."""
    for architecture, symbol in built.kernels:
        if name in (symbol, demangle(symbol)):
            return symbol, architecture
    return None


def code_object_of(path: Path, symbol: str, architecture: str) -> bytes:
    """The code object that has a kernel, as replays take it."""
    try:
        for content in code_objects_in(path.read_bytes()):
            for kernel in kernels_of_code_object(content):
                if kernel.symbol == symbol and kernel.architecture == architecture:
                    return content
    except (OSError, NotAnElf, BadBundle, NoMetadata) as error:
        raise BadInput(f"{path}: its code objects cannot be read: {error}") from error
    raise BadInput(f"{path} has no kernel {symbol} for {architecture}")


def _is_variable(name: str) -> bool:
    """No function (these end with their parameters), and none of the symbols that compilers make."""
    return not demangle(name).endswith(")") and not name.startswith(_COMPILERS)
