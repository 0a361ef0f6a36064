"""Memory of captures and observations, read in pieces, against whole arrays; elements that cross pages."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocm_perf_lab.capturing.element_layout import layout_of
from rocm_perf_lab.capturing.folder import open_capture
from rocm_perf_lab.capturing.region_file import CHUNK, PAGE, PAGES_PER_CHUNK
from rocm_perf_lab.replaying.memory.buffers import Pointer, buffers_of
from rocm_perf_lab.replaying.memory.memory_state import CapturedMemory, Observation
from rocm_perf_lab.replaying.memory.observed_differences import compare, exact, first_wrong, spreads
from rocm_perf_lab.replaying.memory.region_writer import RegionWriter

from .made import OUT, MadeCapture, Region

SIZE = 5 * CHUNK // 2 + 1234
PLACES = st.lists(st.integers(0, SIZE - 1), max_size=12)


def observe(folder: Path, expected: np.ndarray, got: np.ndarray) -> None:
    """What rocm-perf-replay --observe writes: the pages that differ."""
    folder.mkdir()
    pages = sorted({int(place) // PAGE for place in np.flatnonzero(expected != got)})
    if not pages:
        return
    padded = np.zeros(-(-SIZE // CHUNK) * CHUNK, np.uint8)
    padded[:SIZE] = got
    with RegionWriter(folder / f"after_{OUT:016x}.bin", "after", OUT, SIZE) as writer:
        for chunk in sorted({page // PAGES_PER_CHUNK for page in pages}):
            held = [page % PAGES_PER_CHUNK for page in pages if page // PAGES_PER_CHUNK == chunk]
            rows = padded[chunk * CHUNK : (chunk + 1) * CHUNK].reshape(PAGES_PER_CHUNK, PAGE)
            writer.add(chunk, held, rows[held])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=25)
@given(
    PLACES,
    PLACES,
    st.sampled_from(["float", "double", "float3", "unsigned char"]),
    st.integers(0, 40),
    st.lists(st.tuples(st.integers(0, SIZE), st.integers(0, SIZE)), max_size=4),
    st.integers(0, 1 << 30),
)
def test_against_whole_arrays(
    tmp_path: Path,
    changed: list[int],
    wrong: list[int],
    type_name: str,
    offset: int,
    reads: list[tuple[int, int]],
    seed: int,
) -> None:
    shutil.rmtree(tmp_path)
    choose = np.random.default_rng(seed)
    before = choose.integers(0, 4, SIZE, dtype=np.uint8)
    before[: 2 * PAGE] = 0  # pages that are not held
    after = before.copy()
    after[changed] ^= 1
    got = after.copy()
    got[wrong] ^= 2
    folder = MadeCapture(regions=[Region(OUT, before.tobytes(), after.tobytes())]).write(tmp_path / "capture")
    observe(tmp_path / "seen", after, got)
    (buffers) = buffers_of(OUT, SIZE, [Pointer("p", OUT + offset, layout_of(type_name))], "region")
    with CapturedMemory(open_capture(folder)) as memory, Observation(tmp_path / "seen") as seen:
        region = memory.regions[OUT]
        for low, high in reads:
            if low < high:
                assert (region.before(OUT + low, OUT + high) == before[low:high]).all()
                assert (region.after(OUT + low, OUT + high) == after[low:high]).all()
                found = seen.over(OUT, OUT + low, after[low:high])
                assert (found == got[low:high]).all()
        reports = {(report.address, report.type): report for report in compare(memory, buffers, seen, exact)}
        different = after != got
        first = first_wrong(memory, buffers, seen, exact)
        assert (first is None) == (not different.any())
        for buffer in buffers:
            mine = different[buffer.start - OUT : buffer.end - OUT]
            report = reports.pop((hex(buffer.start), buffer.layout.name), None)
            if not mine.any():
                assert report is None
                continue
            assert report is not None
            elements = mine.reshape(-1, buffer.layout.stride).any(axis=1)
            assert report.differing_bytes == np.count_nonzero(mine)
            assert report.differing_elements == report.beyond_tolerance == np.count_nonzero(elements)
            assert report.first is not None
            assert report.first.index == buffer.index(buffer.start) + int(np.argmax(elements))
        assert not reports
        spread = spreads(memory, buffers, [seen, seen])
        assert sum(one.elements for one in spread.values()) == sum(
            np.count_nonzero(
                different[one.start - OUT : one.end - OUT].reshape(-1, one.layout.stride).any(axis=1)
            )
            for one in buffers
        )
