"""A proposed change of a kernel: what, where, why, and what it is expected to bring."""

from __future__ import annotations

from dataclasses import dataclass

from rocm_perf_lab.contracts.changes.proposal_refusal import Refusal
from rocm_perf_lab.contracts.section import STRICT


@dataclass(frozen=True, kw_only=True)
class Proposal:
    __pydantic_config__ = STRICT

    proposer: str
    kernel: str
    """As the source names it."""
    transform: str
    """A name of the catalogue, or ``body`` where somebody wrote a new one."""
    loop: int | None
    line: int | None
    factor: int | None
    target: str | None
    expected_gain: float | None
    """Share of the kernel's time, from 0 to 1; it orders proposals and promises nothing."""
    reasoning: str

    @property
    def key(self) -> tuple[str, int | None, int | None, str | None]:
        """What makes it the same as another one."""
        return self.transform, self.loop, self.factor, self.target

    @property
    def family(self) -> tuple[str, int | None, str | None]:
        """Of proposals that differ in their factor only: of these the best is taken, not the first."""
        return self.transform, self.loop, self.target

    def __str__(self) -> str:
        parts = [self.transform]
        if self.factor is not None:
            parts.append(f"by {self.factor}")
        if self.target is not None:
            parts.append(f"of {self.target}")
        if self.line is not None:
            parts.append(f"in line {self.line}")
        return " ".join(parts)


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """A proposal that was dealt with, and what came of it."""

    __pydantic_config__ = STRICT

    proposal: Proposal
    accepted: bool
    refusals: tuple[Refusal, ...]
    kernel_ratio: float | None
    """New time / old time, where it was measured."""
