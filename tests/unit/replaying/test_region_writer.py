"""Files that are written read back the same, page by page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocm_perf_lab.capturing.region_file import PAGE, PAGES_PER_CHUNK, RegionFile
from rocm_perf_lab.replaying.memory.region_writer import RegionWriter

BASE = 0x7F0000001000


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=40)
@given(
    st.integers(1, 40), st.dictionaries(st.integers(0, 39), st.integers(0, 255), max_size=20), st.booleans()
)
def test_there_and_back(tmp_path: Path, pages: int, held: dict[int, int], random: bool) -> None:
    path = tmp_path / "region"
    path.unlink(missing_ok=True)
    size = pages * PAGE - 100
    content = {
        page: np.random.default_rng(seed).integers(0, 256, PAGE, dtype=np.uint8)
        if random
        else np.full(PAGE, seed, np.uint8)
        for page, seed in held.items()
        if page < pages
    }
    with RegionWriter(path, "after", BASE, size) as writer:
        for chunk in sorted({page // PAGES_PER_CHUNK for page in content}, reverse=True):
            inside = sorted(page for page in content if page // PAGES_PER_CHUNK == chunk)
            rows = np.stack([content[page] for page in inside])
            writer.add(chunk, [page % PAGES_PER_CHUNK for page in inside], rows)
    with RegionFile(path, "after") as file:
        assert (file.base, file.size, file.checksum) == (BASE, size, writer.checksum)
        assert list(file.held_pages()) == sorted(content)
        for page, expected in content.items():
            found = file.page(page)
            assert found is not None
            assert (found == expected).all()
        file.verify()
        assert file.payload_bytes == writer.payload_bytes
