"""The listing with its costs, summed by class and by source line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rocm_perf_lab.analysis.att.classes import class_of
from rocm_perf_lab.analysis.att.waits import Operation
from rocm_perf_lab.contracts.profiling.att import (
    AttClass,
    AttInstruction,
    AttMemoryOperation,
    AttSourceLine,
    InstructionClass,
)
from rocm_perf_lab.thread_trace.rows import CodeLine

# Between the places of inlined code, innermost first.
INLINED = " -> "


@dataclass(frozen=True)
class Totals:
    """Of one line, over all traced waves; latency includes stall."""

    executions: int
    latency: int
    stall: int
    idle: int
    moved_away: int = 0  # stall that others cause
    charged: int = 0  # stall of others that it causes

    @property
    def caused(self) -> int:
        return self.stall - self.moved_away + self.charged

    @property
    def cost(self) -> int:
        return self.latency - self.stall + self.idle + self.caused


def instructions_of(code: Sequence[CodeLine], totals: Sequence[Totals]) -> tuple[AttInstruction, ...]:
    all_cost = sum(total.cost for total in totals)
    made, function = [], None
    for line, total in zip(code, totals, strict=True):
        if line.is_label:
            function = line.source or line.text.removeprefix("; ")
            continue
        made.append(
            AttInstruction(
                line=line.number,
                text=line.text,
                instruction_class=class_of(line.text),
                function=function,
                source=innermost(line.source),
                code_object=line.code_object,
                address=line.address,
                executions=total.executions,
                latency_cycles_total=total.latency,
                of_which_stall_cycles_total=total.stall,
                idle_before_cycles_total=total.idle,
                latency_cycles_per_execution=_per(total.latency, total.executions),
                of_which_stall_cycles_per_execution=_per(total.stall, total.executions),
                idle_before_cycles_per_execution=_per(total.idle, total.executions),
                stall_cycles_caused_total=total.caused,
                cost_cycles_total=total.cost,
                cost_share=total.cost / all_cost if all_cost else 0.0,
            )
        )
    return tuple(made)


def innermost(source: str) -> str | None:
    return source.split(INLINED)[0].strip() or None


def mix_of(instructions: Sequence[AttInstruction]) -> tuple[AttClass, ...]:
    """By class, most executed first."""
    executed = [instruction for instruction in instructions if instruction.executions]
    everything = sum(instruction.executions for instruction in executed)
    by_class: dict[InstructionClass, list[AttInstruction]] = {}
    for instruction in executed:
        by_class.setdefault(instruction.instruction_class, []).append(instruction)
    made = []
    for name, members in by_class.items():
        executions = sum(member.executions for member in members)
        latency = sum(member.latency_cycles_total for member in members)
        stall = sum(member.of_which_stall_cycles_total for member in members)
        made.append(
            AttClass(
                instruction_class=name,
                executions=executions,
                share_of_executions=executions / everything,
                latency_cycles_total=latency,
                of_which_stall_cycles_total=stall,
                idle_before_cycles_total=sum(member.idle_before_cycles_total for member in members),
                latency_cycles_per_execution=latency / executions,
                of_which_stall_cycles_per_execution=stall / executions,
                stall_cycles_caused_total=sum(member.stall_cycles_caused_total for member in members),
                cost_share=sum(member.cost_share for member in members),
            )
        )
    return tuple(sorted(made, key=lambda item: (-item.executions, item.instruction_class)))


def source_lines_of(
    instructions: Sequence[AttInstruction], files: Mapping[str, Sequence[str]]
) -> tuple[AttSourceLine, ...]:
    """By source line, the most costly first; those that were executed."""
    by_source: dict[str, list[AttInstruction]] = {}
    for instruction in instructions:
        if instruction.source and instruction.executions:
            by_source.setdefault(instruction.source, []).append(instruction)
    made = [
        AttSourceLine(
            source=source,
            text=_text(source, files),
            instructions=len(members),
            executions=sum(member.executions for member in members),
            latency_cycles_total=sum(member.latency_cycles_total for member in members),
            of_which_stall_cycles_total=sum(member.of_which_stall_cycles_total for member in members),
            idle_before_cycles_total=sum(member.idle_before_cycles_total for member in members),
            stall_cycles_caused_total=sum(member.stall_cycles_caused_total for member in members),
            cost_cycles_total=sum(member.cost_cycles_total for member in members),
            cost_share=sum(member.cost_share for member in members),
        )
        for source, members in by_source.items()
    ]
    return tuple(sorted(made, key=lambda item: (-item.cost_cycles_total, item.source)))


def _text(source: str, files: Mapping[str, Sequence[str]]) -> str | None:
    path, _, number = source.rpartition(":")
    lines = files.get(path)
    if lines is None or not number.isdecimal() or not 1 <= int(number) <= len(lines):
        return None
    return lines[int(number) - 1].strip()


def memory_of(
    code: Sequence[CodeLine], executions: Mapping[int, int], operations: Mapping[int, Operation]
) -> tuple[AttMemoryOperation, ...]:
    """The operations that waits name, those that are waited for longest first. By line number."""
    lines = {line.number: line for line in code if not line.is_label}
    made = [
        AttMemoryOperation(
            line=number,
            text=lines[number].text,
            instruction_class=class_of(lines[number].text),
            source=innermost(lines[number].source),
            executions=executions[number],
            waited_for=found.waited_for,
            stalled_for=found.stalled_for,
            issue_to_wait_end_cycles_mean=found.cycles / found.waited_for,
            issue_to_wait_end_cycles_min=found.least,
            issue_to_wait_end_cycles_max=found.most,
            stalled_latency_cycles_mean=_per(found.stalled_cycles, found.stalled_for),
            wait_stall_cycles_total=found.charged,
            wait_stall_cycles_per_execution=found.charged / executions[number],
        )
        for number, found in operations.items()
        if number in lines and executions.get(number)
    ]
    return tuple(sorted(made, key=lambda item: (-item.wait_stall_cycles_total, item.line)))


def _per(total: int, count: int) -> float | None:
    return total / count if count else None
