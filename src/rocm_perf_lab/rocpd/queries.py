"""The library of queries: one documented file each in sql/."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "sql"


@cache
def query(name: str) -> str:
    """The text of sql/<name>.sql."""
    return (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")
