"""Sweeps over many cases of one kind, of which the default tier keeps a few."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest


def sweep(cases: Iterable[Any], *, keep: Collection[str], name: Callable[[Any], str] = str) -> list[Any]:
    """Parameters of a test: those named in ``keep`` run always, the others with scripts/test --all."""
    made = list(cases)
    unknown = set(keep) - {name(case) for case in made}
    assert not unknown, f"nothing is called {', '.join(sorted(unknown))}"
    return [case if name(case) in keep else _survey(case) for case in made]


def _survey(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.survey)
