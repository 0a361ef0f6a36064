"""What is known of a source: its functions, their loops, and what cannot be seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tree_sitter import Node

from rocm_perf_lab.contracts.changes.proposal_refusal import Refusal
from rocm_perf_lab.optimizing.source.macros import Macro
from rocm_perf_lab.optimizing.source.parse import Parsed
from rocm_perf_lab.optimizing.source.tokens import line_of


@dataclass(frozen=True)
class Span:
    """Bytes of a file, from ``start`` to before ``end``."""

    start: int
    end: int

    def of(self, text: bytes) -> bytes:
        return text[self.start : self.end]

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True)
class SourceParameter:
    type: str
    """As written, without the name, blanks made single."""
    name: str | None
    span: Span
    is_pointer: bool
    pointee: str | None
    """Of a pointer with one star: the type it points to, without const."""
    is_const: bool
    """Of a pointer: what it points to is const."""
    is_restrict: bool


LoopKind = Literal["for", "while", "do", "range"]


@dataclass(frozen=True)
class SourceLoop:
    number: int
    """Within its kernel, in the order of the text, from 0."""
    kind: LoopKind
    span: Span
    body: Span
    line: int
    last_line: int
    depth: int
    """0 for an outermost loop."""
    parent: int | None
    trips: int | None
    """Where start, bound and step are constants; else None."""
    header: str
    """As written, blanks made single."""
    pragma: Span | None
    """A #pragma unroll in front of it."""
    node: Node = field(repr=False, compare=False)


@dataclass(frozen=True)
class SourceFunction:
    name: str
    """Without namespaces, classes and template arguments."""
    scope: tuple[str, ...]
    """Namespaces and classes around it, outermost first; an anonymous namespace is ``""``."""
    is_kernel: bool
    is_device: bool
    is_extern_c: bool
    template_parameters: tuple[str, ...] | None
    """As written; None where it is no template, empty for a full specialisation."""
    specialised: tuple[str, ...] | None
    """Template arguments of a specialisation, as written."""
    parameters: tuple[SourceParameter, ...]
    attributes: tuple[str, ...]
    """Words of the head that are specifiers, macros followed."""
    launch_bounds: tuple[str, ...] | None
    """Arguments as written."""
    head: Span
    """From the first specifier (or template) to before the body."""
    body: Span
    """With its braces."""
    line: int
    node: Node = field(repr=False, compare=False)

    @property
    def qualified_name(self) -> str:
        return "::".join([*(part or "(anonymous namespace)" for part in self.scope), self.name])

    @property
    def span(self) -> Span:
        return Span(self.head.start, self.body.end)


@dataclass(frozen=True)
class SourceFile:
    path: Path
    parsed: Parsed = field(repr=False)
    functions: tuple[SourceFunction, ...]
    macros: Mapping[str, Macro]
    """Its own and those of its local includes."""
    types: frozenset[str]
    """Names of classes, enumerations and aliases that it defines."""

    @property
    def text(self) -> bytes:
        return self.parsed.text

    def line(self, position: int) -> int:
        return line_of(self.text, position)

    def place(self, position: int) -> str:
        return f"{self.path}:{self.line(position)}"


@dataclass(frozen=True)
class Unit:
    """A source with its local includes: what can be seen."""

    main: SourceFile
    includes: tuple[SourceFile, ...]
    unseen_includes: tuple[str, ...]
    """Local includes that are not there."""
    constants: Mapping[str, int]
    """Integer constants of all of them."""

    @property
    def files(self) -> tuple[SourceFile, ...]:
        return (self.main, *self.includes)

    @property
    def kernels(self) -> tuple[SourceFunction, ...]:
        return tuple(function for function in self.main.functions if function.is_kernel)

    def named(self, name: str) -> list[tuple[SourceFile, SourceFunction]]:
        """All functions of this simple name."""
        return [
            (file, function) for file in self.files for function in file.functions if function.name == name
        ]


@dataclass(frozen=True)
class SourceKernel:
    """A kernel that may be changed: its definition, and all that is known of its body."""

    unit: Unit
    function: SourceFunction
    loops: tuple[SourceLoop, ...]
    blind: tuple[Refusal, ...]
    """Why its body must not be changed, where that is so."""

    @property
    def file(self) -> SourceFile:
        return self.unit.main

    @property
    def text(self) -> bytes:
        return self.unit.main.text
