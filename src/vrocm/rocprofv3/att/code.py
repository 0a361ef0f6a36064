"""The code that traced waves ran: instructions with their source lines, and how hardware classes them."""

from __future__ import annotations

import bisect
import itertools
import re
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from ...code_listing import Function, NoDecoder, functions_of, instructions_of
from ...cxx_names import demangle
from ..errors import RequestRefused
from ..logs.log import LoggedCodeObject


class InstructionCategory(IntEnum):
    NONE = 0
    SMEM = 1
    SALU = 2
    VMEM = 3
    FLAT = 4
    LDS = 5
    VALU = 6
    JUMP = 7
    NEXT = 8
    IMMED = 9
    CONTEXT = 10
    MESSAGE = 11
    BVH = 12


_SMEM = re.compile(
    r"s_(buffer_)?(load|store|atomic|scratch)|s_mem(re?al)?time|s_dcache|s_atc_probe|s_get_waveid"
)
_IMMED = re.compile(
    r"s_(waitcnt|barrier|nop|setprio|sleep|sethalt|setkill|icache_inv|incperflevel|decperflevel|ttracedata"
    r"|set_gpr_idx_(off|mode)|wakeup)"
)
_MESSAGE = re.compile(r"s_(endpgm|sendmsg|trap)")
_JUMP = re.compile(r"s_(c?branch|setpc|swappc|call|rfe)")
_CLASSES = (
    (re.compile(r"v_"), InstructionCategory.VALU),
    (re.compile(r"buffer_|tbuffer_"), InstructionCategory.VMEM),
    (re.compile(r"global_|flat_|scratch_"), InstructionCategory.FLAT),
    (re.compile(r"ds_"), InstructionCategory.LDS),
    (_SMEM, InstructionCategory.SMEM),
    (_IMMED, InstructionCategory.IMMED),
    (_MESSAGE, InstructionCategory.MESSAGE),
    (_JUMP, InstructionCategory.JUMP),
    (re.compile(r"s_"), InstructionCategory.SALU),
)
_VMCNT, _LGKMCNT = re.compile(r"vmcnt\((\d+)\)"), re.compile(r"lgkmcnt\((\d+)\)")


def category_of(text: str) -> InstructionCategory:
    """The class of an instruction; that of a branch which is taken."""
    for pattern, category in _CLASSES:
        if pattern.match(text):
            return category
    return InstructionCategory.NONE


def counts_as_memory(text: str, category: InstructionCategory) -> tuple[bool, bool]:
    """Whether vmcnt and lgkmcnt count the instruction, as LLVM's insertion of waits has it for gfx9."""
    if category is InstructionCategory.VMEM:  # cache invalidations return nothing; a write-back does
        return not text.startswith(("buffer_inv", "buffer_wbinv")), False
    if category is InstructionCategory.FLAT:
        return True, text.startswith("flat_")
    return False, category in (InstructionCategory.LDS, InstructionCategory.SMEM) or text.startswith(
        "s_sendmsg"
    )


@dataclass
class Line:
    """A row of code.json; the last four are totals over all traced waves."""

    number: int
    text: str
    source: str
    code_object: int
    address: int
    category: InstructionCategory = InstructionCategory.NONE
    is_label: bool = False
    waits: bool = False  # s_waitcnt and s_barrier: all of their time is a wait
    is_barrier: bool = False
    vmcnt: int | None = None  # of s_waitcnt: how many may be left
    lgkmcnt: int | None = None
    in_vmcnt: bool = False
    in_lgkmcnt: bool = False
    hit: int = 0
    latency: int = 0
    stall: int = 0
    idle: int = 0


def _line(number: int, text: str, source: str, code_object: int, address: int) -> Line:
    line = Line(number, text, source, code_object, address, category_of(text))
    line.is_barrier = text.startswith("s_barrier")
    line.in_vmcnt, line.in_lgkmcnt = counts_as_memory(text, line.category)
    if text.startswith("s_waitcnt"):
        vm, lgkm = _VMCNT.search(text), _LGKMCNT.search(text)
        line.vmcnt, line.lgkmcnt = vm and int(vm[1]), lgkm and int(lgkm[1])
    line.waits = line.is_barrier or text.startswith("s_waitcnt")
    return line


@dataclass
class Image:
    """A loaded code object and its file."""

    id: int
    load_base: int
    load_size: int
    load_delta: int
    elf: bytes
    functions: list[Function] = field(default_factory=list)

    def function_at(self, address: int) -> Function | None:
        place = bisect.bisect_right(self.functions, address, key=lambda f: f.begin) - 1
        found = self.functions[place] if place >= 0 else None
        return found if found and address < found.end else None


def load_image(item: LoggedCodeObject, path: Path) -> Image:
    elf = path.read_bytes()
    try:
        functions = functions_of(elf)
    except NoDecoder as problem:
        raise RequestRefused(f"--att: {problem}") from None
    return Image(item.id, item.load_base, item.load_size, item.load_delta, elf, functions)


class Code:
    """The lines of all functions that traced waves were in, in the order in which they were met."""

    def __init__(self, images: list[Image]) -> None:
        self._images = images
        self.lines: list[Line] = []
        self._by_address: dict[tuple[int, int], Line] = {}

    def line_at(self, pc: int) -> Line:
        image = next((i for i in self._images if i.load_base <= pc < i.load_base + i.load_size), None)
        if image is None:
            raise RequestRefused(f"--att: the instruction at 0x{pc:x} is in no code object that was loaded")
        address = pc - image.load_delta
        if (image.id, address) not in self._by_address:
            self._add_function(image, address)
        return self._by_address[image.id, address]

    def _add_function(self, image: Image, address: int) -> None:
        function = image.function_at(address)
        if function:
            label = f"; {function.name}"
            self.lines.append(
                Line(len(self.lines), label, demangle(function.name), image.id, function.begin, is_label=True)
            )
        begin, end = (function.begin, function.end) if function else (address, address + 8)
        for one in itertools.islice(instructions_of(image.elf, begin, end), None if function else 1):
            line = _line(len(self.lines), one.text, one.source, image.id, one.address)
            self.lines.append(line)
            self._by_address[image.id, line.address] = line
