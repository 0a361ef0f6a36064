"""What a transform is asked to do, and what is known besides the source."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocm_perf_lab.optimizing.source.model import SourceFunction

NEED_DISTINCT_POINTERS = frozenset(("restrict_const", "vector_loads", "hoist_loads"))
"""Transforms that ask whether pointers are distinct."""


@dataclass(frozen=True)
class DistinctPointers:
    """Arguments that were the only ones to lead into their allocation, in every launch."""

    places: frozenset[int]
    """Among the arguments, from 0: compilers do not keep their names."""
    arguments: int

    def names_in(self, function: SourceFunction) -> frozenset[str]:
        """None of them where the source has other arguments than what was compiled."""
        parameters = function.parameters
        if len(parameters) != self.arguments:
            return frozenset()
        return frozenset(parameters[place].name or "" for place in self.places)


@dataclass(frozen=True)
class LaunchEvidence:
    """Facts that no source shows: they come from profiles and captures of the program's launches."""

    distinct_pointers: DistinctPointers | None = None
    """None where nobody looked."""
    block_sizes: tuple[int, ...] | None = None
    """Threads of the workgroups that the program launches; None where nobody looked."""


@dataclass(frozen=True)
class TransformRequest:
    loop: int | None = None
    factor: int | None = None
    target: str | None = None
    """An array or parameter, where the transform is of one."""
    evidence: LaunchEvidence = field(default_factory=LaunchEvidence)
