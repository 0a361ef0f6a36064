"""check.json: the defects that a checked run of a program showed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.section import STRICT, Section

DefectClass = Literal[
    "out-of-bounds",
    "use-after-free",
    "lds-out-of-bounds",
    "misaligned",
    "uninitialised-memory",
    "uninitialised-lds",
    "uninitialised-register",
    "race-global",
    "race-lds",
    "divergent-barrier",
    "leak",
]
AccessKind = Literal["read", "write", "atomic"]


@dataclass(frozen=True, kw_only=True)
class ThreadPlace:
    """Threads of one wave at one instruction."""

    __pydantic_config__ = STRICT

    workgroup: tuple[int, int, int]
    thread: tuple[int, int, int]
    """In its workgroup: the first of those that did it at once."""
    wave: int
    """In its workgroup."""
    lanes: tuple[int, ...]
    """Of the wave: all that did it at once."""
    source: str | None
    """File and line, of code that was compiled with -g."""
    instruction: str | None
    code_offset: int | None
    """Of the instruction in its code object: the same in every run."""


@dataclass(frozen=True, kw_only=True)
class CheckedAllocation:
    """The memory that an access belongs to, or lies nearest to."""

    __pydantic_config__ = STRICT

    base: str
    bytes: int
    """As asked for."""
    kind: str
    freed: bool
    where: str | None
    """File and line of the call that asked for it (of programs compiled with -g), or library and offset."""


@dataclass(frozen=True, kw_only=True)
class Defect:
    """One instruction that does something wrong, or one allocation that is never freed."""

    __pydantic_config__ = STRICT

    defect: DefectClass
    kernel: str | None
    """Null for leaks."""
    place: ThreadPlace | None
    """Where it was seen first; null for leaks."""
    other: ThreadPlace | None
    """The second party of a race."""
    other_access: AccessKind | None
    space: Literal["global", "lds", "scratch"] | None
    access: AccessKind | None
    bytes: int | None
    address: str | None
    """Of the first thread: in LDS and scratch an offset."""
    allocation: CheckedAllocation | None
    explanation: str
    count: int
    """How often: accesses of threads; one for a leak."""
    dispatches: int
    """Dispatches of the kernel that showed it; 0 for leaks."""
    suppressed_by: str | None
    """The line of the suppression file that covers it."""


@dataclass(frozen=True, kw_only=True)
class CheckDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    command: tuple[str, ...]
    classes: tuple[DefectClass, ...]
    """What was looked for."""
    exit_code: int
    """Of the program; negative: the signal that ended it."""
    clean: bool
    """There is no defect, besides those that are suppressed."""
    defects: tuple[Defect, ...]
    notes: tuple[str, ...]
