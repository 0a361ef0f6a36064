"""Why a figure is not there, for functions that return either."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reason:
    text: str

    def __str__(self) -> str:
        return self.text
