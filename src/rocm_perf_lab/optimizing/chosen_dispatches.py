"""Which dispatches of a kernel stand for all: the first, the last, and one of each launch geometry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.rocpd.dispatch_order import DatabaseDispatch, Shape, dispatches_of

# Each is captured in a run of its own. Chosen: more tell little that these do not.
MOST_DISPATCHES = 4


@dataclass(frozen=True)
class ChosenDispatch:
    index: int
    """Among the dispatches of the kernel, from 0, as captures count."""
    shape: Shape | None
    """None: not known."""
    launches: int
    """In one run with this shape; 0 where another one that was chosen has it, too."""


@dataclass(frozen=True)
class Choice:
    dispatches: tuple[ChosenDispatch, ...]
    shapes_left_out: int = 0


def choose_dispatches(kernel: str, databases: Sequence[Path], launches: int) -> Choice:
    """``launches`` counts where the trace does not tell the dispatches apart."""
    found = _of_one_process(list(dispatches_of(kernel, databases)))
    if not found:
        ends = sorted({0, max(0, launches - 1)})
        return Choice(tuple(ChosenDispatch(index, None, launches if index == 0 else 0) for index in ends))
    by_shape: dict[Shape, list[int]] = {}
    for index, dispatch in enumerate(found):
        by_shape.setdefault(dispatch.shape, []).append(index)
    most_launched = sorted(by_shape.values(), key=lambda indices: -len(indices))
    wanted = dict.fromkeys([0, len(found) - 1, *(indices[0] for indices in most_launched)])
    chosen: list[ChosenDispatch] = []
    seen: set[Shape] = set()
    for index in wanted:
        shape = found[index].shape
        if len(chosen) == MOST_DISPATCHES or (shape in seen and index not in (0, len(found) - 1)):
            continue
        chosen.append(ChosenDispatch(index, shape, 0 if shape in seen else len(by_shape[shape])))
        seen.add(shape)
    return Choice(tuple(sorted(chosen, key=lambda one: one.index)), len(by_shape) - len(seen))


def _of_one_process(dispatches: Sequence[DatabaseDispatch]) -> list[DatabaseDispatch]:
    """Captures count the dispatches of a process; of several processes the first one is captured."""
    return [one for one in dispatches if one.database == dispatches[0].database]
