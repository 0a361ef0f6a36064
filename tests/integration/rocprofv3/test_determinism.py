"""The same program and input give the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Profile


@pytest.mark.parametrize("what", ["plain", "streams", "markers", "scratch"])
def test_same_bytes(profile: Profile, program: Path, what: str) -> None:
    options = ("-s", "-o", "x", "-f", "rocpd", "csv", "json", "pftrace")
    first, second = (
        profile(*options, program=[program, what], folder=folder, VROCM_THREADS=threads)
        for folder, threads in (("one", "1"), ("two", "4"))
    )
    names = [path.name for path in first.files("x_*")]
    assert len(names) >= 7
    assert names == [path.name for path in second.files("x_*")]
    different = [name for name in names if first.file(name).read_bytes() != second.file(name).read_bytes()]
    assert different == []


@pytest.mark.parametrize("seed", ["1", "2", "3", "4"])
def test_streams_at_random_repeat(profile: Profile, random_streams: Path, seed: str) -> None:
    """What several queues do at once does not depend on how fast the host is."""
    databases = set()
    for run, threads in enumerate(["1", "2", "5"]):
        result = profile(
            "-s",
            "-o",
            "x",
            "-f",
            "rocpd",
            program=[random_streams, seed],
            folder=f"{run}",
            VROCM_THREADS=threads,
        )
        assert result.code == 0, result.stderr
        databases.add(result.file("x_results.db").read_bytes())
    assert len(databases) == 1
