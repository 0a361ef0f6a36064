"""--pmc from outside: values that follow from the program, runs, filters."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

from .conftest import Profile

Query = Callable[..., list[tuple[object, ...]]]
SCALE, OFFSET = "scale(float*, float, int)", "void offset<float>(float*, float, int)"


def test_waves(profile: Profile, program: Path, query: Query) -> None:
    run = profile("--pmc", "SQ_WAVES", program=[program])
    assert (run.code, run.stdout) == (0, "4128\n")
    rows = query(
        run.file("*.db"),
        "SELECT dispatch_id, kernel_name, counter_name, value FROM counters_collection ORDER BY dispatch_id",
    )
    # 1024 work-items are 16 waves, and so are 4 workgroups of 256.
    assert rows == [
        (1, SCALE, "SQ_WAVES", 16.0),
        (2, SCALE, "SQ_WAVES", 16.0),
        (3, OFFSET, "SQ_WAVES", 16.0),
    ]


def test_a_run_for_each_group(profile: Profile, program: Path) -> None:
    run = profile(
        "--pmc", "SQ_WAVES", "SQ_INSTS_VALU", "--pmc", "TCC_HIT,TCC_MISS", "-f", "csv", program=[program]
    )
    assert run.stdout == "4128\n4128\n"
    names = {}
    for number in (1, 2):
        (table,) = (run.folder / f"pass_{number}").rglob("*_counter_collection.csv")
        with table.open(newline="") as file:
            names[number] = {row["Counter_Name"] for row in csv.DictReader(file)}
        assert list((run.folder / f"pass_{number}").rglob("*_kernel_trace.csv")) == []
    assert names == {1: {"SQ_WAVES", "SQ_INSTS_VALU"}, 2: {"TCC_HIT", "TCC_MISS"}}


def test_filters(profile: Profile, program: Path, query: Query) -> None:
    def counted(*options: str, folder: str) -> list[tuple[object, ...]]:
        run = profile("--pmc", "SQ_WAVES", "--kernel-trace", *options, program=[program], folder=folder)
        assert query(run.file("*.db"), "SELECT count(*) FROM kernels") == [(3,)]
        return query(run.file("*.db"), "SELECT dispatch_id FROM counters_collection ORDER BY 1")

    assert counted("--kernel-include-regex", "offset", folder="include") == [(3,)]
    assert counted("--kernel-exclude-regex", "offset", folder="exclude") == [(1,), (2,)]
    assert counted("--kernel-iteration-range", "[2]", folder="range") == [(2,)]


def test_jobs_with_counters(profile: Profile, program: Path, query: Query, tmp_path: Path) -> None:
    (tmp_path / "counters.txt").write_text("# two runs\npmc: SQ_WAVES\npmc: SQ_INSTS_SALU SQ_INSTS_VALU\n")
    run = profile("-i", "counters.txt", program=[program])
    found = [
        {row[0] for row in query(path, "SELECT DISTINCT counter_name FROM counters_collection")}
        for folder in ("pmc_1", "pmc_2")
        for path in (run.folder / folder).rglob("*.db")
    ]
    assert found == [{"SQ_WAVES"}, {"SQ_INSTS_SALU", "SQ_INSTS_VALU"}]
