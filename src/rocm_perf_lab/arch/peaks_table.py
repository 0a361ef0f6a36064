"""Rates of each architecture and memory of each product, with the source of every value."""

from __future__ import annotations

from rocm_perf_lab.arch.peaks import Peaks, Product, Rate, UnitRates, rate
from rocm_perf_lab.arch.virtual_gpus import is_named, products, unit_rates

# White papers: https://www.amd.com/content/dam/amd/en/documents/instinct-tech-docs/white-papers/
_CDNA1_PAPER = "AMD CDNA white paper, table 1"
_CDNA4_PAPER = "AMD CDNA 4 white paper, table 1"
# FLOPS/CLOCK/CU tables: https://rocm.docs.amd.com/en/latest/reference/gpu-arch/
_SPECS = "ROCm documentation, AMD GPU specifications"
# Peaks of https://github.com/ROCm/rocprofiler-compute, analysis_configs/gfx*/0200_system-speed-of-light.yaml
_PROFILER = "ROCm Compute Profiler, speed-of-light peaks"
_WMMA_PAGE = "https://gpuopen.com/learn/wmma_on_rdna3/"
_RDNA_PAPER = "AMD RDNA white paper (2019)"

_PACKED_F16 = "derived: 64 lanes a clock, packed pairs, FMA counts 2"

# The documents this product was specified by estimate FLOPs = SQ_INSTS_VALU * 8 on CDNA3. Kept by name, for
# comparison with figures made that way; a vector instruction of 64 lanes does 64 or 128 FLOPs, or none.
FP32_VALU_WIDTH = 8


def _rates(source: str, **values: float) -> dict[str, Rate]:
    return {kind: rate(value, source) for kind, value in values.items()}


_CDNA1 = UnitRates(
    flops={
        "valu_f16": rate(256, _PACKED_F16),
        **_rates(_CDNA1_PAPER, valu_f32=128, valu_f64=64),
        **_rates(_CDNA1_PAPER, mfma_f32=256, mfma_f16=1024, mfma_bf16=512, mfma_i8=1024),
    },
    lds=rate(128, _PROFILER),
    l1=rate(64, _PROFILER),
    l2=rate(64, f"64: {_PROFILER}; 128: a line each clock, AMD CDNA white paper", up_to=128),
    l2_channels=32,
    l2_channels_source="ROCm Compute Profiler documentation, L2 cache: 32 on MI100 and MI2XX",
    missing={"mfma_f64": "gfx908 has no FP64 matrix instructions"},
)

_CDNA4 = UnitRates(
    flops={
        "valu_f16": rate(256, _PACKED_F16),
        **_rates(_CDNA4_PAPER, valu_f32=128, valu_f32_packed=256, valu_f64=128),
        **_rates(_CDNA4_PAPER, mfma_f64=128, mfma_f32=256, mfma_f16=4096, mfma_bf16=4096, mfma_f8=8192),
        **_rates(_CDNA4_PAPER, mfma_i8=8192, mfma_f6f4=16384),
    },
    lds=rate(128, f"128: {_PROFILER}; 256: reads, AMD CDNA 4 white paper", up_to=256),
    l1=rate(64, f"128: {_PROFILER}; 64: as in the sources for gfx942", up_to=128),
    l2=rate(128, _PROFILER),
    l2_channels=16,
    l2_channels_source="ROCm Compute Profiler, src/utils/mi_gpu_spec.yaml: TCC_channels",
    missing={"mfma_xf32": "gfx950 has no XF32 matrix instructions"},
)

