"""64-bit patterns as the documents of a capture write them: ``"0x7f0000000000"``."""

from __future__ import annotations

import re

from rocm_perf_lab.errors import BadInput

_FORM = re.compile(r"0x[0-9a-fA-F]{1,16}")


def number(text: str) -> int:
    """Raises BadInput for text that is no such pattern."""
    if not _FORM.fullmatch(text):
        raise BadInput(f"{text[:40]!r} is not an address such as 0x7f0000000000", "capture it again")
    return int(text, 16)


def text(address: int) -> str:
    return f"{address:#x}"
