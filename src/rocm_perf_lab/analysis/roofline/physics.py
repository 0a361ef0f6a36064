"""Relations between counters that must hold whatever a kernel does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rocm_perf_lab.arch.counters import value_of
from rocm_perf_lab.contracts.roofline import Suspect

_TYPED = tuple(
    f"SQ_INSTS_VALU_{kind}_{type_}"
    for kind in ("ADD", "MUL", "TRANS", "FMA")
    for type_ in ("F16", "F32", "F64")
)


@dataclass(frozen=True)
class AtMost:
    """``sum of left ≤ factor · right``: where it fails the figures named are not to be trusted."""

    figures: tuple[str, ...]
    left: tuple[str, ...]
    factor: float
    right: str
    why: str

    def __str__(self) -> str:
        times = "" if self.factor == 1 else f"{self.factor:g}·"
        return f"{' + '.join(self.left)} ≤ {times}{self.right}"


# TCC_REQ counts the requests of all clients to the L2. A miss fetches a line of 128 bytes at most: four reads
# of 32 bytes.
_RELATIONS = (
    AtMost(
        ("traffic l2", "traffic hbm"), ("TCC_HIT",), 1, "TCC_REQ", "more hits in the L2 than requests to it"
    ),
    AtMost(
        ("traffic hbm",),
        ("TCC_EA0_RDREQ",),
        4,
        "TCC_REQ",
        "more reads over the fabric than requests to the L2 can cause",
    ),
    AtMost(
        ("traffic hbm",),
        ("TCC_EA_RDREQ",),
        4,
        "TCC_REQ",
        "more reads over the fabric than requests to the L2 can cause",
    ),
    AtMost(
        ("work valu f16", "work valu f32", "work valu f64"),
        _TYPED,
        1,
        "SQ_INSTS_VALU",
        "more instructions with a type than vector instructions: the passes did not run the same work",
    ),
)


def broken_relations(counters: Mapping[str, float]) -> list[Suspect]:
    """One suspect for each figure of a relation that does not hold; those with missing counters are left."""
    found = []
    for relation in _RELATIONS:
        left = [value_of(name, counters) for name in relation.left]
        right = value_of(relation.right, counters)
        if right is None or any(value is None for value in left):
            continue
        total = sum(value for value in left if value is not None)
        if total > relation.factor * right:
            shown = {name: value for name, value in zip(relation.left, left, strict=True) if value}
            found += [
                Suspect(
                    figure=figure,
                    value=total,
                    why=relation.why,
                    formula=str(relation),
                    counters={**shown, relation.right: right},
                )
                for figure in relation.figures
            ]
    return found
