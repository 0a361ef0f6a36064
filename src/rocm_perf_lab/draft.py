"""Files that appear whole or not at all: written beside under another name, and moved into place."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def draft_of(file: Path) -> Iterator[Path]:
    """The draft to be written in the block; it becomes ``file`` at its end, and is removed on any error."""
    draft = file.with_name(f".{file.name}.{os.getpid()}.draft")  # two processes may write the same file
    try:
        yield draft
        draft.replace(file)
    except BaseException:  # Ctrl-C, too
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
