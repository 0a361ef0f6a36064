"""Counters of the traced compute unit over time (``--att-perfcounters``), from the trace itself.

They count what the waves on the traced SIMDs do. Names and units are those of ``--pmc``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..errors import RequestRefused
from .code import InstructionCategory, Line
from .raw import RawTrace, RawWave

# AMD's documentation of rocprofv3 says that a period of 3 polls an MI300 every 120 to 240 clocks.
CLOCKS_PER_PERIOD = 60
_BANK = 4  # counters in one record
_MOST = 8

ACTIVITY = (
    "SQ_BUSY_CU_CYCLES",
    "SQ_VALU_MFMA_BUSY_CYCLES",
    "SQ_ACTIVE_INST_VALU",
    "SQ_ACTIVE_INST_LDS",
    "SQ_ACTIVE_INST_VMEM",
    "SQ_ACTIVE_INST_FLAT",
    "SQ_ACTIVE_INST_SCA",
    "SQ_ACTIVE_INST_MISC",
)


@dataclass(frozen=True)
class StreamedCounter:
    name: str
    simds: int  # mask

    def __str__(self) -> str:
        return self.name if self.simds == 0xF else f"{self.name}:0x{self.simds:x}"


def _is(*categories: InstructionCategory) -> Callable[[Line, int], int]:
    return lambda line, cycles: int(line.category in categories)


def _is_matrix(line: Line) -> bool:
    return line.text.startswith(("v_mfma", "v_smfmac"))


# What an instruction adds when it is issued: of its line and the clocks that it takes its unit.
_AT_ISSUE: dict[str, Callable[[Line, int], int]] = {
    "SQ_INSTS": lambda line, cycles: 1,
    "SQ_INSTS_VALU": _is(InstructionCategory.VALU),
    "SQ_INSTS_MFMA": lambda line, cycles: int(_is_matrix(line)),
    "SQ_INSTS_SALU": _is(InstructionCategory.SALU),
    "SQ_INSTS_SMEM": _is(InstructionCategory.SMEM),
    "SQ_INSTS_VMEM": _is(InstructionCategory.VMEM, InstructionCategory.FLAT),
    "SQ_INSTS_FLAT": _is(InstructionCategory.FLAT),
    "SQ_INSTS_LDS": _is(InstructionCategory.LDS),
    "SQ_INSTS_BRANCH": _is(InstructionCategory.JUMP),
    "SQ_INSTS_SENDMSG": _is(InstructionCategory.MESSAGE),
    "SQ_VALU_MFMA_BUSY_CYCLES": lambda line, cycles: cycles if _is_matrix(line) else 0,
    "SQ_ACTIVE_INST_VALU": lambda line, cycles: (
        cycles // 4 if line.category is InstructionCategory.VALU else 0
    ),
    "SQ_ACTIVE_INST_LDS": _is(InstructionCategory.LDS),
    "SQ_ACTIVE_INST_VMEM": _is(InstructionCategory.VMEM),
    "SQ_ACTIVE_INST_FLAT": _is(InstructionCategory.FLAT),
    "SQ_ACTIVE_INST_SCA": _is(InstructionCategory.SALU, InstructionCategory.SMEM),
    "SQ_ACTIVE_INST_MISC": _is(InstructionCategory.JUMP, InstructionCategory.MESSAGE),
}


def _busy(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The union of spans."""
    reached = 0
    for begin, end in sorted(spans):
        if end > reached:
            yield max(begin, reached), end
            reached = end


# What is counted while waves are there: of the spans of their lives.
_WHILE_THERE: dict[str, Callable[[list[tuple[int, int]]], Iterator[tuple[int, int]]]] = {
    "SQ_BUSY_CU_CYCLES": _busy,
    "SQ_LEVEL_WAVES": iter,
}
_NAMES = (*_AT_ISSUE, *_WHILE_THERE, "SQ_WAVES")


def parse_counters(names: list[str]) -> tuple[StreamedCounter, ...]:
    """``NAME`` or ``NAME:MASK``, with a mask of SIMDs."""
    found = []
    for text in names:
        name, _, mask = text.partition(":")
        try:
            simds = int(mask, 0) if mask else 0xF
        except ValueError:
            raise RequestRefused(f"--att-perfcounters: '{mask}' of {text} is not a mask of SIMDs") from None
        if not 1 <= simds <= 0xF:
            raise RequestRefused(f"--att-perfcounters: '{mask}' of {text} is not a mask of the four SIMDs")
        if name not in _NAMES:
            known = ", ".join(sorted(_NAMES))
            raise RequestRefused(
                f"--att-perfcounters: {name} is not counted over time; those that are: {known}"
            )
        found.append(StreamedCounter(name, simds))
    if len(found) > _MOST:
        raise RequestRefused(f"--att-perfcounters: {len(found)} counters; hardware streams up to {_MOST}")
    return tuple(found)


def sample(
    raw: RawTrace, lines: list[Line], counters: tuple[StreamedCounter, ...], period: int
) -> list[list[int]]:
    """Rows of ``se<n>_perfcounter.json``: [time, four values, compute unit, bank]."""
    waves = [wave for wave in raw.waves if wave.records or wave.end is not None]
    if not waves or not counters:
        return []
    step = period * CLOCKS_PER_PERIOD
    first = min(wave.begin for wave in waves) // step
    bins = max(wave.last() for wave in waves) // step + 1 - first
    columns = [_column(raw, waves, lines, counter, step, first, bins) for counter in counters]
    rows = []
    for place in range(bins):
        for bank in range(0, len(columns), _BANK):
            values = [column[place] for column in columns[bank : bank + _BANK]]
            values += [0] * (_BANK - len(values))
            rows.append([(first + place + 1) * step, *values, raw.target_cu, bank // _BANK])
    return rows


def _column(
    raw: RawTrace,
    waves: list[RawWave],
    lines: list[Line],
    counter: StreamedCounter,
    step: int,
    first: int,
    bins: int,
) -> list[int]:
    values = [0] * bins
    chosen = [wave for wave in waves if counter.simds >> wave.simd & 1]
    if counter.name == "SQ_WAVES":
        for wave in chosen:
            values[wave.begin // step - first] += 1
    elif counter.name in _AT_ISSUE:
        count = _AT_ISSUE[counter.name]
        adds = [count(line, item.cycles) for line, item in zip(lines, raw.codes, strict=True)]
        for wave in chosen:
            for code, _, issue, _, _ in wave.instructions():
                values[issue // step - first] += adds[code]
    else:
        for begin, end in _WHILE_THERE[counter.name]([(wave.begin, wave.last()) for wave in chosen]):
            for place in range(begin // step, (end - 1) // step + 1):
                values[place - first] += min(end, (place + 1) * step) - max(begin, place * step)
    return values
