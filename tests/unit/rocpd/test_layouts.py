"""Versions of the schema: those that can be read give the same trace; the others are refused by name."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.read import read_trace

sys.path.insert(0, str(Path(__file__).parent))
from edit import run, to_schema_4


def same(path: Path, other: Path) -> bool:
    return replace(read_trace([path]), sources=()) == replace(read_trace([other]), sources=())


@pytest.mark.parametrize("timestamps", [False, True], ids=["4.1", "4.0"])
def test_schema_4_tells_what_schema_3_tells(database, tmp_path: Path, timestamps: bool) -> None:
    third = database(dispatches=200, counters=2, unusable_every=11)
    fourth = tmp_path / "fourth" / third.name
    fourth.parent.mkdir()
    shutil.copy(third, fourth)
    to_schema_4(fourth, timestamps=timestamps)
    before, after = read_trace([third]), read_trace([fourth])
    assert after.dispatches == before.dispatches > 150
    assert replace(after, sources=(), warnings=()) == replace(before, sources=(), warnings=())
    assert [text.split(": ")[1:] for text in after.warnings] == [
        text.split(": ")[1:] for text in before.warnings
    ]


def test_a_track_without_an_agent_is_told(database) -> None:
    path = database()
    to_schema_4(path, timestamps=False)
    run(path, 'UPDATE "rocpd_track_{guid}" SET agent_id = NULL')
    trace = read_trace([path])
    assert {launches.key.agent for launches in trace.launches} == {-1}
    assert any("its agent is not described" in text for text in trace.warnings)


def test_minor_versions_of_schema_3_are_read(database) -> None:
    path = database()
    total = read_trace([path]).total_ns
    run(path, "UPDATE \"rocpd_metadata_{guid}\" SET value = '3.0.5' WHERE tag = 'schema_version'")
    assert read_trace([path]).total_ns == total


def test_sampled_counters_are_not_summed(database) -> None:
    """Schema 3.0.3 keeps samples beside sums, told apart by sample_id."""
    path = database(counters=1)
    expected = read_trace([path])
    run(
        path,
        "DROP VIEW rocpd_pmc_event",
        'ALTER TABLE "rocpd_pmc_event_{guid}" ADD COLUMN sample_id INTEGER',
        'CREATE VIEW rocpd_pmc_event AS SELECT * FROM "rocpd_pmc_event_{guid}"',
        'INSERT INTO "rocpd_pmc_event_{guid}" (event_id, pmc_id, value, sample_id) VALUES (1, 1, 1e9, 5)',
    )
    assert read_trace([path]) == expected


def test_tables_without_views_are_read(database) -> None:
    path, whole = database(processes=2, counters=1), database(processes=2, counters=1)
    with sqlite3.connect(path) as connection:
        views = connection.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall()
        for (view,) in views:
            connection.execute(f'DROP VIEW "{view}"')
    connection.close()
    assert same(path, whole)


def test_tables_that_older_tracers_do_not_write_may_be_missing(database) -> None:
    path = database(counters=1)
    optional = ("rocpd_pmc_event", "rocpd_info_pmc", "rocpd_info_code_object", "rocpd_info_node")
    for table in optional:
        run(path, f"DROP VIEW {table}", f'DROP TABLE "{table}_{{guid}}"')
    trace = read_trace([path])
    assert trace.dispatches == 50
    assert trace.code_objects == ()
    assert trace.launches[0].counters == {}
    for table in optional:
        assert any(table in text for text in trace.warnings)


@pytest.mark.parametrize("table", ["rocpd_kernel_dispatch", "rocpd_info_kernel_symbol"])
def test_without_its_main_tables_a_database_is_refused(database, table: str) -> None:
    path = database()
    run(path, f"DROP VIEW {table}", f'DROP TABLE "{table}_{{guid}}"')
    with pytest.raises(BadInput, match=f"has no {table}") as caught:
        read_trace([path])
    assert "rocprofv3" in caught.value.remedy


def test_a_layout_nobody_knows_is_refused_by_name(database) -> None:
    path = database()
    run(
        path,
        "UPDATE \"rocpd_metadata_{guid}\" SET value = '7.2' WHERE tag = 'schema_version'",
        "DROP VIEW rocpd_kernel_dispatch",
        'CREATE VIEW rocpd_kernel_dispatch AS SELECT id, kernel_id FROM "rocpd_kernel_dispatch_{guid}"',
    )
    with pytest.raises(BadInput, match=r"version 7\.2 of the rocpd schema") as caught:
        read_trace([path])
    assert "--output-format csv" in caught.value.remedy


def test_a_compressed_database_is_refused_by_name(database) -> None:
    path = database()
    run(path, "INSERT INTO \"rocpd_metadata_{guid}\" (tag, value) VALUES ('compression', 'lz4-frame-v1')")
    with pytest.raises(BadInput, match="lz4-frame-v1"):
        read_trace([path])
