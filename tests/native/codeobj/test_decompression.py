"""What zlib and zstd packed is unpacked byte for byte; what they refuse is never more than refused here."""

from __future__ import annotations

import contextlib
import random
import zlib
from collections.abc import Iterator

import pytest
import zstandard
from device_code import Refused, unpack

LARGEST = 400_000


def samples(dice: random.Random, count: int) -> Iterator[bytes]:
    """Noise, text of few words, runs, skewed bytes, repetitions at every distance; and small sizes."""
    yield from (dice.randbytes(size) for size in (0, 1, 2, 3, 5, 63, 64, 257, 1023))
    for _ in range(count):
        size = int(dice.choice((200, 3000, 60_000, LARGEST)) * dice.random()) + 1
        words = [dice.randbytes(dice.randrange(1, 40)) for _ in range(dice.randrange(1, 60))]
        kind = dice.randrange(5)
        if kind == 0:
            yield dice.randbytes(size)
        elif kind == 1:
            yield b"".join(dice.choice(words) for _ in range(size // 4))[:size]
        elif kind == 2:
            yield b"".join(bytes([dice.randrange(4)]) * dice.randrange(1, 600) for _ in range(size // 300))
        elif kind == 3:
            weights = [2.0 ** -dice.randrange(12) for _ in range(256)]
            yield bytes(dice.choices(range(256), weights, k=min(size, 60_000)))
        else:
            base = dice.randbytes(min(size, 2000))
            yield (base + dice.randbytes(dice.randrange(300))) * (size // len(base) + 1)


def zstd_frame(dice: random.Random, plain: bytes) -> bytes:
    level = dice.choice((-50, -5, 1, 3, 9, 17 if len(plain) < 50_000 else 5))
    settings = zstandard.ZstdCompressionParameters.from_level(
        level,
        window_log=dice.choice((0, 10, 12, 17)),
        write_checksum=dice.random() < 0.3,
        write_content_size=dice.random() < 0.7,
        enable_ldm=dice.random() < 0.2,
    )
    packer = zstandard.ZstdCompressor(compression_params=settings)
    if dice.random() < 0.7:
        return packer.compress(plain)
    stream = packer.compressobj()  # blocks that end where the writer wanted
    parts, at = [], 0
    while at < len(plain):
        step = dice.randrange(1, 30_000)
        parts.append(stream.compress(plain[at : at + step]))
        if dice.random() < 0.3:
            parts.append(stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK))
        at += step
    return b"".join([*parts, stream.flush()])


def zlib_stream(dice: random.Random, plain: bytes) -> bytes:
    strategy = dice.choice(
        (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED)
    )
    packer = zlib.compressobj(dice.randrange(10), zlib.DEFLATED, dice.randrange(9, 16), 8, strategy)
    half = len(plain) // 2
    flush = dice.choice((zlib.Z_NO_FLUSH, zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH))
    return (
        packer.compress(plain[:half]) + packer.flush(flush) + packer.compress(plain[half:]) + packer.flush()
    )


PACKERS = {"zstd": zstd_frame, "zlib": zlib_stream}


def by_oracle(method: str, packed: bytes, most: int) -> bytes | None:
    """What the library makes of it; nothing when it refuses, or it is more than that."""
    try:
        if method == "zlib":
            whole = zlib.decompressobj()
            plain = whole.decompress(packed, most + 1)
            return plain if whole.eof and len(plain) <= most else None
        part = zstandard.ZstdDecompressor(max_window_size=1 << 31).decompressobj()
        plain = part.decompress(packed)
        return plain if part.eof and len(plain) <= most else None
    except (zlib.error, zstandard.ZstdError):
        return None


def compare(method: str, seed: int, count: int, damages: int) -> None:
    dice = random.Random(f"{method} {seed}")
    for plain in samples(dice, count):
        packed = PACKERS[method](dice, plain)
        assert unpack(method, packed, len(plain)) == plain
        if plain:
            with pytest.raises(Refused, match="more than"):
                unpack(method, packed, len(plain) - 1)
        for _ in range(damages):
            changed = bytearray(packed[: dice.randrange(len(packed) + 1)] if dice.random() < 0.2 else packed)
            for _ in range(dice.randrange(1, 4) if changed else 0):
                near = dice.random() < 0.5  # headers and tables
                at = dice.randrange(min(len(changed), 48) if near else len(changed))
                changed[at] = dice.randrange(256)
            wanted = by_oracle(method, bytes(changed), len(plain) + 1000)
            # Streams of literals that end too early or too late are let pass by the fastest loops of libzstd.
            with contextlib.suppress(Refused):
                found = unpack(method, bytes(changed), len(plain) + 1000)
                assert wanted is None or found == wanted


@pytest.mark.parametrize("method", PACKERS)
def test_what_the_libraries_wrote(method: str) -> None:
    compare(method, seed=1, count=40, damages=12)


@pytest.mark.survey
@pytest.mark.parametrize("method", PACKERS)
@pytest.mark.parametrize("seed", range(2, 8))
def test_much_of_what_the_libraries_wrote(method: str, seed: int) -> None:
    compare(method, seed, count=150, damages=60)


@pytest.mark.parametrize("method", PACKERS)
def test_noise(method: str) -> None:
    dice = random.Random(7)
    beginning = zstandard.compress(b"x" * 100)[:6] if method == "zstd" else b"\x78\x9c"
    for _ in range(3000):
        with contextlib.suppress(Refused):
            unpack(method, beginning + dice.randbytes(dice.randrange(120)), 1 << 20)


def test_frames_that_are_to_be_skipped() -> None:
    plain = b"code " * 100
    assert unpack("zstd", b"\x53\x2a\x4d\x18\x03\0\0\0abc" + zstandard.compress(plain), 500) == plain


@pytest.mark.parametrize(
    ("method", "packed", "words"),
    [
        ("zstd", b"", "ends too early"),
        ("zstd", b"\x28\xb5\x2f\xfd", "ends too early"),
        ("zstd", b"PK\x03\x04rest", "not a zstd frame"),
        ("zlib", b"", "not a zlib stream"),
        ("zlib", b"\x78\x9d\x00", "not a zlib stream"),
        ("zlib", zlib.compress(b"abc")[:-1] + b"x", "checksum"),
    ],
)
def test_words(method: str, packed: bytes, words: str) -> None:
    with pytest.raises(Refused, match=words):
        unpack(method, packed, 1000)
