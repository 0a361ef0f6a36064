"""The arguments of a kernel, as the metadata of its code object lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocm_perf_lab.codeobj.elf import Elf
from rocm_perf_lab.codeobj.metadata import NoMetadata, metadata_of


@dataclass(frozen=True, kw_only=True)
class ArgumentMetadata:
    name: str | None
    """Only where the compiler kept it."""
    type_name: str | None
    """Likewise; HIP compilers do not."""
    offset: int
    size: int
    value_kind: str
    """by_value, global_buffer, hidden_…"""
    address_space: str | None
    access: str | None


def arguments_of_kernel(data: bytes, symbol: str) -> list[ArgumentMetadata]:
    """In their order. ``symbol`` is mangled, without .kd; raises NotAnElf or NoMetadata."""
    for kernel in _maps(metadata_of(Elf(data)).get("amdhsa.kernels")):
        if str(kernel.get(".symbol", "")).removesuffix(".kd") == symbol:
            return [_argument(one) for one in _maps(kernel.get(".args"))]
    raise NoMetadata(f"it has no kernel {symbol}")


def _maps(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _argument(argument: Mapping[str, Any]) -> ArgumentMetadata:
    def text(key: str) -> str | None:
        value = argument.get(key)
        return value if isinstance(value, str) and value else None

    def count(key: str) -> int:
        value = argument.get(key)
        return value if isinstance(value, int) and value >= 0 else 0

    name = text(".name")
    return ArgumentMetadata(
        # Clang's name for a structure of one member that it passes as that member.
        name=name.removesuffix(".coerce") if name else None,
        type_name=text(".type_name"),
        offset=count(".offset"),
        size=count(".size"),
        value_kind=text(".value_kind") or "unknown",
        address_space=text(".address_space"),
        access=text(".access") or text(".actual_access"),
    )