_NOT_FOUND = "no rate per clock was found for this architecture"
_RDNA2 = UnitRates(
    flops={
        "valu_f16": rate(256, _WMMA_PAGE),
        **_rates(f"{_RDNA_PAPER}: 64 lanes a clock and unit", valu_f32=128),
        "valu_f64": rate(8, "AMD data sheets of the Radeon RX 6000 series: FP64 at 1/16 of FP32"),
    },
    lds=rate(128, f"{_RDNA_PAPER}, of the generation before: 128 bytes a clock and unit"),
    l1=rate(128, f"{_RDNA_PAPER}, of the generation before: L0, a 128-byte line each clock"),
    l2=rate(64, f"{_RDNA_PAPER}, of the generation before: 64 bytes each clock and channel"),
    l2_channels=None,
    l2_channels_source=None,
    missing={"mfma_f16": "RDNA 2 has no matrix instructions", "l2_channels": "differs by product"},
)
_RDNA3 = UnitRates(
    flops={
        "valu_f16": rate(256, "ROCm Compute Profiler documentation, RDNA speed of light: packed FP16"),
        "valu_f32": rate(128, "AMD data sheet of the RX 7900 XTX: 256 with dual issue (VOPD)", up_to=256),
        "valu_f64": rate(8, "AMD data sheet of the RX 7900 XTX: FP64 at 1/32 of FP32 with dual issue"),
        **_rates(_WMMA_PAGE, wmma_f16=512, wmma_bf16=512, wmma_i8=512),
    },
    lds=None,
    l1=None,
    l2=None,
    l2_channels=None,
    l2_channels_source=None,
    missing=dict.fromkeys(("lds", "l1", "l2", "l2_channels"), _NOT_FOUND),
)

_ARCHITECTURES: dict[str, UnitRates] = {
    "gfx908": _CDNA1,
    **unit_rates(),
    "gfx950": _CDNA4,
    **dict.fromkeys(("gfx1030", "gfx1031", "gfx1032", "gfx1034", "gfx1035", "gfx1036"), _RDNA2),
    **dict.fromkeys(("gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151"), _RDNA3),
}


def _sheet(product: str) -> str:
    return f"AMD data sheet of the {product}"


def _product(
    name: str, architecture: str, *, cus: int, dies: int, mhz: float, gbps: float, cache_mib: int = 0
) -> Product:
    return Product(
        name=name,
        architecture=architecture,
        cu_count=cus,
        xcd_count=dies,
        clock_mhz=mhz,
        memory_gbps=rate(gbps, _sheet(name)),
        infinity_cache_bytes=cache_mib << 20,
        infinity_cache_gbps=None,
        source=f"{_sheet(name)}; {_SPECS}",
    )


# More specific names first: MI250X, which has a file of its own, before MI250. A GCD of the MI200 series is
# an agent of its own, so those figures are of one GCD.
PRODUCTS: tuple[Product, ...] = (
    *products(),
    _product("MI355X", "gfx950", cus=256, dies=8, mhz=2400, gbps=8000, cache_mib=256),
    _product("MI350X", "gfx950", cus=256, dies=8, mhz=2200, gbps=8000, cache_mib=256),
    _product("MI250", "gfx90a", cus=104, dies=1, mhz=1700, gbps=1638.4),
    _product("MI210", "gfx90a", cus=104, dies=1, mhz=1700, gbps=1638.4),
    _product("MI100", "gfx908", cus=120, dies=1, mhz=1502, gbps=1228.8),
    _product("RX 6900 XT", "gfx1030", cus=80, dies=1, mhz=2250, gbps=512, cache_mib=128),
    _product("RX 7900 XTX", "gfx1100", cus=96, dies=1, mhz=2500, gbps=960, cache_mib=96),
)


def product_of(architecture: str, product_name: str) -> Product | None:
    """The product that a name such as "AMD Instinct MI300X OAM" means."""
    for product in PRODUCTS:
        if product.architecture == architecture and is_named(product.name, product_name):
            return product
    return None


def peaks_of(architecture: str, product_name: str) -> Peaks | None:
    rates = _ARCHITECTURES.get(architecture)
    if rates is None:
        return None
    product = product_of(architecture, product_name)
    missing = dict(rates.missing)
    if product is None:
        missing["product"] = f"no {architecture} product is known by the name {product_name!r}"
    return Peaks(
        architecture=architecture,
        flops=rates.flops,
        lds=rates.lds,
        l1=rates.l1,
        l2=rates.l2,
        l2_channels=rates.l2_channels,
        l2_channels_source=rates.l2_channels_source,
        fp32_valu_width=FP32_VALU_WIDTH if architecture == "gfx942" else None,  # defined for CDNA3 alone
        product=product,
        missing=missing,
    )
