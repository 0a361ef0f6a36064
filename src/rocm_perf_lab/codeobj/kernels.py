"""The kernels in a file: an executable or library, an offload bundle, or a code object."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from rocm_perf_lab.codeobj.bundles import COMPRESSED_MAGIC, MAGIC, BadBundle, entries
from rocm_perf_lab.codeobj.elf import MACHINE_AMDGPU, Elf, NotAnElf
from rocm_perf_lab.codeobj.elf import MAGIC as ELF_MAGIC
from rocm_perf_lab.codeobj.metadata import KernelMetadata, NoMetadata, kernels_of_code_object
from rocm_perf_lab.codeobj.target import target_of
from rocm_perf_lab.cxx_names import demangle
from rocm_perf_lab.errors import BadInput

BUNDLE_SECTION = ".hip_fatbin"


def kernels_in_file(path: Path | str, architecture: str | None = None) -> dict[str, KernelMetadata]:
    """Kernels by mangled and by demangled name; empty where the file has no device code.

    ``path`` may be a code object's URI in a trace: ``file://program#offset=4096&size=8192``. With
    ``architecture`` only its code objects count. A name is left out that kernels with different needs have
    (of several architectures, or static ones of several sources): nobody could say which one ran.
    """
    try:
        compiled = [
            kernel
            for code_object in code_objects_in(_content(path), architecture)
            for kernel in kernels_of_code_object(code_object)
        ]
    except (NotAnElf, BadBundle, NoMetadata) as error:
        raise BadInput(f"{path}: kernels cannot be read: {error}") from error
    found: dict[str, KernelMetadata] = {}
    ambiguous: set[str] = set()
    for kernel in compiled:
        first = found.setdefault(kernel.symbol, kernel)
        if _needs(first) != _needs(kernel):
            ambiguous.add(kernel.symbol)
    certain = {symbol: kernel for symbol, kernel in found.items() if symbol not in ambiguous}
    return certain | {demangle(symbol): kernel for symbol, kernel in certain.items()}


def _needs(kernel: KernelMetadata) -> KernelMetadata:
    """What a kernel needs, whatever it was compiled for."""
    return replace(kernel, architecture="", code_bytes=None)


def kernel_named(kernels: Mapping[str, KernelMetadata], name: str) -> KernelMetadata | None:
    """The kernel that a trace calls ``name``.

    Traces may leave the descriptor's suffix in it, and other demanglers spell some types differently: a
    function name that only one kernel has is enough.
    """
    exact = kernels.get(re.sub(r"( \[clone \.kd\]|\.kd)$", "", name))
    if exact is not None:
        return exact
    function = re.match(r"(?:void )?([A-Za-z_]\w*)\(", name)
    if function is None:
        return None
    mangled = f"_Z{len(function[1])}{function[1]}"
    same = {kernel.symbol: kernel for kernel in kernels.values() if kernel.symbol.startswith(mangled)}
    return next(iter(same.values())) if len(same) == 1 else None


def _content(path: Path | str) -> bytes:
    text = str(path)
    offset, size = 0, -1
    if re.match(r"memory:/", text):
        raise BadInput(f"{text}: this code object was in the memory of a process that has ended")
    if re.match(r"file:/", text):
        parts = urlsplit(text)
        text = unquote(parts.path)
        place = parse_qs(parts.fragment or parts.query)
        try:
            offset = int(place.get("offset", ["0"])[0], 0)
            size = int(place.get("size", ["-1"])[0], 0)
        except ValueError as error:
            raise BadInput(f"{path}: not the URI of a code object") from error
    try:
        with Path(text).open("rb") as file:
            file.seek(offset)
            data = file.read(size)
    except (OSError, ValueError) as error:
        raise BadInput(f"{text}: {error.strerror if isinstance(error, OSError) else error}") from error
    if len(data) < size:
        raise BadInput(
            f"{text}: has no code object of {size} bytes at {offset}",
            remedy="was it rebuilt since the trace?",
        )
    return data


def code_objects_in(data: bytes, architecture: str | None = None) -> Iterator[bytes]:
    """Of a program, library, offload bundle, or the code object that it is itself; raises NotAnElf or
    BadBundle."""
    if data.startswith((MAGIC, COMPRESSED_MAGIC)):
        yield from _of_bundles(data, architecture)
        return
    if not data.startswith(ELF_MAGIC):
        raise NotAnElf("it is no program, offload bundle or code object")
    elf = Elf(data)
    if elf.machine == MACHINE_AMDGPU:
        yield data
        return
    for section in elf.named_sections(BUNDLE_SECTION):
        yield from _of_bundles(bytes(section), architecture)


def _of_bundles(data: bytes, architecture: str | None) -> Iterator[bytes]:
    for entry in entries(data):
        if entry.triple.startswith("host") or not entry.content:
            continue
        if bytes(entry.content[:4]) != ELF_MAGIC:  # SPIR-V or bitcode: compiled when the program runs
            continue
        elf = Elf(entry.content)
        target = target_of(elf.flags, elf.abi_version)
        if architecture is None or target.split(":")[0] == architecture.split(":")[0]:
            yield bytes(entry.content)
