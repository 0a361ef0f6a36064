"""Offload bundles, plain and compressed, as clang-offload-bundler writes them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping

import zstandard

MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
PAGE = 4096
ZLIB, ZSTD = 0, 1
_HEADERS = {1: "<HHIQ", 2: "<HHIIQ", 3: "<HHQQQ"}


def bundle(entries: Mapping[str, bytes]) -> bytes:
    """By targets; an empty one for the host comes first."""
    named = {"host-x86_64-unknown-linux-gnu-": b""} | {
        f"hipv4-amdgcn-amd-amdhsa--{target}": content for target, content in entries.items()
    }
    header = MAGIC + struct.pack("<Q", len(named))
    at = len(header) + sum(24 + len(name) for name in named)
    body = b""
    for name, content in named.items():
        body = body.ljust(-(-(at + len(body)) // PAGE) * PAGE - at, b"\0")
        header += struct.pack("<QQQ", at + len(body), len(content), len(name)) + name.encode()
        body += content
    return header + body


def packed(plain: bytes, method: int) -> bytes:
    return zlib.compress(plain) if method == ZLIB else zstandard.ZstdCompressor(level=3).compress(plain)


def compressed(plain: bytes, version: int, method: int) -> bytes:
    content, header = packed(plain, method), _HEADERS[version]
    total = 4 + struct.calcsize(header) + len(content)
    sizes = (len(plain),) if version == 1 else (total, len(plain))
    return b"CCOB" + struct.pack(header, version, method, *sizes, 0x1234567890ABCDEF) + content
