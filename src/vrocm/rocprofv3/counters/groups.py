"""Which counters fit into one run of the program."""

from __future__ import annotations

from ...counter_slots import counter_slots
from ..errors import RequestRefused
from .catalogue import Catalogue


def check_group(names: tuple[str, ...], catalogue: Catalogue) -> None:
    """Refuses names that do not exist, and more counters of a block than it has slots."""
    for name in names:
        if catalogue.find(name) is None:
            raise RequestRefused(
                f"--pmc: {name} is not a counter of {catalogue.architecture} (rocprofv3 -L lists them)"
            )
        if reason := catalogue.unavailable(name):
            raise RequestRefused(f"--pmc: {name} is not available on the virtual GPU: {reason}")
    by_block: dict[str, set[str]] = {}
    for name in names:
        for basic in catalogue.basic(name):
            by_block.setdefault(catalogue.counter(basic).block, set()).add(basic.partition("[")[0])
    known = counter_slots(catalogue.architecture)
    for block, needed in sorted(by_block.items()):
        slots = known.get(block)
        if slots is not None and len(needed) > slots:
            raise RequestRefused(
                f"--pmc: {len(needed)} counters of block {block} are asked for and it has {slots} slots; "
                f"give some of them to another run (another --pmc): {', '.join(sorted(needed))}"
            )
