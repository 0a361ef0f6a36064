"""Points at the same time are put in order by their edges, however many there are."""

from __future__ import annotations

import numpy as np
import pytest

from rocm_perf_lab.analysis.critical_path.edges import Edges
from rocm_perf_lab.analysis.critical_path.topology import topological_ranks


def edges(pairs: list[tuple[int, int]]) -> Edges:
    source, target = (np.array(column, np.int32) for column in zip(*pairs, strict=True))
    return Edges(source, target, np.zeros(len(pairs), np.int8), np.zeros(len(pairs), np.int8))


@pytest.mark.parametrize("length", [3, 29, 31, 5000])
def test_a_chain_at_one_time(length: int) -> None:
    """Numbered from its end, so that nothing but the edges tells the order."""
    times = np.full(length, 7, np.int64)
    rank, kept = topological_ranks(times, edges([(at + 1, at) for at in range(length - 1)]))
    assert rank.tolist() == list(range(length))[::-1]
    assert kept.all()


def test_times_come_first() -> None:
    rank, kept = topological_ranks(np.array([5, 1, 5, 9]), edges([(1, 3), (2, 0)]))
    assert rank.tolist() == [2, 0, 1, 3]
    assert kept.all()


def test_a_circle_is_broken() -> None:
    """Two points that each should come before the other, and one that follows neither of them."""
    times = np.zeros(40, np.int64)
    chain = [(at, at + 1) for at in range(2, 38)]
    rank, kept = topological_ranks(times, edges([(0, 1), (1, 0), *chain]))
    assert kept.tolist() == [False, False] + [True] * len(chain)
    assert all(rank[u] < rank[v] for u, v in chain)
