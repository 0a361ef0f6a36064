"""The library of queries: one documented file each in sql/."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def query(name: str) -> str:
    """The text of sql/<name>.sql."""
    return (resources.files(__package__) / "sql" / f"{name}.sql").read_text(encoding="utf-8")
