"""The database of a known program answers queries with the known answers."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.saved_data import REAL_DATABASE

from .conftest import Run

Query = Callable[..., list[tuple[object, ...]]]
COUNT, BYTES = 1024, 4096  # what the program works on


@pytest.fixture
def database(everything: Run) -> Path:
    assert everything.stdout == "4128\n"  # (1 * 2 * 2) * 1024 + 32: the second kernel reaches 32 elements
    return everything.file("*_results.db")


def test_kernels(database: Path, query: Query) -> None:
    rows = query(
        database,
        "SELECT name, dispatch_id, grid_x, grid_y, grid_z, workgroup_x, workgroup_y, lds_size, agent_type,"
        " stream, queue, end - start = duration, category FROM kernels ORDER BY dispatch_id",
    )
    first = ("scale(float*, float, int)", COUNT, 1, 1, 256, 1, 0, "GPU", "Default Stream", "Queue 0", 1)
    second = (
        "void offset<float>(float*, float, int)",
        32,
        32,
        1,
        16,
        16,
        0,
        "GPU",
        "Default Stream",
        "Queue 0",
        1,
    )
    expected = [
        (kernel[0], number, *kernel[1:], "KERNEL_DISPATCH")
        for number, kernel in enumerate((first, first, second), 1)
    ]
    assert rows == expected


def test_kernels_of_a_stream_follow_each_other(database: Path, query: Query) -> None:
    times = query(database, "SELECT start, end FROM kernels ORDER BY dispatch_id")
    assert all(start < end for start, end in times)  # type: ignore[operator]
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(times))  # type: ignore[operator]


def test_launches_lead_to_kernels(database: Path, query: Query) -> None:
    rows = query(
        database,
        "SELECT r.name, k.name, r.start < k.start, r.tid = k.tid FROM kernels k JOIN regions r"
        " ON r.stack_id = k.stack_id ORDER BY k.dispatch_id",
    )
    assert [row[0] for row in rows] == ["hipLaunchKernel"] * 3
    assert all(row[2:] == (1, 1) for row in rows)


def test_hip_calls(database: Path, query: Query) -> None:
    rows = query(database, "SELECT name FROM regions WHERE category LIKE 'HIP_%' ORDER BY start, id")
    launch = ["__hipPushCallConfiguration", "__hipPopCallConfiguration", "hipLaunchKernel"]
    names = [row[0] for row in rows]
    assert names == ["hipMalloc", "hipMemcpy", *launch * 3, "hipDeviceSynchronize", "hipMemcpy", "hipFree"]
    categories = query(database, "SELECT category, count(*) FROM regions WHERE name LIKE '%hip%' GROUP BY 1")
    assert categories == [("HIP_COMPILER_API_EXT", 6), ("HIP_RUNTIME_API_EXT", 8)]


def test_arguments(database: Path, query: Query) -> None:
    def arguments(call: str) -> list[dict[str, str]]:
        found = query(database, "SELECT id FROM regions WHERE name = ? ORDER BY id", call)
        sql = "SELECT a.name, a.value FROM region_args a WHERE a.id = ?"
        return [dict(query(database, sql, number)) for (number,) in found]  # type: ignore[arg-type]

    assert [call["size"] for call in arguments("hipMalloc")] == [str(BYTES)]
    into, out = arguments("hipMemcpy")
    assert (into["sizeBytes"], into["kind"]) == (str(BYTES), "hipMemcpyHostToDevice")
    assert (out["sizeBytes"], out["kind"]) == (str(BYTES), "hipMemcpyDeviceToHost")
    assert into["dst"] == out["src"] == arguments("hipFree")[0]["ptr"]
    assert arguments("hipLaunchKernel")[2]["numBlocks"] == "{z=1, y=2, x=2}"


def test_hsa_calls_are_inside_of_hip_calls(database: Path, query: Query) -> None:
    rows = query(
        database,
        "SELECT count(*), sum(hip.start <= hsa.start AND hsa.end <= hip.end) FROM regions hsa"
        " JOIN regions hip ON hsa.parent_stack_id = hip.stack_id AND hsa.id <> hip.id"
        " WHERE hsa.category LIKE 'HSA_%' AND hip.category LIKE 'HIP_%'",
    )
    total, inside = rows[0]
    assert total == inside
    assert isinstance(total, int)
    assert total > 20
    assert query(database, "SELECT count(*) FROM regions WHERE name = 'hsa_init'") == [(1,)]


def test_copies(database: Path, query: Query) -> None:
    rows = query(
        database,
        "SELECT name, size, src_agent_type, dst_agent_type, duration > 0 FROM memory_copies ORDER BY start",
    )
    assert rows == [
        ("MEMORY_COPY_HOST_TO_DEVICE", BYTES, "CPU", "GPU", 1),
        ("MEMORY_COPY_DEVICE_TO_HOST", BYTES, "GPU", "CPU", 1),
    ]
    callers = query(
        database, "SELECT DISTINCT r.name FROM memory_copies m JOIN regions r ON r.stack_id = m.stack_id"
    )
    assert callers == [("hipMemcpy",)]


def test_allocations(database: Path, query: Query) -> None:
    rows = query(
        database,
        "SELECT type, level, size, agent_type, address FROM memory_allocations m JOIN regions r"
        " ON r.stack_id = m.stack_id WHERE r.name IN ('hipMalloc', 'hipFree') AND"
        " (size = ? OR type = 'FREE') ORDER BY m.start",
        BYTES,
    )
    assert [row[:4] for row in rows] == [("ALLOC", "REAL", BYTES, "GPU"), ("FREE", "REAL", 0, None)]
    assert rows[0][4] == rows[1][4]


def test_totals(database: Path, query: Query) -> None:
    kernels = dict(query(database, "SELECT name, sum(duration) FROM kernels GROUP BY name"))  # type: ignore[arg-type]
    top = query(database, "SELECT name, total_calls, total_duration, percentage FROM top_kernels")
    assert {row[0]: row[1] for row in top} == {
        "scale(float*, float, int)": 2,
        "void offset<float>(float*, float, int)": 1,
    }
    for name, _, microseconds, percentage in top:
        assert microseconds == kernels[name] / 1000  # type: ignore[operator,index]
        assert percentage == pytest.approx(100 * kernels[name] / sum(kernels.values()))  # type: ignore
    busy = query(database, "SELECT type, Busy FROM busy ORDER BY type")
    assert [row[0] for row in busy] == ["CPU", "GPU"]


def test_agents_and_code(database: Path, query: Query) -> None:
    (row,) = query(database, "SELECT name, product_name, extdata FROM rocpd_info_agent WHERE type = 'GPU'")
    assert row[:2] == ("gfx942", "AMD Instinct MI300X")
    properties = json.loads(str(row[2]))
    expected = {
        "cu_count": 304,
        "simd_count": 1216,
        "max_waves_per_simd": 8,
        "lds_size_in_kb": 64,
        "wave_front_size": 64,
        "num_xcc": 8,
        "gfx_target_version": 90402,
    }
    assert {name: properties[name] for name in expected} == expected
    symbols = query(
        database, "SELECT kernel_name, sgpr_count, arch_vgpr_count FROM kernel_symbols ORDER BY 1"
    )
    assert [symbol[0] for symbol in symbols] == [
        "_Z11use_scratchPii.kd",
        "_Z5scalePffi.kd",
        "_Z6offsetIfEvPT_S0_i.kd",
    ]
    assert all(sgprs > 0 and vgprs > 0 for _, sgprs, vgprs in symbols)  # type: ignore[operator]
    assert query(database, "SELECT count(*), min(load_size) > 0 FROM code_objects") == [(1, 1)]


def test_file_is_sound(database: Path, query: Query) -> None:
    assert query(database, "PRAGMA integrity_check") == [("ok",)]
    assert query(database, "PRAGMA foreign_key_check") == []
    metadata = dict(query(database, "SELECT tag, value FROM rocpd_metadata"))  # type: ignore[arg-type]
    assert metadata["schema_version"] == "3"
    assert metadata["uuid"] == "_" + metadata["guid"].replace("-", "_")  # type: ignore[attr-defined]
    assert query(database, "SELECT DISTINCT environment FROM rocpd_info_process") == [("{}",)]


def _schema(database: Path) -> dict[str, object]:
    """Columns and references of tables, columns of views, with the guid taken out."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    (guid,) = connection.execute("SELECT value FROM rocpd_metadata WHERE tag = 'guid'").fetchone()
    suffix = "_" + guid.replace("-", "_")
    found: dict[str, object] = {}
    for kind, name in connection.execute(
        "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view')"
    ):
        if name.startswith("sqlite_"):
            continue
        columns = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
        if kind == "view":
            found[name] = [column[1] for column in columns]
            continue
        references = connection.execute(f'PRAGMA foreign_key_list("{name}")').fetchall()
        found[name.replace(suffix, "_GUID")] = (
            [(*column[1:4], str(column[4]).replace(guid, "GUID"), column[5]) for column in columns],
            sorted(
                (reference[3], reference[2].replace(suffix, ""), reference[5]) for reference in references
            ),
        )
    connection.close()
    return found


