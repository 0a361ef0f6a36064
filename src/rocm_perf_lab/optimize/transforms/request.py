"""What a transform is asked to do, and what is known besides the source."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Evidence:
    """Facts that no source shows: they come from profiles and captures of the program's launches."""

    distinct_pointers: frozenset[str] | None = None
    """Pointer parameters of which no two ever reached the same allocation; None where nobody looked."""
    block_sizes: tuple[int, ...] | None = None
    """Threads of the workgroups that the program launches; None where nobody looked."""


@dataclass(frozen=True)
class Request:
    loop: int | None = None
    factor: int | None = None
    target: str | None = None
    """An array or parameter, where the transform is of one."""
    evidence: Evidence = field(default_factory=Evidence)
