"""The limits in docs/how-it-works/occupancy.md are those in the code. Run as a script, this writes them."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.arch.limits import DeviceLimits
from rocm_perf_lab.arch.limits_table import LIMITS

DOCUMENT = Path(__file__).parents[3] / "docs" / "how-it-works" / "occupancy.md"
BEGIN, END = "<!-- limits:", "<!-- end of limits -->"
COLUMNS = (
    "architectures",
    "SIMDs per CU",
    "slots per SIMD",
    "registers, wave32 / wave64",
    "granule",
    "accumulation registers",
    "LDS per CU, granule",
    "barriers per CU",
)


def row(limits: DeviceLimits) -> tuple[str, ...]:
    files = [limits.vgprs.get(lanes) for lanes in (32, 64)]
    return (
        str(limits.simds_per_cu),
        str(limits.wave_slots_per_simd),
        " / ".join(str(file.registers) if file else "–" for file in files),
        " / ".join(str(file.granule) if file else "–" for file in files),
        {"none": "–", "separate": "own file", "unified": "same file"}[limits.accumulation],
        f"{limits.lds_bytes >> 10} KiB, {limits.lds_granule} B",
        str(limits.barriers),
    )


def table() -> str:
    same: dict[tuple[str, ...], list[str]] = {}
    for name, limits in LIMITS.items():
        same.setdefault(row(limits), []).append(name)
    lines = [COLUMNS, ("---",) * len(COLUMNS), *((", ".join(names), *cells) for cells, names in same.items())]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def test_documented() -> None:
    text = DOCUMENT.read_text()
    between = text[text.index(BEGIN) : text.index(END)].split("-->", 1)[1].strip()
    assert between == table()


if __name__ == "__main__":
    before, _, rest = DOCUMENT.read_text().partition(BEGIN)
    comment, _, rest = rest.partition("-->")
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(f"{before}{BEGIN}{comment}-->\n\n{table()}\n\n{END}{after}")