@pytest.mark.skipif(not REAL_DATABASE.exists(), reason=f"{REAL_DATABASE} is not here")
def test_schema_is_that_of_a_real_database(database: Path) -> None:
    assert _schema(database) == _schema(REAL_DATABASE)


@pytest.mark.skipif(not REAL_DATABASE.exists(), reason=f"{REAL_DATABASE} is not here")
def test_views_answer_as_those_of_a_real_database(database: Path, tmp_path: Path) -> None:
    """The real database's views, put over our tables, give the same rows as ours."""
    real = sqlite3.connect(f"file:{REAL_DATABASE}?mode=ro", uri=True)
    views = real.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'view' AND name NOT LIKE 'rocpd_%' ORDER BY rowid"
    ).fetchall()
    real.close()
    assert len(views) > 15

    def rows(connection: sqlite3.Connection) -> dict[str, list[str]]:
        return {name: sorted(map(str, connection.execute(f"SELECT * FROM {name}"))) for name, _ in views}

    copy = tmp_path / "copy.db"
    copy.write_bytes(database.read_bytes())
    connection = sqlite3.connect(copy)
    ours = rows(connection)
    for name, _ in views:
        connection.execute(f"DROP VIEW {name}")
    for _, sql in views:
        connection.execute(sql)
    theirs = rows(connection)
    connection.close()
    assert {name: len(found) for name, found in ours.items() if found} != {}
    assert [name for name in ours if ours[name] != theirs[name]] == []
