"""docs/reference/counters.md, made from the table: ``python -m vrocm.rocprofv3.counters.document``."""

from __future__ import annotations

import sys

from ...counter_slots import SLOTS
from .catalogue import Catalogue, Counter, architectures, load

_HEAD = """\
# Hardware counters of the virtual GPU

<!-- Made from src/vrocm/rocprofv3/counters/table.json by
`python -m vrocm.rocprofv3.counters.document`; a test compares the two. -->

`rocprofv3 -L` lists them for the GPU that `VROCM_DEVICE` selects, `rocprofv3 --pmc NAME …` counts them for
every dispatch. While counters are collected, dispatches run one after another and start with empty caches,
as on hardware.

**Exact** counters follow from the instructions that every wave executed and the addresses of every lane:
they are right for every dispatch. **Modelled** ones come from the timing model. Of a dispatch that is
simulated in part they are extrapolated from that part, which the database says (`extdata` of
`rocpd_pmc_event`: `{"extrapolated": true}`); `VROCM_TIMING=full` simulates everything. **Not available**
ones exist on hardware, and the model cannot give them; asking for one is an error with the reason. Nothing
is 0 for want of a value.

Counters of TA, TD, TCP and TCC have a form `NAME_sum`, and where each unit counts for itself `NAME[n]` is
that of unit n (compute units and L2 channels are numbered die by die). A plain name is the sum, too.
`SQ_ACCUM_PREV_HIRES` is the level counter before it in the list.

What a counter counts is taken from AMD's documents and, where those leave it open, from one measurement:
the counters of a copy of 1048576 doubles on an MI300X. Several rules were read off it (which instructions
are INT32 and INT64, s_endpgm as a message, write hits by line, code fetched ahead, 20 instruction caches on
a die, 30 scalar loads that wait for a line), so that its agreement with the model is no independent proof
of those. On that kernel instruction counters and requests of the L1s are equal, requests of the L2s and to
the fabric within 0.2 %; counters of time are 10 to 30 % low, TA_TA_BUSY 66 %. SQ_WAIT_INST_ANY and
SQ_INST_LEVEL_SMEM are twice what the second and third dispatch had. GRBM_COUNT and GRBM_GUI_ACTIVE lack the
clocks in which hardware starts and stops its counters (some 19,000 on each die there). How atomics split
between SQ_INSTS_VMEM_RD and _WR, what SQ_LDS_ADDR_CONFLICT and SQ_LDS_ATOMIC_RETURN count, that a packed
instruction counts once, and everything specific to gfx90a has not been compared with hardware.

"""


def _availability(catalogue: Catalogue, counter: Counter) -> str:
    if reason := catalogue.unavailable(counter.name):
        return f"not available: {reason}"
    return "modelled" if catalogue.is_timed(counter.name) else "exact"


def _architectures(name: str) -> str:
    found = [architecture for architecture in architectures() if name in load(architecture).counters]
    return "" if len(found) == len(architectures()) else f" ({', '.join(found)})"


def _counters() -> dict[str, tuple[Catalogue, Counter]]:
    """All names, of the newest architecture that has them; without the sums that whole blocks have."""
    found: dict[str, tuple[Catalogue, Counter]] = {}
    for architecture in reversed(architectures()):
        catalogue = load(architecture)
        for counter in catalogue.counters.values():
            if not counter.expression.startswith("reduce(") or not counter.name.endswith("_sum"):
                found.setdefault(counter.name, (catalogue, counter))
    return dict(sorted(found.items()))


def _basic_table(block: str) -> list[str]:
    lines = ["| counter | unit | what | |", "|---|---|---|---|"]
    for name, (catalogue, counter) in _counters().items():
        if counter.block == block:
            kind = _availability(catalogue, counter)
            what = f"| {counter.unit} | {counter.description} | {kind} |"
            lines.append(f"| `{name}`{_architectures(name)} {what}")
    return lines


def _derived_table() -> list[str]:
    lines = ["| counter | unit | what | expression | |", "|---|---|---|---|---|"]
    for name, (catalogue, counter) in _counters().items():
        if counter.expression:
            what = f"| {counter.unit} | {counter.description} | `{counter.expression}` |"
            lines.append(f"| `{name}`{_architectures(name)} {what} {_availability(catalogue, counter)} |")
    return lines


def document() -> str:
    text = _HEAD
    blocks = sorted({counter.block for _, counter in _counters().values() if counter.block})
    for block in blocks:
        text += f"## {block} ({SLOTS[block]} at a time)\n\n" + "\n".join(_basic_table(block)) + "\n\n"
    return text + "## Derived\n\n" + "\n".join(_derived_table()) + "\n"


if __name__ == "__main__":
    sys.stdout.write(document())
