"""Gives damaged device code to the runtime, in every way in which it takes some.

``python feed_runtime.py WAY SEED COUNT FILE...`` ends by itself, or by the signal that a test looks for; the
case at work is written to the file that ``FEED_PROGRESS`` names.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from collections.abc import Callable
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path

from damage import variants
from guarded import Guarded

KERNELS, VARIABLES = (b"add", b"twice"), (b"table", b"place")
BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
LARGE = 1 << 24  # bytes of a variable, more than any code here has behind it
ROOT = Path(os.environ["ROCM_PATH"])


class Wrapper(ctypes.Structure):
    """What the compiler puts around embedded device code."""

    _fields_ = [("magic", c_uint32), ("version", c_uint32), ("binary", c_void_p), ("unused", c_void_p)]


class Hip:
    def __init__(self) -> None:
        self.library = ctypes.CDLL(str(ROOT / "lib" / "libamdhip64.so"))
        self.registering = {
            name: self.library[f"__hip{name}"]  # their names would be mangled as attributes of a class
            for name in ("RegisterFatBinary", "RegisterFunction", "RegisterVar", "UnregisterFatBinary")
        }
        self.registering["RegisterFatBinary"].restype = c_void_p
        assert self.library.hipInit(0) == 0
        self.loaded = 0
        self.room = ctypes.create_string_buffer(LARGE)

    def module(self, function: str, *arguments: object) -> None:
        module = c_void_p()
        if getattr(self.library, function)(byref(module), *arguments) != 0:
            return
        self.loaded += 1
        count = c_uint32()
        self.library.hipModuleGetFunctionCount(byref(count), module)
        for name in KERNELS:
            kernel = c_void_p()
            if self.library.hipModuleGetFunction(byref(kernel), module, name) == 0:
                self.look_at(kernel)
        for name in VARIABLES:
            address, size = c_void_p(), c_size_t()
            if self.library.hipModuleGetGlobal(byref(address), byref(size), module, name) == 0:
                copy = ctypes.create_string_buffer(max(size.value, 1))
                self.library.hipMemcpyDtoH(copy, address, size)
        assert self.library.hipModuleUnload(module) == 0

    def look_at(self, kernel: c_void_p) -> None:
        value, grid, block, blocks = c_int(), c_int(), c_int(), c_int()
        for attribute in range(10):
            self.library.hipFuncGetAttribute(byref(value), attribute, kernel)
        self.library.hipModuleOccupancyMaxPotentialBlockSize(
            byref(grid), byref(block), kernel, c_size_t(0), 0
        )
        for threads in (1, 64, 1024):
            self.library.hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(
                byref(blocks), kernel, threads, c_size_t(0)
            )

    def data(self, address: int, _: bytes) -> None:
        self.module("hipModuleLoadData", c_void_p(address))

    def data_ex(self, address: int, _: bytes) -> None:
        self.module("hipModuleLoadDataEx", c_void_p(address), 0, None, None)

    def file(self, _: int, content: bytes) -> None:
        with tempfile.NamedTemporaryFile() as file:
            file.write(content)
            file.flush()
            self.module("hipModuleLoad", file.name.encode())

    def embedded(self, address: int, content: bytes) -> None:
        """As compiled programs do before main; now and then what is around it is damaged, too."""
        wrapper = Wrapper(0x48495046, 1, address, None)
        if content[-1] % 8 == 0:
            wrapper.binary = int.from_bytes(content[8:16], "little")
        if content[-1] % 8 == 1:
            wrapper.magic ^= content[-1]
        modules = c_void_p(self.registering["RegisterFatBinary"](byref(wrapper)))
        stub, other = ctypes.create_string_buffer(8), ctypes.create_string_buffer(8)
        name = KERNELS[0]
        self.registering["RegisterFunction"](modules, stub, name, name, -1, *[None] * 5)
        variable = VARIABLES[0]
        bytes_said = c_size_t(64 if content[-1] % 2 else LARGE)
        self.registering["RegisterVar"](modules, other, variable, variable, 0, bytes_said, 0, 0)
        attributes = ctypes.create_string_buffer(256)
        self.loaded += self.library.hipFuncGetAttributes(attributes, stub) == 0
        size = c_size_t()
        self.library.hipGetSymbolSize(byref(size), other)
        self.library.hipMemcpyFromSymbol(self.room, other, bytes_said, c_size_t(0), 2)
        self.registering["UnregisterFatBinary"](modules)


class Hsa:
    GPU = 1
    SYMBOL_INFO = range(26)

    def __init__(self) -> None:
        self.library = ctypes.CDLL(str(ROOT / "lib" / "libhsa-runtime64.so"))
        assert self.library.hsa_init() == 0
        self.loaded = 0
        self.agents: list[int] = []

        @ctypes.CFUNCTYPE(c_int, c_uint64, c_void_p)
        def add(agent: int, _: int) -> int:
            kind = c_int()
            self.library.hsa_agent_get_info(c_uint64(agent), 17, byref(kind))
            if kind.value == self.GPU:
                self.agents.append(agent)
            return 0

        self.library.hsa_iterate_agents(add, None)
        self.symbols: list[int] = []

        @ctypes.CFUNCTYPE(c_int, c_uint64, c_uint64, c_uint64, c_void_p)
        def note(_executable: int, _agent: int, symbol: int, _data: int) -> int:
            self.symbols.append(symbol)
            return 0

        self.note = note

    def load(self, reader: c_uint64) -> None:
        executable, agent = c_uint64(), c_uint64(self.agents[0])
        assert self.library.hsa_executable_create_alt(1, 0, None, byref(executable)) == 0
        if not self.library.hsa_executable_load_agent_code_object(executable, agent, reader, None, None):
            self.loaded += not self.library.hsa_executable_freeze(executable, None)
            self.symbols.clear()
            self.library.hsa_executable_iterate_agent_symbols(executable, agent, self.note, None)
            for symbol in self.symbols:
                answer = ctypes.create_string_buffer(1 << 20)
                for attribute in self.SYMBOL_INFO:
                    self.library.hsa_executable_symbol_get_info(c_uint64(symbol), attribute, answer)
        assert self.library.hsa_executable_destroy(executable) == 0
        assert self.library.hsa_code_object_reader_destroy(reader) == 0

    def memory(self, address: int, content: bytes) -> None:
        reader = c_uint64()
        create = self.library.hsa_code_object_reader_create_from_memory
        if create(c_void_p(address), c_size_t(len(content)), byref(reader)) == 0:
            self.load(reader)

    def file(self, _: int, content: bytes) -> None:
        reader = c_uint64()
        with tempfile.TemporaryFile() as file:
            file.write(content)
            file.flush()
            if self.library.hsa_code_object_reader_create_from_file(file.fileno(), byref(reader)) == 0:
                self.load(reader)


class Hiprtc:
    """Link inputs: bitcode, and what is called so."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(str(ROOT / "lib" / "libhiprtc.so"))
        self.loaded = 0

    def link(self, address: int, content: bytes) -> None:
        state, image, size = c_void_p(), c_void_p(), c_size_t()
        assert self.library.hiprtcLinkCreate(0, None, None, byref(state)) == 0
        bitcode = 100  # hipJitInputLLVMBitcode
        for kind in (0, 1, 4, bitcode):
            refused = self.library.hiprtcLinkAddData(
                state, kind, c_void_p(address), c_size_t(len(content)), c_char_p(b"x"), 0, None, None
            )
            assert refused or (kind == bitcode and content[:4] in BITCODE)
        self.loaded += self.library.hiprtcLinkComplete(state, byref(image), byref(size)) == 0
        assert self.library.hiprtcLinkDestroy(state) == 0


def ways(way: str) -> tuple[object, list[Callable[[int, bytes], None]]]:
    if way == "hip":
        hip = Hip()
        return hip, [hip.data, hip.data_ex, hip.file, hip.embedded]
    if way == "hsa":
        hsa = Hsa()
        return hsa, [hsa.memory, hsa.file]
    hiprtc = Hiprtc()
    return hiprtc, [hiprtc.link]


def main(way: str, seed: str, count: str, *files: str) -> None:
    contents = {Path(file).name: Path(file).read_bytes() for file in files}
    runtime, functions = ways(way)
    guarded = Guarded(max(map(len, contents.values())) + 64)
    progress = os.open(os.environ["FEED_PROGRESS"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for index, (name, content) in enumerate(variants(contents, int(seed), int(count))):
        if not content:
            continue
        function = functions[index // len(contents) % len(functions)]
        os.pwrite(progress, f"{name}, by {function.__name__}".ljust(120).encode(), 0)
        function(guarded.put(content), content)
    print(runtime.loaded)  # type: ignore[attr-defined]


if __name__ == "__main__":
    main(*sys.argv[1:])
