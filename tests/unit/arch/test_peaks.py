"""Rates per unit and clock, multiplied out, give the figures of AMD's data sheets."""

from __future__ import annotations

import pytest
from tests.table_rows import rows

from rocm_perf_lab.arch.device import peaks
from rocm_perf_lab.arch.limits_table import LIMITS
from rocm_perf_lab.arch.peaks_table import PRODUCTS

# TFLOP/s of the data sheets (of one GCD for the MI200 series: half the card's).
DATA_SHEETS = [
    ("MI300X", "gfx942", "valu_f64", 81.7),
    ("MI300X", "gfx942", "valu_f32_packed", 163.4),
    ("MI300X", "gfx942", "mfma_f64", 163.4),
    ("MI300X", "gfx942", "mfma_f32", 163.4),
    ("MI300X", "gfx942", "mfma_xf32", 653.7),
    ("MI300X", "gfx942", "mfma_f16", 1307.4),
    ("MI300X", "gfx942", "mfma_bf16", 1307.4),
    ("MI300X", "gfx942", "mfma_f8", 2614.9),
    ("MI300X", "gfx942", "mfma_i8", 2614.9),
    ("MI300A", "gfx942", "valu_f64", 61.3),
    ("MI300A", "gfx942", "mfma_f16", 980.6),
    ("MI325X", "gfx942", "mfma_f8", 2614.9),
    ("MI250X", "gfx90a", "valu_f64", 47.9 / 2),
    ("MI250X", "gfx90a", "mfma_f64", 95.7 / 2),
    ("MI250X", "gfx90a", "mfma_f16", 383.0 / 2),
    ("MI210", "gfx90a", "mfma_f16", 181.0),
    ("MI210", "gfx90a", "valu_f32", 22.6),
    ("MI100", "gfx908", "valu_f32", 23.1),
    ("MI100", "gfx908", "valu_f64", 11.5),
    ("MI100", "gfx908", "mfma_f16", 184.6),
    ("MI100", "gfx908", "mfma_bf16", 92.3),
    ("MI355X", "gfx950", "valu_f64", 78.6),
    ("MI355X", "gfx950", "mfma_f64", 78.6),
    ("MI355X", "gfx950", "mfma_f32", 157.3),
    ("MI355X", "gfx950", "mfma_f16", 2516.6),
    ("MI355X", "gfx950", "mfma_f8", 5033.2),
    ("MI350X", "gfx950", "mfma_f16", 2306.9),
    ("RX 6900 XT", "gfx1030", "valu_f32", 23.04),
]


@rows("product, architecture, kind, teraflops", DATA_SHEETS)
def test_multiplied_out_they_are_the_data_sheet(
    product: str, architecture: str, kind: str, teraflops: float
) -> None:
    found = peaks(architecture, f"AMD Instinct {product}")
    assert found is not None
    assert found.product is not None
    assert found.product.name == product
    peak = found.flops_per_second(kind, cu_count=found.product.cu_count, clock_mhz=found.product.clock_mhz)
    assert peak is not None
    assert peak.exact
    # Sheets give one decimal; some round, some cut.
    assert peak.high / 1e12 == pytest.approx(teraflops, abs=0.1)


def test_rdna3_has_a_band_because_of_dual_issue() -> None:
    found = peaks("gfx1100", "AMD Radeon RX 7900 XTX")
    assert found is not None
    peak = found.flops_per_second("valu_f32", cu_count=96, clock_mhz=2500)
    assert peak is not None
    assert (peak.low / 1e12, peak.high / 1e12) == pytest.approx((30.7, 61.4), rel=0.003)


def test_every_rate_has_a_source() -> None:
    for architecture in {product.architecture for product in PRODUCTS}:
        found = peaks(architecture, "")
        assert found is not None
        rates = [*found.flops.values(), found.lds, found.l1, found.l2]
        assert all(rate is None or (rate.source and 0 < rate.low <= rate.high) for rate in rates)
        assert architecture in LIMITS
    assert all(product.source and product.memory_gbps.source for product in PRODUCTS)


def test_rates_follow_the_units_and_dies_of_a_partition() -> None:
    """An MI300X in CPX mode: each agent has 38 units on one die."""
    found = peaks("gfx942", "AMD Instinct MI300X")
    assert found is not None
    whole = found.flops_per_second("mfma_f16", cu_count=304, clock_mhz=2100)
    part = found.flops_per_second("mfma_f16", cu_count=38, clock_mhz=2100)
    assert whole is not None
    assert part is not None
    assert part.high == pytest.approx(whole.high / 8)
    l2_whole = found.l2_bytes_per_second(xcd_count=8, clock_mhz=2100)
    l2_part = found.l2_bytes_per_second(xcd_count=1, clock_mhz=2100)
    assert l2_whole is not None
    assert l2_part is not None
    assert l2_whole.high == pytest.approx(8 * l2_part.high)
    assert l2_whole.high == pytest.approx(34.4e12, rel=0.001)


def test_memory_of_a_partition_is_a_band_from_its_share_to_all() -> None:
    found = peaks("gfx942", "AMD Instinct MI300X")
    assert found is not None
    whole = found.memory_bytes_per_second(xcd_count=8)
    part = found.memory_bytes_per_second(xcd_count=1)
    assert whole is not None
    assert part is not None
    assert whole.low == whole.high == 5.3e12
    assert (part.low, part.high) == (5.3e12 / 8, 5.3e12)
    assert "1 of 8" in part.source


@pytest.mark.parametrize(
    ("name", "product"),
    [
        ("AMD Instinct MI250X/MI250", "MI250X"),
        ("AMD Instinct MI250", "MI250"),
        ("AMD Instinct MI210", "MI210"),
        ("AMD_Instinct_MI300X_OAM", "MI300X"),
        ("AMD Radeon Graphics", None),
        ("", None),
    ],
)
def test_products_by_name(name: str, product: str | None) -> None:
    architecture = "gfx942" if "300" in name else "gfx90a"
    found = peaks(architecture, name)
    assert found is not None
    assert (found.product.name if found.product else None) == product
    if product is None:
        assert found.memory_bytes_per_second() is None
        assert architecture in found.missing["product"]


def test_a_product_of_another_architecture_is_not_taken() -> None:
    found = peaks("gfx90a", "AMD Instinct MI300X")
    assert found is not None
    assert found.product is None


def test_the_documents_estimate_is_here_by_name() -> None:
    found = peaks("gfx942", "")
    assert found is not None
    assert found.fp32_valu_width == 8
    other = peaks("gfx90a", "")
    assert other is not None
    assert other.fp32_valu_width is None


def test_unknown_architecture() -> None:
    assert peaks("gfx601", "") is None
