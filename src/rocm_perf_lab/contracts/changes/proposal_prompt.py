"""What would be sent to a language model for a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.section import STRICT, Section


@dataclass(frozen=True, kw_only=True)
class PromptMessage:
    __pydantic_config__ = STRICT

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, kw_only=True)
class PromptDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    kernel: str
    """As the profile names it."""
    source: str
    """Path of the file that has it."""
    label: str | None
    characters: int
    """Of all messages together."""
    messages: tuple[PromptMessage, ...]
