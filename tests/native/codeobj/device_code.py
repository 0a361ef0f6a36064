"""The readers of device code, through the C interface."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from bare_wave import library

UNKNOWN_SIZE = (1 << 64) - 1


class Refused(Exception):
    """With the reader's own words."""


def _asked(function: Callable[..., int], *arguments: object, room: int) -> bytes:
    out, size = ctypes.create_string_buffer(max(room, 1)), ctypes.c_size_t()
    message = ctypes.create_string_buffer(512)
    failed = function(
        *arguments, out, ctypes.c_size_t(room), ctypes.byref(size), message, ctypes.c_size_t(512)
    )
    if failed:
        raise Refused(message.value.decode(errors="replace"))
    assert size.value <= room
    return out.raw[: size.value]


def unpack(method: str, packed: bytes, most: int) -> bytes:
    return _asked(
        library().vrocm_unpack,
        method.encode(),
        packed,
        ctypes.c_size_t(len(packed)),
        ctypes.c_uint64(most),
        room=most,
    )


def code_object_at(address: int, size: int, target: str, room: int) -> bytes:
    function = library().vrocm_device_code
    return _asked(function, ctypes.c_void_p(address), ctypes.c_size_t(size), target.encode(), room=room)


def code_object_in(image: bytes, target: str = "gfx942:sramecc+:xnack-", room: int | None = None) -> bytes:
    buffer = ctypes.create_string_buffer(image, len(image))
    return code_object_at(ctypes.addressof(buffer), len(image), target, room or 64 * len(image) + 4096)


def summary_at(address: int, size: int) -> str:
    text = ctypes.create_string_buffer(1 << 16)
    failed = library().vrocm_code_summary(
        ctypes.c_void_p(address), ctypes.c_size_t(size), text, ctypes.c_size_t(len(text))
    )
    if failed:
        raise Refused(text.value.decode(errors="replace"))
    return text.value.decode(errors="replace")


def summary(code: bytes) -> str:
    buffer = ctypes.create_string_buffer(code, len(code))
    return summary_at(ctypes.addressof(buffer), len(code))
