"""Comparisons of made-up profiles: kernels, resources, what must agree, what counts as a regression."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocm_perf_lab.analysis.compare import compare
from rocm_perf_lab.analysis.compare_settings import differences
from rocm_perf_lab.analysis.compare_sides import only_kernels, together
from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.contracts.profiling.comparison import ComparisonDocument
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.errors import NoKernels

from .made_profiles import GPU, SETTING, kernel, profile

BASE = profile(
    kernel("a(int*)", 5.0, 5.01, 4.99), kernel("b(int*)", 2.0, 2.01, 1.99), kernel("old()", 1, 1, 1)
)
NEW = profile(
    kernel("a(int*)", 7.5, 7.51, 7.49, arch_vgprs=64, vgpr_spills=3),
    kernel("b(int*)", 1.0, 1.01, 0.99, code_bytes=300),
    kernel("fresh()", 1, 1, 1),
)


def of(base: ProfileDocument, new: ProfileDocument, limit: float | None = None) -> ComparisonDocument:
    document = compare(base, new, base_name="base", new_name="new", fail_on_regression=limit)
    assert from_json(ComparisonDocument, to_json(document), "x") == document
    return document


def test_kernels() -> None:
    found = {one.name: one for one in of(BASE, NEW).kernels}
    slow, fast = found["a(int*)"], found["b(int*)"]
    assert slow.time
    assert fast.time
    assert (slow.time.verdict, slow.time.ratio) == ("slower", pytest.approx(1.5))
    assert (fast.time.verdict, fast.time.ratio) == ("faster", pytest.approx(0.5))
    assert (found["old()"].status, found["old()"].time) == ("removed", None)
    assert (found["fresh()"].status, found["fresh()"].new_ms) == ("new", 1)
    assert {one.name for one in slow.resources if one.changed} == {"arch_vgprs", "vgpr_spills"}
    assert {one.name: (one.base, one.new) for one in fast.resources if one.changed} == {
        "code_bytes": (400, 300)
    }


def test_total() -> None:
    document = of(BASE, NEW)
    assert document.total.base_ms == pytest.approx(8)
    assert document.total.new_ms == pytest.approx(9.5)
    assert document.total.verdict == "slower"


def test_regressions() -> None:
    assert of(BASE, NEW).regressions == ()
    assert of(BASE, NEW, 0.05).regressions == ("total", "a(int*)")
    assert of(BASE, NEW, 0.3).regressions == ("a(int*)",)
    assert of(BASE, NEW, 0.6).regressions == ()
    assert of(NEW, NEW, 0.0).regressions == ()


def test_kernels_that_hardly_count_do_not_fail() -> None:
    base = profile(kernel("big()", 100, 100), kernel("tiny()", 0.1, 0.1, share=0.001))
    new = profile(kernel("big()", 100, 100), kernel("tiny()", 0.2, 0.2, share=0.002))
    document = of(base, new, 0.05)
    tiny = document.kernels[1]
    assert tiny.time
    assert tiny.time.verdict == "slower"
    assert document.regressions == ()


def test_undecided_is_no_regression() -> None:
    base = profile(kernel("a()", 10.0, 14.0, 8.0))
    new = profile(kernel("a()", 12.0, 16.0, 9.0))
    document = of(base, new, 0.05)
    assert document.total.verdict == "undecided"
    assert document.regressions == ()


@pytest.mark.parametrize(
    ("aspect", "new"),
    [
        ("gpu", profile(*BASE.kernels, gpu=replace(GPU, name="AMD Instinct MI325X"))),
        ("gpu", profile(*BASE.kernels, gpu=replace(GPU, cu_count=38))),
        ("clocks", profile(*BASE.kernels, gpu=replace(GPU, clock_mhz=1700.0))),
        (
            "clocks",
            profile(*BASE.kernels, setting=replace(SETTING, gpu_state={"card0.performance_level": "auto"})),
        ),
        ("command", profile(*BASE.kernels, setting=replace(SETTING, command=("./app", "2048")))),
        ("command", profile(*BASE.kernels, setting=replace(SETTING, command=("./other", "1024")))),
        ("environment", profile(*BASE.kernels, setting=replace(SETTING, environment={}))),
        ("filter", profile(*BASE.kernels, setting=replace(SETTING, kernel_filter="a"))),
        ("origin", replace(BASE, origin="simulated")),
        ("figure", replace(BASE, stability=None, wall_ms=BASE.stability)),
    ],
)
def test_what_must_agree(aspect: str, new: ProfileDocument) -> None:
    found = differences(BASE, new)
    assert [one.aspect for one in found] == [aspect]
    assert found[0].base != found[0].new


def test_what_may_differ() -> None:
    moved = replace(
        SETTING,
        command=("/elsewhere/app", "1024"),
        working_directory="/b",
        started="2025-02-01T12:00:00+00:00",
        tools={"rocm": "7.1"},
        environment={**SETTING.environment, "ROCM_PATH": "/opt/rocm-7.1"},
        gpu_state={**SETTING.gpu_state, "card0.temperature_millidegrees": "41000"},
    )
    new = profile(*BASE.kernels, setting=moved)
    assert differences(BASE, new) == []
    assert {"rocm: 7.0 and 7.1", "programs: ./app and /elsewhere/app"} <= set(of(BASE, new).notes)


def test_unknown_is_not_different() -> None:
    bare = replace(SETTING, command=(), started=None, gpu_state={}, environment={})
    new = profile(*BASE.kernels, gpu=replace(GPU, clock_mhz=None, missing={"clock_mhz": "?"}), setting=bare)
    assert differences(BASE, new) == []
    assert any("command is not known" in note for note in of(BASE, new).notes)


def test_launches_are_told() -> None:
    new = profile(kernel("a(int*)", 5.0, 5.01, 4.99, launches=4))
    assert "a(int*): launched 2 times and 4 times" in of(BASE, new).notes


def test_runs_of_several_profiles_are_one_side() -> None:
    more = profile(kernel("a(int*)", 6.0, 6.2), kernel("late()", 1.0, 1.2))
    side = together([BASE, more])
    by_name = {one.name: one for one in side.kernels}
    assert by_name["a(int*)"].stability.samples_ms == (5.0, 5.01, 4.99, 6.0, 6.2)
    assert by_name["late()"].stability.samples_ms == (0, 0, 0, 1.0, 1.2)
    assert side.stability
    assert len(side.stability.samples_ms) == 5
    assert sum(one.share for one in side.kernels) == pytest.approx(1)


def test_some_kernels_only() -> None:
    cut = only_kernels(BASE, r"^b\(")
    assert cut.stability
    assert cut.stability.samples_ms == (2.0, 2.01, 1.99)
    assert len(cut.kernels) == 1
    with pytest.raises(NoKernels):
        only_kernels(BASE, "nothing")
