"""Small profiles for tests of comparisons: kernels with the times one wants."""

from __future__ import annotations

from dataclasses import replace

from rocm_perf_lab.analysis.stability import stability
from rocm_perf_lab.contracts.profiling.gpu import Gpu
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile, LaunchGroup
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument, Setting
from rocm_perf_lab.contracts.profiling.resources import Resources

GPU = Gpu(
    origin="spec",
    name="AMD Instinct MI300X",
    architecture="gfx942",
    cu_count=304,
    xcd_count=8,
    simd_per_cu=4,
    wave_size=64,
    max_waves_per_simd=8,
    lds_bytes_per_cu=65536,
    clock_mhz=2100.0,
)
RESOURCES = Resources(
    origin="spec",
    arch_vgprs=32,
    accum_vgprs=0,
    sgprs=16,
    lds_static_bytes=0,
    lds_dynamic_bytes=0,
    scratch_bytes_per_lane=0,
    vgpr_spills=0,
    sgpr_spills=0,
    code_bytes=400,
)
SETTING = Setting(
    command=("./app", "1024"),
    working_directory="/a",
    started="2025-01-31T12:00:00+00:00",
    host={},
    tools={"rocm": "7.0"},
    prefix=None,
    gpu_state={"card0.performance_level": "high"},
    environment={"HIP_VISIBLE_DEVICES": "0", "ROCM_PATH": "/opt/rocm"},
)
_NO = "not looked at"


def kernel(
    name: str, *samples: float, share: float = 0.5, launches: int = 2, **resources: int
) -> KernelProfile:
    scatter = stability(samples, "measured")
    mean = scatter.mean_ms
    group = LaunchGroup(
        origin="measured",
        missing={"median_ms": _NO, "occupancy": _NO, "roofline": _NO},
        gpu=0,
        grid=(4096, 1, 1),
        block=(256, 1, 1),
        lds_bytes=0,
        launches=launches,
        total_ms=mean,
        mean_ms=mean / launches,
        median_ms=None,
        min_ms=mean / launches,
        max_ms=mean / launches,
        occupancy=None,
        roofline=None,
    )
    return KernelProfile(
        origin="measured",
        missing={"median_ms": _NO, "occupancy": _NO, "roofline": _NO},
        name=name,
        launches=launches,
        total_ms=mean,
        share=share,
        mean_ms=mean / launches,
        median_ms=None,
        min_ms=mean / launches,
        max_ms=mean / launches,
        stability=scatter,
        resources=replace(RESOURCES, **resources),
        occupancy=None,
        roofline=None,
        groups=(group,),
    )


def profile(*kernels: KernelProfile, gpu: Gpu = GPU, setting: Setting = SETTING) -> ProfileDocument:
    runs = zip(*(one.stability.samples_ms for one in kernels), strict=True)
    total = stability([sum(run) for run in runs], "measured")
    return ProfileDocument(
        origin="measured",
        missing=dict.fromkeys(("kernel", "resources", "occupancy", "roofline", "wall_ms"), _NO),
        kernel=None,
        gpu=gpu,
        gpus=(gpu,),
        runtime_ms=total.mean_ms,
        stability=total,
        resources=None,
        occupancy=None,
        roofline=None,
        kernels=kernels,
        wall_ms=None,
        passes=(),
        setting=setting,
        warnings=(),
    )
