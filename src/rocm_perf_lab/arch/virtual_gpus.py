"""The virtual GPUs and their architectures, from the files that the virtual ROCm has of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rocm_perf_lab.arch.limits import DeviceLimits, RegisterFile
from rocm_perf_lab.arch.peaks import Product, Rate, UnitRates, rate
from vrocm import data


def is_named(product: str, full_name: str) -> bool:
    """Whether a name such as "AMD Instinct MI300X OAM" is that of a product (MI300X)."""
    wanted, whole = (re.sub(r"[^a-z0-9]", "", name.lower()) for name in (product, full_name))
    return wanted in whole


def limits_of(architecture: str) -> DeviceLimits:
    """The limits of an architecture that has a file."""
    one = data.architectures()[architecture]
    return _limits(one, one.limits)


def with_those_of_product(limits: DeviceLimits, product_name: str) -> DeviceLimits:
    """The limits of an architecture, with what the virtual GPU of this name has different."""
    for gpu in data.gpus().values():
        if gpu.architecture.name == limits.architecture and is_named(gpu.product, product_name):
            return limits if gpu.limits == gpu.architecture.limits else _limits(gpu.architecture, gpu.limits)
    return limits


def _limits(architecture: data.Architecture, table: Mapping[str, Any]) -> DeviceLimits:
    return DeviceLimits(
        architecture=architecture.name,
        generation=architecture.generation,
        simds_per_cu=table["simds_per_cu"],
        wave_slots_per_simd=table["wave_slots_per_simd"],
        wave_sizes=tuple(table["wave_sizes"]),
        vgprs={int(size): RegisterFile(**file) for size, file in table["vgprs"].items()},
        accumulation=table["accumulation"],
        sgpr_steps=tuple((most, waves) for most, waves in table["sgpr_steps"]),
        lds_bytes=table["lds_bytes"],
        lds_bytes_per_workgroup=table["lds_bytes_per_workgroup"],
        lds_granule=table["lds_granule"],
        barriers=table["barriers"],
        pairs_of_units=table["pairs_of_units"],
        max_threads_per_workgroup=table["max_threads_per_workgroup"],
        sources=dict(table["sources"]),
    )


def unit_rates() -> dict[str, UnitRates]:
    """Rates of each architecture that has a file."""
    return {name: _unit_rates(one.peaks) for name, one in data.architectures().items()}


def _unit_rates(table: Mapping[str, Any]) -> UnitRates:
    channels = table["l2_channels"]
    return UnitRates(
        flops={
            kind: rate(value, rates["source"])
            for rates in table["flops"]
            for kind, value in rates.items()
            if kind != "source"
        },
        lds=_rate(table["lds"]),
        l1=_rate(table["l1"]),
        l2=_rate(table["l2"]),
        l2_channels=channels["value"],
        l2_channels_source=channels["source"],
    )


def _rate(table: Mapping[str, Any]) -> Rate:
    return rate(table["value"], table["source"], up_to=table.get("up_to"))


def products() -> tuple[Product, ...]:
    """The virtual GPUs as products, those with longer names first."""
    by_length = sorted(data.gpus().values(), key=lambda gpu: -len(gpu.name))
    return tuple(_product(gpu) for gpu in by_length)


def _product(gpu: data.GpuDescription) -> Product:
    cache = gpu.roofline.get("infinity_cache_gbps")
    return Product(
        name=gpu.name,
        architecture=gpu.architecture.name,
        cu_count=gpu.units["compute_units"],
        xcd_count=gpu.units["xccs"],
        clock_mhz=gpu.clocks["clock_mhz"],
        memory_gbps=_rate(gpu.roofline["memory_gbps"]),
        infinity_cache_bytes=gpu.caches["infinity_cache"]["bytes"],
        infinity_cache_gbps=_rate(cache) if cache else None,
        source=gpu.roofline["source"],
    )


def clocks_of_a_conflict(gpu: str) -> float:
    """How long the timing model of a virtual GPU takes the LDS for each further dword of a bank."""
    parts: int = data.gpus()[gpu].timing["lds_conflict"]
    return parts / 256
