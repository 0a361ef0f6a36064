"""Files that are not what they should be: each is told apart, and each message says what to do."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.database import open_database
from rocm_perf_lab.rocpd.read import read_trace

sys.path.insert(0, str(Path(__file__).parent))
from edit import run


def refused(path: Path) -> BadInput:
    with pytest.raises(BadInput) as caught:
        read_trace([path])
    assert caught.value.remedy
    assert str(path) in caught.value.cause
    assert caught.value.exit_code == 6
    return caught.value


def test_missing(tmp_path: Path) -> None:
    assert "does not exist" in refused(tmp_path / "none.db").cause


def test_link_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "none.db")
    assert "points to nothing" in refused(tmp_path / "link.db").cause


def test_empty(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    assert "is empty" in refused(tmp_path / "empty.db").cause


@pytest.mark.parametrize("content", [b"hello", b"\0" * 5000, b"SQLite format 2\0" + b"x" * 200])
def test_not_a_database(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "junk.db").write_bytes(content)
    assert "is not a SQLite database" in refused(tmp_path / "junk.db").cause


def test_foreign_database(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("CREATE TABLE people (name)")
    connection.close()
    assert "not one of rocprofv3" in refused(tmp_path / "other.db").cause


@pytest.mark.parametrize("kept", [16, 60, 100, 4096, -4096, -1])
def test_truncated(database, kept: int) -> None:
    path = database(dispatches=2000)
    path.write_bytes(path.read_bytes()[:kept])
    error = refused(path)
    assert "is truncated" in error.cause
    assert "copy it again" in error.remedy


def test_damaged_inside(database) -> None:
    path = database(dispatches=2000)
    content = bytearray(path.read_bytes())
    content[4096 * 40 : -4096] = b"\xff" * (len(content) - 4096 * 41)
    path.write_bytes(content)
    assert "is damaged" in refused(path).cause


def test_held_by_a_writer(database, monkeypatch) -> None:
    monkeypatch.setattr("rocm_perf_lab.rocpd.database._WAIT_SECONDS", 0.05)
    path = database()
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    error = refused(path)
    writer.execute("ROLLBACK")
    writer.close()
    assert "is being written" in error.cause
    assert "wait" in error.remedy
    assert read_trace([path]).dispatches == 50


def test_a_writer_that_has_not_committed_is_not_seen(database) -> None:
    path = database()
    before = read_trace([path])
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    (table,) = writer.execute(
        "SELECT name FROM sqlite_master WHERE name LIKE 'rocpd_kernel_dispatch_%'"
    ).fetchone()
    writer.execute(f'DELETE FROM "{table}"')
    assert read_trace([path]) == before
    writer.execute("ROLLBACK")
    writer.close()


def test_write_ahead_log_is_read(database) -> None:
    """The newest state is in the log; the file alone would tell an old one."""
    path = database()
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    (table,) = writer.execute(
        "SELECT name FROM sqlite_master WHERE name LIKE 'rocpd_kernel_dispatch_%'"
    ).fetchone()
    writer.execute(f'DELETE FROM "{table}" WHERE id > 10')
    assert path.with_name(path.name + "-wal").stat().st_size > 0
    assert read_trace([path]).dispatches == 10
    writer.close()


def test_a_database_in_wal_mode_that_nobody_writes(database) -> None:
    path = database()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    assert read_trace([path]).dispatches == 50
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_writer_that_comes_while_such_a_database_is_read(database) -> None:
    path = database()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    reading = open_database(path)
    reading.__enter__()
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("CREATE TABLE more (x)")
    with pytest.raises(BadInput, match="is being written"):
        reading.__exit__(None, None, None)
    writer.close()


def test_interrupted_write_is_told(database) -> None:
    """A process dies in the middle of a write and leaves a hot journal: the file alone is half changed."""
    path = database(dispatches=3000)
    script = (
        "import os, sqlite3, sys\n"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "c.execute('PRAGMA cache_size = 1')\n"
        "c.execute('BEGIN')\n"
        "name = c.execute(\"SELECT name FROM sqlite_master WHERE name LIKE 'rocpd_kernel_dispatch_%'\")\n"
        "t = name.fetchone()[0]\n"
        "c.execute(f'UPDATE \"{t}\" SET start = 0')\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
    journal = path.with_name(path.name + "-journal")
    assert journal.stat().st_size > 0
    before = path.read_bytes()
    error = refused(path)
    assert "middle of a write" in error.cause
    assert "PRAGMA integrity_check" in error.remedy
    assert path.read_bytes() == before
    assert journal.exists()
    sqlite3.connect(path).execute("PRAGMA integrity_check").fetchall()  # what the message says to do
    assert read_trace([path]).dispatches == 3000


@contextmanager
def as_anybody() -> Iterator[Path]:
    """A folder that all may enter. Root, who may read everything, can become nobody in it."""
    user = os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        try:
            yield folder
        finally:
            os.seteuid(user)


def test_unreadable(database) -> None:
    with as_anybody() as folder:
        path = Path(shutil.copy(database(), folder))
        path.chmod(0)
        if os.geteuid() == 0:
            os.seteuid(65534)
        error = refused(path)
    assert "may not be read" in error.cause
    assert "chmod" in error.remedy


def test_unreadable_folder(database) -> None:
    with as_anybody() as folder:
        (folder / "inner").mkdir(mode=0)
        if os.geteuid() == 0:
            os.seteuid(65534)
        error = refused(folder / "inner")
    assert "may not be read" in error.cause


def test_read_only_folder_with_a_database_in_wal_mode(database) -> None:
    """SQLite wants files beside such a database even to read it; while nobody writes, none are needed."""
    with as_anybody() as folder:
        path = Path(shutil.copy(database(), folder))
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        connection.close()
        path.chmod(0o444)
        folder.chmod(0o555)
        if os.geteuid() == 0:
            os.seteuid(65534)
        trace = read_trace([path])
        files = sorted(file.name for file in folder.iterdir())
    assert trace.dispatches == 50
    assert files == [path.name]


def test_read_only_folder_with_a_write_ahead_log(database) -> None:
    """What is in the log cannot be had without writing, and the file alone would tell an old state."""
    source = database()
    writer = sqlite3.connect(source, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("CREATE TABLE more (x)")
    with as_anybody() as folder:
        path = Path(shutil.copy(source, folder))
        shutil.copy(f"{source}-wal", folder)
        folder.chmod(0o555)
        if os.geteuid() == 0:
            os.seteuid(65534)
        error = refused(path)
    writer.close()
    assert "-wal" in error.remedy


def test_nothing_is_written(database) -> None:
    path = database(counters=1)
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    read_trace([path])
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name]


def test_no_dispatches_is_no_error(database) -> None:
    trace = read_trace([database(dispatches=0)])
    assert trace.launches == ()
    assert (trace.begin_ns, trace.end_ns, trace.total_ns) == (None, None, 0)
    assert trace.warnings == ("no kernel was launched",)


def test_no_dispatch_of_the_kernel_that_was_asked_for(database) -> None:
    assert read_trace([database()], kernels="nothing").warnings == ("no kernel that matches was launched",)


def test_broken_times_are_counted_and_not_used(database) -> None:
    path = database(dispatches=10, kernels=1, geometries=1)
    whole = read_trace([path])
    run(
        path,
        'UPDATE "rocpd_kernel_dispatch_{guid}" SET start = "end" + 5 WHERE id = 1',
        "UPDATE \"rocpd_kernel_dispatch_{guid}\" SET start = 'soon' WHERE id = 2",
        'UPDATE "rocpd_kernel_dispatch_{guid}" SET start = -9223372036854775808 WHERE id = 3',
        'UPDATE "rocpd_kernel_dispatch_{guid}" SET start = start + 0.25 WHERE id = 4',
        'UPDATE "rocpd_kernel_dispatch_{guid}" SET "end" = start WHERE id = 5',
        'UPDATE "rocpd_kernel_dispatch_{guid}" SET start = 0, "end" = 0 WHERE id = 6',
    )
    trace = read_trace([path])
    assert trace.dispatches == 5
    assert any("5 dispatches end before they start or have no time" in text for text in trace.warnings)
    assert trace.launches[0].min_ns == 0  # start = end is short, not broken
    assert trace.begin_ns >= whole.begin_ns


def test_names_that_are_missing_or_not_text(database) -> None:
    path = database(kernels=3)
    run(
        path,
        'UPDATE "rocpd_info_kernel_symbol_{guid}" SET display_name = NULL WHERE id = 1',
        'UPDATE "rocpd_info_kernel_symbol_{guid}" SET display_name = NULL, kernel_name = NULL WHERE id = 2',
        "UPDATE \"rocpd_info_kernel_symbol_{guid}\" SET display_name = CAST(x'66ff6f' AS TEXT) WHERE id = 3",
    )
    names = {launches.key.kernel for launches in read_trace([path]).launches}
    assert names == {"_Z8kernel01Pf", "(kernel 2 without a name)", "f�o"}


def test_broken_properties_are_missing_not_fatal(database) -> None:
    path = database(kernels=2)
    run(
        path,
        'UPDATE "rocpd_info_agent_{guid}" SET extdata = \'{"cu_count": 30\'',
        "UPDATE \"rocpd_info_kernel_symbol_{guid}\" SET extdata = '[1, 2]' WHERE id = 1",
        "UPDATE \"rocpd_info_kernel_symbol_{guid}\" SET extdata = x'00ff' WHERE id = 2",
    )
    trace = read_trace([path])
    (agent,) = trace.agents
    assert (agent.name, agent.cu_count, agent.virtual) == ("gfx942", None, None)
    assert trace.dispatches == 50
    for owner in ("agent 1", "kernel 1", "kernel 2"):
        assert any(f"properties of {owner} are not JSON" in text for text in trace.warnings)


def test_dispatches_of_what_is_not_described(database) -> None:
    path = database(kernels=2, geometries=1)
    run(
        path,
        'DELETE FROM "rocpd_info_kernel_symbol_{guid}" WHERE id = 2',
        'DELETE FROM "rocpd_info_agent_{guid}"',
    )
    trace = read_trace([path])
    assert trace.dispatches == 50
    assert "(kernel 2 without a name)" in {launches.key.kernel for launches in trace.launches}
    assert any("kernel 2 was dispatched" in text for text in trace.warnings)
    assert any("agent 1 was used" in text for text in trace.warnings)


def test_ids_as_large_as_they_can_be(database) -> None:
    path = database(kernels=1, geometries=1, counters=1, dispatches=9)
    expected = read_trace([path])
    large = 2**63 - 1
    run(
        path,
        *(
            f'UPDATE "{table}_{{guid}}" SET {column} = {large} - {column}'
            for table, column in [
                ("rocpd_kernel_dispatch", "event_id"),
                ("rocpd_pmc_event", "event_id"),
                ("rocpd_kernel_dispatch", "kernel_id"),
                ("rocpd_info_kernel_symbol", "id"),
                ("rocpd_info_pmc", "id"),
                ("rocpd_pmc_event", "pmc_id"),
            ]
        ),
    )
    assert read_trace([path]) == expected


def test_a_column_that_is_missing_is_named(database) -> None:
    path = database()
    run(
        path,
        "DROP VIEW rocpd_info_kernel_symbol",
        "CREATE VIEW rocpd_info_kernel_symbol AS SELECT id, guid, kernel_name FROM "
        '"rocpd_info_kernel_symbol_{guid}"',
    )
    assert "no such column" in refused(path).cause
