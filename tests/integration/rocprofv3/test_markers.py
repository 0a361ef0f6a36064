"""roctx marks and ranges in traces."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

from tests.commands import SECONDS

from .conftest import Profile

Query = Callable[..., list[tuple[object, ...]]]


def test_ranges_and_marks(profile: Profile, program: Path, query: Query) -> None:
    run = profile("--marker-trace", "--kernel-trace", "-f", "rocpd", "csv", program=[program, "markers"])
    assert run.stdout == "level 0\nlevel 1\nlevel 1\nlevel 0\nlevel -1\n"
    database = run.file("*.db")
    rows = query(
        database,
        "SELECT name, extdata, start, end FROM regions WHERE category = 'MARKER_CORE_RANGE_API' ORDER BY id",
    )
    ranges = {json.loads(str(row[1]))["message"]: row for row in rows}
    assert [ranges[name][0] for name in ("whole", "outer", "inner")] == [
        "roctxProcessRangeA",
        "roctxThreadRangeA",
        "roctxThreadRangeA",
    ]
    whole, outer, inner = (ranges[name][2:] for name in ("whole", "outer", "inner"))
    assert whole[0] <= outer[0] <= inner[0] < inner[1] <= outer[1] <= whole[1]  # type: ignore[operator]
    kernels = query(database, "SELECT min(start), max(end) FROM kernels")[0]
    assert inner[0] <= kernels[0] < kernels[1] <= inner[1]  # type: ignore[operator]
    marks = query(database, "SELECT category, extdata FROM samples ORDER BY id")
    assert ("MARKER_CORE_RANGE_API", '{"message":"before"}') in marks
    assert query(database, "SELECT name FROM threads") == [("main thread",)]
    with run.file("*_marker_api_trace.csv").open(newline="") as file:
        assert {"whole", "outer", "inner", "before"} <= {row["Function"] for row in csv.DictReader(file)}


def test_kernels_named_after_ranges(profile: Profile, program: Path, query: Query) -> None:
    run = profile("--kernel-trace", "--kernel-rename", "-f", "rocpd", "csv", program=[program, "markers"])
    assert query(run.file("*.db"), "SELECT DISTINCT region FROM kernels") == [("inner",)]
    assert query(run.file("*.db"), "SELECT count(*) FROM regions_and_samples") == [(0,)]
    with run.file("*_kernel_trace.csv").open(newline="") as file:
        assert {row["Kernel_Name"] for row in csv.DictReader(file)} == {"inner"}


def test_selected_regions(profile: Profile, program: Path, query: Query) -> None:
    def kernels(*options: str, folder: str) -> list[tuple[object, ...]]:
        run = profile("--kernel-trace", *options, program=[program, "pause"], folder=folder)
        return query(run.file("*.db"), "SELECT name FROM kernels ORDER BY start")

    scale, offset = ("scale(float*, float, int)",), ("void offset<float>(float*, float, int)",)
    assert kernels("--selected-regions", folder="selected") == [offset]
    # Without the option collection is on from the start; a pause still ends it.
    assert kernels(folder="all") == [scale, offset]


def test_program_without_tracer(program: Path, environment: dict[str, str]) -> None:
    import subprocess

    run = subprocess.run(
        [program, "markers"], env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    assert (run.returncode, run.stderr) == (0, "")
