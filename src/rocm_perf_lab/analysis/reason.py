"""Why a result could not be had: what stands in its place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reason:
    why: str

    def __str__(self) -> str:
        return self.why
