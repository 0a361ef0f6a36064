"""The name of a kernel: demangled and whole, so that it is the same in every trace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The descriptor's suffix, and how a demangler shows it.
_DESCRIPTOR_SUFFIXES = (" [clone .kd]", ".kd")


def kernel_name(symbol: str | None, display_name: str | None, names: Mapping[str, Any]) -> str | None:
    """The demangled name where the trace has it (``display_name`` may be truncated or mangled on request)."""
    demangled = names.get("demangled_kernel_name")
    for name in (demangled if isinstance(demangled, str) else None, display_name, symbol):
        if name:
            return _without_suffix(name)
    return None


def _without_suffix(name: str) -> str:
    for suffix in _DESCRIPTOR_SUFFIXES:
        name = name.removesuffix(suffix)
    return name
