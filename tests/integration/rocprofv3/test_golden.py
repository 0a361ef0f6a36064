"""The databases of the examples are those that are kept, byte for byte, and say what their sources imply."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.commands import succeed

from . import golden
from .conftest import Profile


@pytest.mark.parametrize("source", golden.EXAMPLES, ids=lambda path: path.stem)
def test_database_is_as_kept(
    profile: Profile, environment: dict[str, str], tmp_path: Path, source: Path
) -> None:
    # Else the code object would bear a name made from the folders it was compiled in.
    options = ("-O2", f"-cuid={source.stem}", "-o", tmp_path / source.stem)
    succeed("hipcc", source, *options, environment=environment)
    run = profile(*golden.OPTIONS, program=[f"./{source.stem}"])
    assert run.code == 0, run.stderr
    schema, rows = golden.texts(run.file("x_results.db"))
    kept = golden.FOLDER / f"{source.stem}.sql"
    if golden.REGENERATE in os.environ:
        golden.SCHEMA.write_text(schema, encoding="utf-8")
        kept.write_text(rows, encoding="utf-8")
    assert schema == golden.SCHEMA.read_text(encoding="utf-8")
    assert rows == kept.read_text(encoding="utf-8"), (
        f"the database of {source.stem} has changed; if that is meant, set {golden.REGENERATE}=1 once"
    )


def ask(example: str, sql: str) -> list[tuple[object, ...]]:
    connection = golden.restored(example)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


# Example -> (kernel, launches, grid in work-items, workgroup): from its source, by hand.
LAUNCHES = {
    "vector_add": [("vector_add", 1, (3907 * 256, 1, 1), (256, 1, 1))],  # 1,000,003 items in blocks of 256
    "histogram": [("histogram", 1, (120 * 256, 1, 1), (256, 1, 1))],
    "matmul_mfma": [("matmul_mfma", 1, (8 * 64, 8, 1), (64, 1, 1))],
    "attention": [("attention", 1, (256 * 64, 1, 1), (64, 1, 1))],
    "softmax": [("softmax", 1, (8 * 128, 1, 1), (128, 1, 1))],
    "pointer_chase": [("chase", 1, (1, 1, 1), (1, 1, 1))],
    "reduction": [
        ("partial_sums", 1, (256, 1, 1), (256, 1, 1)),
        ("partial_sums", 1, (64 * 256, 1, 1), (256, 1, 1)),
    ],
    "two_streams": [
        ("add_halves", 1, (131072, 1, 1), (256, 1, 1)),
        ("scale", 4, (65536, 1, 1), (256, 1, 1)),
    ],
}


@pytest.mark.parametrize("example", LAUNCHES)
def test_kernels_are_those_of_the_source(example: str) -> None:
    rows = ask(
        example,
        "SELECT substr(name, 1, instr(name || '(', '(') - 1), count(*), grid_x, grid_y, grid_z,"
        " workgroup_x, workgroup_y, workgroup_z FROM kernels GROUP BY 1, 3, 4, 5, 6, 7, 8 ORDER BY 1, 3",
    )
    assert [(row[0], row[1], row[2:5], row[5:8]) for row in rows] == LAUNCHES[example]


def test_copies_of_two_streams() -> None:
    assert ask(
        "two_streams", "SELECT name, count(*), sum(size) FROM memory_copies GROUP BY name ORDER BY name"
    ) == [
        ("MEMORY_COPY_DEVICE_TO_HOST", 1, 131072 * 4),
        ("MEMORY_COPY_HOST_TO_DEVICE", 4, 4 * 65536 * 4),
    ]


def test_the_last_kernel_waits_for_both_streams() -> None:
    assert ask(
        "two_streams",
        "SELECT count(*) FROM kernels k WHERE k.name LIKE 'add_halves%'"
        " AND k.start >= (SELECT max(end) FROM kernels WHERE name LIKE 'scale%')",
    ) == [(1,)]
    assert ask("two_streams", "SELECT count(DISTINCT stream_id), count(DISTINCT queue_id) FROM kernels") == [
        (2, 2)
    ]


def test_a_stencil_steps_eight_times_in_order() -> None:
    assert ask("stencil", "SELECT count(*), count(DISTINCT name) FROM kernels") == [(8, 1)]
    overlapping = """
        SELECT count(*) FROM kernels a JOIN kernels b ON a.dispatch_id + 1 = b.dispatch_id
        WHERE b.start < a.end"""
    assert ask("stencil", overlapping) == [(0,)]


@pytest.mark.parametrize("example", [source.stem for source in golden.EXAMPLES])
def test_views_agree_with_tables(example: str) -> None:
    """AMD's summary views count microseconds; the tables nanoseconds."""
    [(total, launches)] = ask(example, "SELECT sum(end - start), count(*) FROM rocpd_kernel_dispatch")
    [(view_total, view_launches)] = ask(
        example, "SELECT sum(total_duration), sum(total_calls) FROM top_kernels"
    )
    assert view_launches == launches
    assert view_total == pytest.approx(total / 1000)
    assert ask(example, "SELECT count(*) FROM kernels WHERE duration <> end - start OR duration <= 0") == [
        (0,)
    ]


@pytest.mark.parametrize("example", [source.stem for source in golden.EXAMPLES])
def test_every_launch_was_asked_for_before_it_began(example: str) -> None:
    late = (
        "SELECT count(*) FROM kernels k JOIN regions r ON r.stack_id = k.stack_id"
        " WHERE r.name = 'hipLaunchKernel' AND k.start < r.start"
    )
    assert ask(example, late) == [(0,)]
    asked = "SELECT count(*) FROM regions WHERE name = 'hipLaunchKernel'"
    assert ask(example, asked) == ask(example, "SELECT count(*) FROM kernels")
