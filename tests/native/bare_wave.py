"""One bare wave of the simulator: assemble text, set registers and memory, run, look at what came out."""

from __future__ import annotations

import ctypes
import itertools
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from elftools.elf.elffile import ELFFile
from numpy.typing import NDArray

LANES = 64
ALL = (1 << LANES) - 1
EXEC, VCC, M0 = 126, 106, 124
DEFAULT_MODE = 0x3F0  # round to nearest even, keep denormals, DX10_CLAMP, IEEE
LANE = np.arange(LANES)

# sim::Fault::Kind
NONE, MEMORY_VIOLATION, MISALIGNED, ILLEGAL, UNSUPPORTED, TRAP, HANG, BAD_BRANCH = range(8)


class _State(ctypes.Structure):
    _fields_ = [
        ("v", ctypes.c_uint32 * LANES * 512),
        ("s", ctypes.c_uint32 * 128),
        ("scc", ctypes.c_uint32),
        ("mode", ctypes.c_uint32),
        ("lds", ctypes.c_uint8 * 65536),
        ("pc_reached", ctypes.c_uint64),
    ]


@cache
def library() -> ctypes.CDLL:
    """libvrocm-sim.so: VROCM_SIM_LIBRARY if set, else the installed one, else the newest below build/."""
    root = Path(__file__).parents[2]
    candidates = [Path(p) for p in [os.environ.get("VROCM_SIM_LIBRARY", "")] if p]
    candidates += [Path(p) / "vrocm" / "lib" / "libvrocm-sim.so" for p in sys.path]
    candidates += sorted(root.glob("build/**/libvrocm-sim.so"), key=lambda p: -p.stat().st_mtime)
    for path in candidates:
        if path.exists():
            return ctypes.CDLL(str(path))
    raise FileNotFoundError("libvrocm-sim.so is not built; set VROCM_SIM_LIBRARY to where it is")


@cache
def instructions(arch: str, *formats: str) -> frozenset[str]:
    """Mnemonics of the instruction table in these formats."""
    listing = library().vrocm_instruction_list
    listing.restype = ctypes.c_char_p
    rows = [line.split() for line in listing(arch.encode()).decode().splitlines()]
    return frozenset(row[0] for row in rows if row[1] in formats)


def assemble(arch: str, snippets: Sequence[str]) -> list[bytes]:
    """Machine code of each snippet, s_endpgm added. One call of the assembler for all of them."""
    lines = []
    for number, text in enumerate(snippets):
        lines += [f"snippet_{number}:", *(line.strip() for line in text.strip().splitlines()), "s_endpgm"]
    lines.append(f"snippet_{len(snippets)}:")
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "code.s", Path(folder) / "code.o"
        source.write_text("\n".join(lines) + "\n")
        command = [sys.executable, "-m", "ziglang", "clang", "--target=amdgcn-amd-amdhsa", f"-mcpu={arch}"]
        command += ["-c", "-x", "assembler", str(source), "-o", str(target)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr[:4000])
        with target.open("rb") as stream:
            elf = ELFFile(stream)
            text = elf.get_section_by_name(".text").data()
            symbols = elf.get_section_by_name(".symtab").iter_symbols()
            place = {symbol.name: symbol["st_value"] for symbol in symbols}
    ends = [place[f"snippet_{number}"] for number in range(len(snippets) + 1)]
    return [text[a:b] for a, b in itertools.pairwise(ends)]


class Memory:
    """A block that the code under test may touch; nothing around it is."""

    def __init__(self, data: NDArray[np.generic]) -> None:
        self.bytes = np.ascontiguousarray(data).view(np.uint8).reshape(-1).copy()

    @property
    def address(self) -> int:
        return int(self.bytes.ctypes.data)

    def view(self, dtype: type[np.generic]) -> NDArray[np.generic]:
        return self.bytes.view(dtype)


class Wave:
    """Registers, LDS and memory of a wave before and after a run."""

    def __init__(self, arch: str = "gfx942", memory: Memory | None = None) -> None:
        self.arch = arch
        self.memory = memory
        self._state = _State()
        self._state.mode = DEFAULT_MODE
        self.v = np.ctypeslib.as_array(self._state.v)
        self.s = np.ctypeslib.as_array(self._state.s)
        self.lds = np.ctypeslib.as_array(self._state.lds)
        self.exec = ALL
        self.message = ""

    @property
    def exec(self) -> int:
        return self.s64(EXEC)

    @exec.setter
    def exec(self, mask: int) -> None:
        self.set_s64(EXEC, mask)

    @property
    def scc(self) -> int:
        return int(self._state.scc)

    @scc.setter
    def scc(self, value: int) -> None:
        self._state.scc = value

    @property
    def mode(self) -> int:
        return int(self._state.mode)

    @mode.setter
    def mode(self, value: int) -> None:
        self._state.mode = value

    @property
    def pc_reached(self) -> int:
        return int(self._state.pc_reached)

    def s64(self, register: int) -> int:
        return int(self.s[register]) | int(self.s[register + 1]) << 32

    def set_s64(self, register: int, value: int) -> None:
        self.s[register] = value & 0xFFFFFFFF
        self.s[register + 1] = value >> 32 & 0xFFFFFFFF

    def v64(self, register: int) -> NDArray[np.uint64]:
        return self.v[register].astype(np.uint64) | self.v[register + 1].astype(np.uint64) << np.uint64(32)

    def set_v64(self, register: int, values: NDArray[np.generic]) -> None:
        wide = np.asarray(values, dtype=np.uint64)
        self.v[register] = (wide & np.uint64(0xFFFFFFFF)).astype(np.uint32)
        self.v[register + 1] = (wide >> np.uint64(32)).astype(np.uint32)

    def run(self, code: bytes, limit: int = 1_000_000) -> int:
        """The kind of fault, 0 when the code ended."""
        message = ctypes.create_string_buffer(4096)
        execute = library().vrocm_execute
        execute.argtypes = [
            ctypes.c_char_p,
            ctypes.c_char_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_void_p,
        ]
        execute.argtypes += [ctypes.c_size_t, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_size_t]
        address, size = (self.memory.address, self.memory.bytes.size) if self.memory else (None, 0)
        kind = execute(
            self.arch.encode(),
            code,
            len(code),
            ctypes.byref(self._state),
            address,
            size,
            limit,
            message,
            4096,
        )
        self.message = message.value.decode()
        return int(kind)


def active(mask: int) -> NDArray[np.bool_]:
    """The mask as one truth value per lane."""
    return (np.uint64(mask) >> LANE.astype(np.uint64) & np.uint64(1)).astype(bool)


def merged(old: NDArray[np.generic], new: NDArray[np.generic], mask: int) -> NDArray[np.generic]:
    """A register after an instruction wrote `new` in the active lanes."""
    return np.where(active(mask), new, old)


Registers = Mapping[int, NDArray[np.generic]]
