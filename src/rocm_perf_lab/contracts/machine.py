"""A machine that work was given to, or kept from: part of the documents of everything that executors run."""

from __future__ import annotations

from dataclasses import dataclass

from rocm_perf_lab.contracts.section import STRICT


@dataclass(frozen=True, kw_only=True)
class Machine:
    __pydantic_config__ = STRICT

    name: str
    control: float | None
    """What the control takes there; null where it gave none."""
    used: bool
    reason: str
