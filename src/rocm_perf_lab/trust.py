"""Whether what may come from others is run: what was made here, or allowed before, is known by its digest.

There is a file for each digest in ``trusted`` of the user's data folder; who removes it is asked again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.errors import NotTrusted

VARIABLE = "ROCM_PERF_TRUST"
"""1: nobody is asked, for machines that run nothing but what they are to run."""


@dataclass(frozen=True)
class Foreign:
    """Something that holds what is to be run."""

    name: str
    digest: str
    """SHA-256 of all that decides what is run."""
    runs: tuple[str, ...]
    """What that is, in words for who decides."""
    look: str
    """The command that shows it and runs nothing."""


Ask = Callable[[Sequence[Foreign]], bool]
"""Whether these are to be run."""


def store_folder() -> Path:
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "rocm-perf-lab" / "trusted"


def is_trusted(digest: str) -> bool:
    try:
        return (store_folder() / digest).is_file()
    except (OSError, RuntimeError):  # no home
        return False


def remember(digest: str, name: str) -> None:
    """Of what was made here, or allowed. Where nothing can be kept it is asked about again."""
    try:
        folder = store_folder()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / digest).write_text(f"{name}\n", encoding="utf-8", errors="surrogateescape")
    except (OSError, RuntimeError):
        return


def require_trust(found: Sequence[Foreign], allowed: bool, ask: Ask | None) -> None:
    """Returns if all of it may be run; ``ask`` is None where nobody can be asked."""
    unknown = [one for one in found if not is_trusted(one.digest)]
    if not unknown or os.environ.get(VARIABLE, "0") not in ("", "0"):
        return
    if not (allowed or (ask is not None and ask(unknown))):
        raise _refusal(unknown, asked=ask is not None)
    for one in unknown:
        remember(one.digest, one.name)


def _refusal(unknown: Sequence[Foreign], asked: bool) -> NotTrusted:
    first, more = unknown[0], len(unknown) - 1
    others = f", and {more} more" if more else ""
    why = "that was declined" if asked else "nobody here can be asked"
    return NotTrusted(
        f"{first.name}{others}: not made here. It would run {'; '.join(first.runs)}, and {why}",
        f"look at it ({first.look}), then say --trust; in Python trust=True",
    )
