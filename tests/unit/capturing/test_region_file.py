"""Region files: what was written comes back, whatever is damaged is refused by name."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocm_perf_lab.capturing.region_file import CHUNK, PAGE, RegionFile
from rocm_perf_lab.errors import BadInput

from .made_captures import nonzero, region_file

BASE = 0x7F0000000000


def memory_of(file: RegionFile) -> bytes:
    whole = bytearray()
    for chunk in range(file.chunk_count):
        content = np.zeros(CHUNK, np.uint8)
        file.over(chunk, content)
        whole += content.tobytes()
    return bytes(whole[: file.size])


def put(folder: Path, content: bytes) -> Path:
    path = folder / "region.bin"
    path.write_bytes(content)
    return path


@settings(max_examples=40)
@given(size=st.integers(1, 3 * CHUNK + 1), seed=st.integers(0, 2**32), compressed=st.booleans())
def test_there_and_back(
    tmp_path_factory: pytest.TempPathFactory, size: int, seed: int, compressed: bool
) -> None:
    rng = random.Random(seed)
    memory = bytearray(size)
    for at in range(0, size, PAGE):
        kind = rng.randrange(3)
        part = memoryview(memory)[at : at + PAGE]
        if kind == 1:
            part[:] = rng.randbytes(len(part))
        elif kind == 2:
            part[:] = bytes([rng.randrange(256)]) * len(part)
    held = nonzero(bytes(memory))
    path = put(tmp_path_factory.mktemp("r"), region_file("before", BASE, size, held, compressed))
    with RegionFile(path, "before") as file:
        assert (file.base, file.size) == (BASE, size)
        assert list(file.held_pages()) == sorted(held)
        assert file.pages_held == len(held)
        assert memory_of(file) == memory
        for number in range(-(-size // PAGE)):
            page = file.page(number)
            expected = held.get(number)
            assert (page is None) == (expected is None)
            if page is not None and expected is not None:
                assert page.tobytes() == expected.ljust(PAGE, b"\0")
        read = []
        file.verify(read.append)
        assert sum(read) == file.payload_bytes


def test_one_wrong_bit_anywhere_is_found(tmp_path: Path) -> None:
    content = region_file("before", BASE, 2 * CHUNK, nonzero(random.Random(1).randbytes(2 * CHUNK - 5000)))
    rng = random.Random(2)
    places = [
        *range(64),
        *range(len(content) - 48, len(content)),
        *rng.sample(range(64, len(content) - 48), 60),
    ]
    unnoticed, refusals = [], []
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= 1 << rng.randrange(8)
        try:
            with RegionFile(put(tmp_path, bytes(damaged)), "before") as file:
                file.verify()
                unnoticed.append((place, file.base))
        except BadInput as error:
            refusals.append(error)
    assert all("region.bin" in error.cause and error.remedy for error in refusals)
    # The base is checked against the documents (folder.py), and by the manifest's checksum of the header.
    assert {place for place, _ in unnoticed} <= set(range(16, 24))
    assert all(base != BASE for _, base in unnoticed)


@pytest.mark.parametrize("kept", [0, 10, 63, 64, 100, -1, -24])
def test_truncated(tmp_path: Path, kept: int) -> None:
    content = region_file("before", BASE, CHUNK, nonzero(b"x" * CHUNK))
    with pytest.raises(BadInput, match="truncated"):
        RegionFile(put(tmp_path, content[:kept]), "before")


def test_of_the_other_state(tmp_path: Path) -> None:
    path = put(tmp_path, region_file("after", BASE, CHUNK, {0: b"x"}))
    with pytest.raises(BadInput, match="memory after the kernel"):
        RegionFile(path, "before")


def test_page_beyond_the_end(tmp_path: Path) -> None:
    path = put(tmp_path, region_file("before", BASE, 100, {0: b"x", 1: b"y"}))
    with pytest.raises(BadInput, match="chunk 0"):
        RegionFile(path, "before")


def test_claims_of_sizes_are_not_believed(tmp_path: Path) -> None:
    """A header that asks for terabytes must not make us ask the system for them."""
    content = bytearray(region_file("before", BASE, CHUNK, {}))
    content[24:32] = (1 << 60).to_bytes(8, "little")
    content[32:40] = ((1 << 60) // CHUNK).to_bytes(8, "little")
    with pytest.raises(BadInput, match="truncated"):
        RegionFile(put(tmp_path, bytes(content)), "before")


def test_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        RegionFile(tmp_path / "none.bin", "before")


def test_more_files_than_may_be_open(tmp_path: Path) -> None:
    import resource

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, limit[1]))
    try:
        for number in range(300):
            path = tmp_path / f"{number}.bin"
            path.write_bytes(region_file("before", BASE, PAGE, {0: bytes([number % 256]) * PAGE}))
            files.append(RegionFile(path, "before"))
        for number, file in enumerate(files):
            page = file.page(0)
            assert page is not None
            assert int(page[0]) == number % 256
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limit)
        for file in files:
            file.close()
