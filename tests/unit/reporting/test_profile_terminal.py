"""The screen: 80 by 24 whatever the profile holds, and the figures of the document on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rocm_perf_lab.analysis.stability import stability
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument, Setting
from rocm_perf_lab.contracts.profiling.resources import Resources
from rocm_perf_lab.reporting.terminal.profile import LINES, WIDTH, render
from rocm_perf_lab.reporting.words.figures import cut_middle, digits, duration

RESOURCES = Resources(
    origin="spec",
    arch_vgprs=8,
    accum_vgprs=0,
    sgprs=16,
    lds_static_bytes=0,
    lds_dynamic_bytes=0,
    scratch_bytes_per_lane=0,
    vgpr_spills=3,
    sgpr_spills=0,
)


def kernel(name: str, total_ms: float, share: float, launches: int = 1) -> KernelProfile:
    return KernelProfile(
        origin="measured",
        missing={"occupancy": "not known", "roofline": "no counters"},
        name=name,
        launches=launches,
        total_ms=total_ms,
        share=share,
        mean_ms=total_ms / launches,
        median_ms=total_ms / launches,
        min_ms=total_ms / launches,
        max_ms=total_ms / launches,
        stability=stability([total_ms], "measured"),
        resources=RESOURCES,
        occupancy=None,
        roofline=None,
        groups=(),
    )


def document(
    *kernels: KernelProfile, samples: tuple[float, ...] = (1.0, 1.3), **more: object
) -> ProfileDocument:
    made = ProfileDocument(
        origin="measured",
        missing={"roofline": "no counters were collected"},
        kernel=None,
        gpu=None,
        gpus=(),
        runtime_ms=1.0,
        stability=stability(samples, "measured"),
        resources=None,
        occupancy=None,
        roofline=None,
        kernels=kernels,
        wall_ms=None,
        passes=(),
        setting=Setting(
            command=("./app", "two words"),
            working_directory=None,
            started=None,
            host={},
            tools={},
            prefix=None,
            gpu_state={},
        ),
        warnings=(),
    )
    return replace(made, **more)  # type: ignore[arg-type]


LONG = "void a::very::long_name_of_a_kernel_that_does_not_fit<float, double, int>(float*, double*)"


@pytest.mark.parametrize("count", [1, 3, 7, 8, 40, 1000])
@pytest.mark.parametrize("warnings", [0, 1, 9])
def test_it_fits_one_screen(count: int, warnings: int) -> None:
    kernels = [kernel(f"{LONG}{index}", 1.0 / count, 1 / count, launches=3000) for index in range(count)]
    texts = tuple(f"warning {index}: " + "many words " * 9 for index in range(warnings))
    lines = render(document(*kernels, warnings=texts), Path("/a/folder" * 30)).splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= WIDTH
    assert any("kernel" in line and "share" in line for line in lines)
    assert sum("33.3%" in line for line in lines) == (3 if count == 3 else 0)
    if count > 40:
        assert any("kernels more" in line for line in lines)


def test_figures_are_on_it() -> None:
    text = render(document(kernel("copy(int*)", 0.75, 0.75, 3), kernel("add(int*)", 0.25, 0.25)), Path("out"))
    assert "'two words'" in text
    assert "GPU time   1.150 ms   unstable: CV 18.4% over 2 runs" in text
    assert "4 launches of 2 kernels in a run" in text
    row = next(line for line in text.splitlines() if line.startswith("copy"))
    assert row.split() == ["copy", "75.0%", "750.0", "us", "3", "250.0", "us", "unknown"]
    assert "the runs scatter" in text
    assert "spills 3 VGPRs" in text
    assert "roofline   no counters were collected" in text


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0, "0 ns"),
        (4e-5, "40 ns"),
        (0.006343, "6.343 us"),
        (12.3456, "12.35 ms"),
        (1234.5, "1.234 s"),
        (1e6, "1000 s"),
    ],
)
def test_durations(milliseconds: float, text: str) -> None:
    assert duration(milliseconds) == text


def test_digits() -> None:
    assert [digits(value) for value in (0, 0.0832618, 1.5, 157.66, 1893.6, 2.5e7)] == [
        "0",
        "0.08326",
        "1.500",
        "157.7",
        "1894",
        "2.5e+07",
    ]


def test_cut_middle() -> None:
    assert cut_middle("abcdefghij", 10) == "abcdefghij"
    assert cut_middle("abcdefghijk", 10) == "abcdef…ijk"


def test_resources_of_the_first_kernel() -> None:
    text = render(document(kernel("first", 2, 0.7), kernel("second", 1, 0.3)), Path("run"))
    assert "resources  first: 8 VGPRs, 16 SGPRs, 0 B LDS, 3 VGPRs spilled\n" in text
    unknown = replace(
        RESOURCES,
        arch_vgprs=None,
        sgprs=None,
        lds_static_bytes=None,
        lds_dynamic_bytes=None,
        vgpr_spills=None,
        missing=dict.fromkeys(
            ("arch_vgprs", "sgprs", "lds_static_bytes", "lds_dynamic_bytes", "vgpr_spills"), "no code object"
        ),
    )
    text = render(document(replace(kernel("first", 2, 0.7), resources=unknown)), Path("run"))
    assert "resources  first: no code object\n" in text
