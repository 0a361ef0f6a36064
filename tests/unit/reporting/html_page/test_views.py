"""View-models of roofline, kernels, occupancy, code, doubts: the figures of documents, and what is absent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocm_perf_lab.arch.limits_table import LIMITS
from rocm_perf_lab.contracts.profiling.roofline import Work
from rocm_perf_lab.contracts.profiling.roofline_document import RooflineDocument
from rocm_perf_lab.reporting.html.code_view import code_view
from rocm_perf_lab.reporting.html.doubts_view import doubts_view
from rocm_perf_lab.reporting.html.kernel_table_view import kernel_table_view
from rocm_perf_lab.reporting.html.occupancy_view import occupancy_view
from rocm_perf_lab.reporting.html.page import render
from rocm_perf_lab.reporting.html.reproduce_view import reproduce_view
from rocm_perf_lab.reporting.html.roofline_view import roofline_view
from rocm_perf_lab.reporting.html.view_model import report_view

from .documents import F32, HBM, att, kernel, roofline, run


def test_points() -> None:
    (all_types, f32) = roofline_view(run([kernel("k")])).points
    assert (all_types.precision, all_types.level, all_types.kernel) == ("all", "hbm", 0)
    assert (all_types.intensity, all_types.rate, all_types.gbps) == (2.0, 2.0, 1.0)
    assert f32.precision == "f32"
    assert all_types.suspect is None


def test_vector_and_matrix_units_count_together() -> None:
    (work,) = roofline().work
    both = replace(roofline(), work=(work, replace(work, unit="mfma", operations=3000.0, gflops=3.0)))
    view = roofline_view(run([replace(kernel("k"), roofline=both)]))
    f32 = next(point for point in view.points if point.precision == "f32")
    assert (f32.intensity, f32.rate) == (5.0, 5.0)


def test_integers_are_no_floating_point() -> None:
    whole = Work(
        type="i8", unit="mfma", operations=9.0, gflops=1.0, ceiling=None, share_of_ceiling=None, formula=""
    )
    only = replace(roofline(), flops=0.0, achieved_gflops=0.0, work=(whole,))
    view = roofline_view(run([replace(kernel("k"), roofline=only)]))
    assert view.precisions == ("i8",)


@pytest.mark.parametrize("figure", ["traffic hbm", "work valu f32"])
def test_suspects_mark_their_points_and_are_told(figure: str) -> None:
    suspicious = run([kernel("k", suspect=figure)])
    assert all(point.suspect for point in roofline_view(suspicious).points)
    (doubt,) = doubts_view(suspicious).suspects
    assert (doubt.figure, doubt.why) == (figure, "above its roof")


def test_roofs() -> None:
    document = RooflineDocument(
        origin="spec",
        missing={"gpu": "not told"},
        gpu=None,
        flop_model="typed",
        ceilings=(HBM, F32, replace(HBM, name="none", value=0.0)),
        kernels=(),
    )
    roofs = roofline_view(replace(run([kernel("k")]), roofline=document)).roofs
    assert [(roof.name, roof.level, roof.precision) for roof in roofs] == [
        ("hbm", "hbm", None),
        ("valu f32", None, "f32"),
    ]


def test_without_counters() -> None:
    uncounted = run([kernel("k", counted=False)])
    assert roofline_view(uncounted).missing
    columns = {column.key for column in kernel_table_view(uncounted).columns}
    assert not columns & {"bound", "roof", "achieved"}
    assert ("roofline", "no counters were collected") in kernel_table_view(uncounted).rows[0].missing
    page = render(report_view(uncounted))
    for how in ("--roofline", "--deep-analysis", "--focus-critical"):
        assert f"rocm-perf profile {how}" in page, "absent parts say how to get them"


def test_table_sorts_by_figures_and_unknown_comes_last() -> None:
    counted, not_counted = kernel("a", 0.75), kernel("b", 0.25, counted=False)
    first, second = kernel_table_view(run([counted, not_counted])).rows
    assert first.cells["roof"].value == 0.5
    assert second.cells["roof"].value == -1.0
    assert second.cells["roof"].why == "no counters were collected"
    assert first.cells["share"].text == "75.0%"


def test_table_of_very_many_kernels() -> None:
    one = kernel("k", counted=False)
    made = run([replace(one, name=f"k{number}") for number in range(2100)])
    table = kernel_table_view(made)
    assert len(table.rows) == 2000
    assert table.left_out == "100 more kernels are in profile.json"
    assert sum(row.detailed for row in table.rows) == 40
    assert len(render(report_view(made)).encode()) < 2_000_000


def test_occupancy_calculator_starts_from_the_kernel() -> None:
    view = occupancy_view(run([kernel("k")]))
    assert view.architecture == "gfx942"
    assert view.limits.keys() == LIMITS.keys()
    (demand,) = view.demands
    assert (demand.threads, demand.arch_vgprs, demand.lds_bytes, demand.wave_size) == (256, 96, 1024, 64)


def test_code() -> None:
    (traced,) = code_view(att("kernel", "v_add")).dispatches
    (line,) = traced.lines
    assert line.figures == (2, 4.0, 1.0, 0.0, 2)
    assert traced.sources[line.source].place == "v_add:7"
    assert code_view(None).missing


def test_reproduce() -> None:
    view = reproduce_view(run([kernel("k")], text=" it's"))
    assert view.commands == (
        "cd '/home/somebody it'\"'\"'s'",
        "export HIP_VISIBLE_DEVICES='0 it'\"'\"'s'",
        "rocm-perf profile --runs 1 -- './app it'\"'\"'s' --option",
    )


def test_warnings() -> None:
    view = doubts_view(run([kernel("k")]))
    assert "beware" in view.warnings
    assert view.dropped == (("SQ_BUSY_CYCLES", "not offered"),)
