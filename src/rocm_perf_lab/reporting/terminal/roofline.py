"""The ceilings of a device for the terminal, and where each comes from."""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.contracts.profiling.roofline import Ceiling
from rocm_perf_lab.contracts.profiling.roofline_document import RooflineDocument

_ORIGINS = {"measured": "measured", "simulated": "measured on the virtual GPU", "spec": "data sheet"}
_SHEET = " (data sheet)"  # ending of the names of ceilings that a better figure stands for


def render(document: RooflineDocument) -> str:
    return "\n".join(_lines(document)) + "\n"


def _lines(document: RooflineDocument) -> Iterator[str]:
    gpu = document.gpu
    if gpu:
        parts = [gpu.name or gpu.architecture, gpu.architecture]
        if gpu.cu_count:
            parts.append(f"{gpu.cu_count} CU")
        if gpu.clock_mhz:
            parts.append(f"{gpu.clock_mhz:g} MHz")
        yield ", ".join(parts)
    if not document.ceilings:
        yield "no ceilings are known"
    sheet = {one.name.removesuffix(_SHEET): one for one in document.ceilings if one.name.endswith(_SHEET)}
    for kind in ("memory", "compute"):
        for ceiling in document.ceilings:
            if ceiling.kind == kind and not ceiling.name.endswith(_SHEET):
                yield _line(ceiling, sheet.get(ceiling.name))
    for note in document.notes:
        yield f"note: {note}"


def _line(ceiling: Ceiling, sheet: Ceiling | None) -> str:
    """The whole source is in the JSON; here the kernel that measured it, or that it was given."""
    origin = origin_in_words(ceiling)
    if ceiling.origin != "spec":
        origin += f" ({ceiling.source.partition(':')[0]})"
    if sheet:
        origin += f"; data sheet: {rate(sheet.value, sheet.unit)}"
    return f"  {ceiling.name:<16} {rate(ceiling.value, ceiling.unit):>16}   {origin}"


def origin_in_words(ceiling: Ceiling) -> str:
    return (
        ceiling.source if ceiling.source.startswith("given") else _ORIGINS.get(ceiling.origin, ceiling.origin)
    )


def rate(value: float, unit: str) -> str:
    """In units of 10^12 from there on: 5.30 TB/s."""
    return f"{value / 1000:.2f} T{unit[1:]}" if value >= 1000 else f"{value:.1f} {unit}"
