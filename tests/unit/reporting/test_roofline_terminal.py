"""Ceilings on the terminal: one line each, with the data sheet's figure beside what stands for it."""

from __future__ import annotations

from rocm_perf_lab.contracts.profiling.roofline import Ceiling
from rocm_perf_lab.contracts.profiling.roofline_document import RooflineDocument
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.reporting.terminal.roofline import origin_in_words, rate, render


def _ceiling(name: str, value: float, origin: Origin = "spec", source: str = "sheet") -> Ceiling:
    return Ceiling(
        name=name, figure="hbm", kind="memory", value=value, unit="GB/s", origin=origin, source=source
    )


def _lines(*ceilings: Ceiling) -> list[str]:
    document = RooflineDocument(
        origin="derived",
        missing={"gpu": "not asked"},
        gpu=None,
        flop_model="typed",
        ceilings=ceilings,
        kernels=(),
        notes=("one thing",),
    )
    return render(document).splitlines()


def test_measured_and_data_sheet_share_a_line() -> None:
    measured = _ceiling("hbm", 4100, "measured", "microkernel copy: 1 bytes in 2 ns")
    line, note = _lines(measured, _ceiling("hbm (data sheet)", 5300))
    assert " ".join(line.split()) == "hbm 4.10 TB/s measured (microkernel copy); data sheet: 5.30 TB/s"
    assert note == "note: one thing"


def test_origins() -> None:
    assert origin_in_words(_ceiling("hbm", 1)) == "data sheet"
    assert origin_in_words(_ceiling("hbm", 1, "simulated")) == "measured on the virtual GPU"
    assert origin_in_words(_ceiling("hbm", 1, source="given: --x")) == "given: --x"


def test_rates_are_short() -> None:
    assert rate(999.94, "GB/s") == "999.9 GB/s"
    assert rate(81715.2, "GFLOP/s") == "81.72 TFLOP/s"
    assert rate(2614886.4, "GOP/s") == "2614.89 TOP/s"


def test_no_ceilings() -> None:
    assert _lines()[0] == "no ceilings are known"
