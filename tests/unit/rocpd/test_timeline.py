"""Timelines from databases: what ran where and when, which call caused it, which stream a handle means."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.read import read_trace
from rocm_perf_lab.rocpd.timeline.rows import NONE, Timeline, read_timeline

sys.path.insert(0, str(Path(__file__).parent))
from edit import run, to_schema_4


@pytest.fixture
def with_calls(tmp_path: Path) -> Path:
    """2000 kernels on three streams with all that goes with them."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))
    from timeline_generator import TimelineShape, write_timeline

    path = tmp_path / "calls_results.db"
    write_timeline(path, TimelineShape(2000, streams=3, event_every=50, copy_every=100, sync_every=200))
    return path


def called(timeline: Timeline, name: str) -> np.ndarray:
    number = timeline.names.index(name)
    return np.flatnonzero(timeline.calls.name == number)


def test_kernels_alone_are_those_of_the_trace(database) -> None:
    path = database(dispatches=300, unusable_every=7)
    trace, timeline = read_trace([path]), read_timeline([path])
    works = timeline.works
    assert len(works) == trace.dispatches
    assert int((works.end - works.start).sum()) == trace.total_ns
    assert (np.diff(works.start) >= 0).all()
    assert (works.call == NONE).all()
    assert len(timeline.calls) == 0
    assert any("end before they start" in text for text in timeline.warnings)
    names = {timeline.names[number] for number in works.name}
    assert names == {launches.key.kernel for launches in trace.launches}
    assert timeline.agents == trace.agents


def test_every_work_has_the_call_that_made_it(with_calls: Path) -> None:
    timeline = read_timeline([with_calls])
    works, calls = timeline.works, timeline.calls
    assert len(works) == 2000 + 20
    assert int(works.copy.sum()) == 20
    assert (works.call != NONE).all()
    kinds = {timeline.names[name] for name in calls.name[works.call[works.copy]]}
    assert kinds == {"hipMemcpyAsync"}
    # The model begins work 3 us after its call at the earliest.
    assert (works.start - calls.end[works.call] >= 3000).all()
    assert (works.bytes[works.copy] == 1 << 20).all()
    assert (works.queue[works.copy] == NONE).all()


def test_handles_mean_the_streams_that_work_ran_on(with_calls: Path) -> None:
    timeline = read_timeline([with_calls])
    records, waits = called(timeline, "hipEventRecord"), called(timeline, "hipStreamWaitEvent")
    assert len(records) == len(waits) == 40
    numbers = np.array([stream.number for stream in timeline.streams])
    recorded, waiting = numbers[timeline.calls.stream[records]], numbers[timeline.calls.stream[waits]]
    # Each event is waited for by the stream after its own.
    assert (waiting == recorded % 3 + 1).all()
    assert (timeline.calls.event[records] == timeline.calls.event[waits]).all()
    assert len(np.unique(timeline.calls.event[records])) == 3


def test_a_handle_that_is_used_again_means_the_nearer_stream(with_calls: Path) -> None:
    """Stream 1's work after the middle is on stream 4, under the same handle, as after destroy and create."""
    middle = read_timeline([with_calls]).works.order[1000]
    run(
        with_calls,
        'UPDATE "rocpd_kernel_dispatch_{guid}" SET stream_id = 4 WHERE stream_id = 1 '
        f"AND dispatch_id > {middle}",
        'UPDATE "rocpd_memory_copy_{guid}" SET stream_id = 2 WHERE stream_id = 1',
    )
    timeline = read_timeline([with_calls])
    records = called(timeline, "hipEventRecord")
    used = [timeline.streams[stream].number for stream in timeline.calls.stream[records]]
    assert 4 not in used[:10]
    assert 1 not in used[-10:]
    assert {1, 4} <= set(used)


def test_the_tracers_own_word_for_a_stream_counts(with_calls: Path) -> None:
    run(with_calls, "UPDATE \"rocpd_arg_{guid}\" SET extdata = '{\"stream_id\": 3}' WHERE name = 'stream'")
    timeline = read_timeline([with_calls])
    streams = timeline.calls.stream[called(timeline, "hipEventRecord")]
    assert {timeline.streams[stream].number for stream in streams} == {3}


