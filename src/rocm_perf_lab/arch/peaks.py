"""The fastest an architecture can go: rates per unit and clock, and the memory of each product."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Rate:
    """A rate and where it is from. Where sources disagree ``low`` and ``high`` are the band between them."""

    low: float
    high: float
    source: str

    @property
    def exact(self) -> bool:
        return self.low == self.high


def rate(value: float, source: str, *, up_to: float | None = None) -> Rate:
    return Rate(low=value, high=value if up_to is None else up_to, source=source)


@dataclass(frozen=True, kw_only=True)
class UnitRates:
    """Rates of one architecture: ``Peaks`` without the product."""

    flops: dict[str, Rate]
    lds: Rate | None
    l1: Rate | None
    l2: Rate | None
    l2_channels: int | None
    l2_channels_source: str | None
    missing: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Product:
    """What a product has in all; a partition of it has a share."""

    name: str
    architecture: str
    cu_count: int
    xcd_count: int
    """Dies with an L2 of their own in one unpartitioned device: XCDs, or 1."""
    clock_mhz: float
    """Highest engine clock, which the data sheet's peaks are for."""
    memory_gbps: Rate
    """GB/s, 10^9 bytes, of all memory stacks or channels."""
    infinity_cache_bytes: int
    infinity_cache_gbps: Rate | None
    source: str


@dataclass(frozen=True, kw_only=True)
class Peaks:
    """Rates of one architecture and, where the product is known, its memory."""

    architecture: str
    flops: dict[str, Rate]
    """Operations per compute unit and clock, by unit and type: valu_f32, valu_f32_packed, mfma_bf16, …"""
    lds: Rate | None
    """Bytes per compute unit and clock."""
    l1: Rate | None
    """Bytes per compute unit and clock."""
    l2: Rate | None
    """Bytes per L2 channel and clock."""
    l2_channels: int | None
    """Per XCD (gfx90a: per GCD; RDNA: of the whole chip)."""
    l2_channels_source: str | None
    fp32_valu_width: int | None
    """FLOPs that the documents' ``valu-width`` estimate gives each vector instruction."""
    product: Product | None
    missing: dict[str, str] = field(default_factory=dict)
    """Why a type or the product is not there."""

    def flops_per_second(self, kind: str, *, cu_count: int, clock_mhz: float) -> Rate | None:
        """The peak of ``cu_count`` units at a clock, or None where this architecture has no such rate."""
        return _scaled(self.flops.get(kind), cu_count * clock_mhz * 1e6)

    def lds_bytes_per_second(self, *, cu_count: int, clock_mhz: float) -> Rate | None:
        return _scaled(self.lds, cu_count * clock_mhz * 1e6)

    def l1_bytes_per_second(self, *, cu_count: int, clock_mhz: float) -> Rate | None:
        return _scaled(self.l1, cu_count * clock_mhz * 1e6)

    def l2_bytes_per_second(self, *, xcd_count: int, clock_mhz: float) -> Rate | None:
        if self.l2_channels is None:
            return None
        return _scaled(self.l2, self.l2_channels * xcd_count * clock_mhz * 1e6)

    def memory_bytes_per_second(self, *, xcd_count: int | None = None) -> Rate | None:
        """What a partition with ``xcd_count`` dies can draw from memory.

        A partition's fair share goes with its dies; when the others are idle and memory is not partitioned
        with them (NPS1) it can draw more, at most all. So a partition has a band from share to whole.
        """
        return _share(self.product, self.product.memory_gbps if self.product else None, xcd_count)

    def infinity_cache_bytes_per_second(self, *, xcd_count: int | None = None) -> Rate | None:
        """As memory: Infinity Cache slices belong to the memory channels."""
        return _share(self.product, self.product.infinity_cache_gbps if self.product else None, xcd_count)


def _times(what: Rate, factor: float) -> Rate:
    return Rate(low=what.low * factor, high=what.high * factor, source=what.source)


def _scaled(what: Rate | None, factor: float) -> Rate | None:
    return None if what is None else _times(what, factor)


def _share(product: Product | None, whole: Rate | None, xcd_count: int | None) -> Rate | None:
    if product is None or whole is None:
        return None
    everything = _times(whole, 1e9)
    if xcd_count is None or xcd_count >= product.xcd_count:
        return everything
    share = xcd_count / product.xcd_count
    return Rate(
        low=everything.low * share,
        high=everything.high,
        source=f"{whole.source}; {xcd_count} of {product.xcd_count} dies: from a fair share to all of it",
    )
