"""Which counters fit into one run of the program."""

from __future__ import annotations

from ..errors import Refused
from .catalogue import Catalogue

# Counters that one instance of a block can keep at the same time, gfx90a and gfx942.
# Source: ROCm Compute Profiler (omniperf), per-IP-block limits of soc_gfx90a.py and soc_gfx942.py.
SLOTS = {"SQ": 8, "TA": 2, "TD": 2, "TCP": 4, "TCC": 4, "CPC": 2, "CPF": 2, "SPI": 2, "GRBM": 2, "GDS": 4}


def check_group(names: tuple[str, ...], catalogue: Catalogue) -> None:
    """Refuses names that do not exist, and more counters of a block than it has slots."""
    for name in names:
        if catalogue.find(name) is None:
            raise Refused(
                f"--pmc: {name} is not a counter of {catalogue.architecture} (rocprofv3 -L lists them)"
            )
        if reason := catalogue.unavailable(name):
            raise Refused(f"--pmc: {name} is not available on the virtual GPU: {reason}")
    by_block: dict[str, set[str]] = {}
    for name in names:
        for basic in catalogue.basic(name):
            by_block.setdefault(catalogue.counter(basic).block, set()).add(basic.partition("[")[0])
    for block, needed in sorted(by_block.items()):
        slots = SLOTS.get(block)
        if slots is not None and len(needed) > slots:
            raise Refused(
                f"--pmc: {len(needed)} counters of block {block} are asked for and it has {slots} slots; "
                f"give some of them to another run (another --pmc): {', '.join(sorted(needed))}"
            )