def test_a_call_inside_another_is_left_out(with_calls: Path) -> None:
    """Copies as made by an inner call: they count as made by the one around it."""
    before = read_timeline([with_calls])
    copying = before.names.index("hipMemcpyAsync")
    inner = """INSERT INTO "rocpd_region_{guid}" (nid, pid, tid, start, end, name_id, event_id)
        SELECT nid, pid, tid, start + 100, end - 100, name_id, event_id + 1000000
        FROM "rocpd_region_{guid}" WHERE name_id =
        (SELECT id FROM rocpd_string WHERE string = 'hipMemcpyAsync')"""
    events = """INSERT INTO "rocpd_event_{guid}" (id, category_id, stack_id, parent_stack_id, correlation_id)
        SELECT id + 1000000, category_id, stack_id + 1000000, stack_id, 0 FROM "rocpd_event_{guid}"
        WHERE id IN (SELECT event_id FROM rocpd_memory_copy)"""
    caused = 'UPDATE "rocpd_memory_copy_{guid}" SET event_id = event_id + 1000000'
    run(with_calls, inner, events, caused)
    after = read_timeline([with_calls])
    assert len(after.calls) == len(before.calls)
    assert (after.works.call == before.works.call).all()
    assert (after.calls.name[after.works.call[after.works.copy]] == copying).all()


def test_two_processes_in_one_file_or_two(tmp_path: Path) -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))
    from trace_generator import Shape, write_trace, write_traces

    shape = Shape(200, processes=2)
    write_trace(tmp_path / "both_results.db", shape)
    files = write_traces(tmp_path / "apart", shape)
    together, apart = read_timeline([tmp_path / "both_results.db"]), read_timeline(files)
    for column in ("start", "end", "name", "process", "stream", "queue"):
        assert (getattr(together.works, column) == getattr(apart.works, column)).all(), column
    assert [process.pid for process in together.processes] == [100, 101]
    assert len(np.unique(together.works.process)) == 2
    # Streams and queues of different processes are different things.
    assert len(np.unique(together.works.stream)) == 2 * 8
    assert len(np.unique(together.works.queue)) == 2 * 4
    again = read_timeline([files[0], files[0]])
    assert len(again.works) == 100
    assert any("given twice" in text for text in again.warnings)


@pytest.mark.parametrize("timestamps", [False, True], ids=["4.1", "4.0"])
def test_schema_4(database, tmp_path: Path, timestamps: bool) -> None:
    third = database(dispatches=200)
    fourth = tmp_path / "fourth" / third.name
    fourth.parent.mkdir()
    shutil.copy(third, fourth)
    to_schema_4(fourth, timestamps=timestamps)
    before, after = read_timeline([third]).works, read_timeline([fourth]).works
    for column in ("start", "end", "agent", "order"):
        assert (getattr(before, column) == getattr(after, column)).all(), column
    assert len(np.unique(after.stream)) == 8
    assert any("copies and calls are not" in text for text in read_timeline([fourth]).warnings)


@pytest.mark.parametrize("column", ["start", "kernel_id", "stream_id", "dispatch_id"])
def test_damaged_columns_are_refused_or_left_out(database, column: str) -> None:
    path = database(dispatches=20)
    run(path, f"UPDATE \"rocpd_kernel_dispatch_{{guid}}\" SET {column} = 'x' WHERE dispatch_id = 3")
    if column == "start":
        assert len(read_timeline([path]).works) == 20  # SQLite reads it as 0: a time like others
    else:
        with pytest.raises(BadInput, match="damaged"):
            read_timeline([path])


def test_metadata_without_a_process(database) -> None:
    path = database(dispatches=20)
    run(path, "DELETE FROM \"rocpd_metadata_{guid}\" WHERE tag = 'guid'")
    assert len(read_timeline([path]).works) == 20


def test_null_streams_of_two_gpus_are_two(database) -> None:
    path = database(dispatches=60, streams=1)
    run(
        path,
        'UPDATE "rocpd_kernel_dispatch_{guid}" SET stream_id = 0, agent_id = 1 + dispatch_id % 2',
    )
    timeline = read_timeline([path])
    assert [(stream.is_null, stream.agent) for stream in timeline.streams] == [(True, 1), (True, 2)]
    assert (timeline.works.stream == timeline.works.agent - 1).all()


def test_tables_may_be_missing(with_calls: Path) -> None:
    for table in ("rocpd_arg", "rocpd_memory_copy", "rocpd_info_node"):
        run(with_calls, f"DROP VIEW {table}", f'DROP TABLE "{table}_{{guid}}"')
    timeline = read_timeline([with_calls])
    assert len(timeline.works) == 2000
    assert (timeline.calls.stream == NONE).all()


def test_folders_without_databases_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x_kernel_trace.csv").write_text("")
    with pytest.raises(BadInput, match="no rocpd database") as caught:
        read_timeline([tmp_path])
    assert "rocprofv3" in caught.value.remedy
