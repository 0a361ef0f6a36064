"""What holds kernels back fits its column, and the screen keeps its size with it."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.analysis.bottleneck import RULES
from rocm_perf_lab.analysis.stability import stability
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile, LaunchGroup
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument, Setting
from rocm_perf_lab.contracts.profiling.resources import Resources
from rocm_perf_lab.profiling.documents.analysis import analysis_document
from rocm_perf_lab.reporting.terminal.profile import LABELLED, LINES, WIDTH, render
from rocm_perf_lab.reporting.words.bottleneck import held_back, labels

NO = "not looked at"
MISSING = dict.fromkeys(("median_ms", "occupancy", "roofline"), NO)


def profile(kernels: int) -> ProfileDocument:
    times = {"launches": 100, "total_ms": 0.2, "mean_ms": 0.002, "min_ms": 0.002, "max_ms": 0.002}
    made = []
    for number in range(kernels):
        group = LaunchGroup(
            origin="measured",
            missing=MISSING,
            gpu=0,
            grid=(64, 1, 1),
            block=(64, 1, 1),
            lds_bytes=0,
            median_ms=None,
            occupancy=None,
            roofline=None,
            **times,  # type: ignore[arg-type]
        )
        made.append(
            KernelProfile(
                origin="measured",
                missing=MISSING,
                name=f"a_kernel_with_a_long_name_number_{number}(float const*, float*)",
                share=1 / kernels,
                median_ms=None,
                stability=stability([0.2], "measured"),
                resources=Resources(
                    origin="spec",
                    arch_vgprs=8,
                    accum_vgprs=0,
                    sgprs=16,
                    lds_static_bytes=0,
                    lds_dynamic_bytes=0,
                    scratch_bytes_per_lane=0,
                    vgpr_spills=0,
                    sgpr_spills=0,
                    code_bytes=64,
                ),
                occupancy=None,
                roofline=None,
                groups=(group,),
                **times,  # type: ignore[arg-type]
            )
        )
    return ProfileDocument(
        origin="measured",
        missing={"roofline": NO},
        kernel=None,
        gpu=None,
        gpus=(),
        runtime_ms=0.2,
        stability=stability([0.2], "measured"),
        resources=None,
        occupancy=None,
        roofline=None,
        kernels=tuple(made),
        wall_ms=None,
        passes=(),
        setting=Setting(
            command=("./app",),
            working_directory=None,
            started=None,
            host={},
            tools={},
            prefix=None,
            gpu_state={},
        ),
        warnings=(),
    )


def test_every_label_fits_the_column() -> None:
    assert max(len(rule.short) for rule in RULES.values()) < LABELLED


def test_the_screen() -> None:
    for kernels in (1, 30):
        made = profile(kernels)
        idle = dict.fromkeys((one.name for one in made.kernels), 6000.0)
        lines = render(made, Path("run"), analysis=analysis_document(made, idle_ns=idle)).splitlines()
        assert len(lines) <= LINES
        assert max(map(len, lines)) <= WIDTH
        assert any(line.endswith("held by") for line in lines)
        assert any(line.endswith("launches") and line.startswith("a_kernel") for line in lines)
        assert any("launch bound (certainty low)" in line for line in lines)


def test_nothing_known_takes_no_room() -> None:
    made = profile(1)
    unknown = analysis_document(made)
    assert labels(unknown) == {}
    assert held_back(unknown.kernels[0]) == ""
    assert render(made, Path("run"), analysis=unknown) == render(made, Path("run"))
