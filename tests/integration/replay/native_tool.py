"""What tests of the native replay tool share: its answer, and made captures with their arguments."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from capture_maker import CaptureMaker


@dataclass
class Done:
    code: int
    document: dict[str, Any]
    stderr: str

    @property
    def error(self) -> dict[str, str]:
        found: dict[str, str] = self.document["error"]
        assert all(found[key] for key in ("kind", "message", "remedy")), found
        return found


Replay = Callable[..., Done]
Taken = Callable[..., Path]
Compile = Callable[..., bytes]


KERNARG = 0x200000000000


def kernarg_of(maker: CaptureMaker, *values: int | float, hidden: dict[str, int] | None = None) -> bytes:
    """The kernarg segment with these explicit arguments, and hidden ones from the geometry."""
    metadata = maker.metadata()
    segment = bytearray(metadata[".kernarg_segment_size"])
    given = list(values)
    for argument in metadata[".args"]:
        kind, at, size = argument[".value_kind"], argument[".offset"], argument[".size"]
        if not kind.startswith("hidden_"):
            value = given.pop(0)
            raw = struct.pack("<f", value) if isinstance(value, float) else value.to_bytes(size, "little")
        elif hidden and kind in hidden:
            raw = hidden[kind].to_bytes(size, "little")
        elif kind.endswith(("_x", "_y", "_z")):
            axis = "xyz".index(kind[-1])
            grid, group = maker.grid[axis], maker.workgroup[axis]
            by_kind = {"block_count": grid // group, "group_size": group, "remainder": grid % group}
            raw = by_kind.get(kind[7:-2], 0).to_bytes(size, "little")
        else:
            raw = (maker.dimensions if kind == "hidden_grid_dims" else 0).to_bytes(size, "little")
        segment[at : at + len(raw)] = raw
    assert not given
    return bytes(segment)


def made(hsaco: bytes, kernel: str, *values: int | float, **more: Any) -> CaptureMaker:
    """A capture without regions but that of its arguments."""
    hidden = more.pop("hidden", None)
    maker = CaptureMaker(hsaco, kernel, b"", KERNARG, **more)
    maker.kernarg = kernarg_of(maker, *values, hidden=hidden)
    maker.host(KERNARG, maker.kernarg.ljust(4096, b"\0"), pool="kernarg")
    return maker
