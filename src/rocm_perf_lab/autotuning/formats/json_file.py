"""JSON files, compressed or not, with errors that name them."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from rocm_perf_lab.draft import draft_of
from rocm_perf_lab.errors import BadInput

GZIP = b"\x1f\x8b"


def read_text(path: Path) -> str:
    try:
        content = path.read_bytes()
        if content.startswith(GZIP):
            content = gzip.decompress(content)
        return content.decode("utf-8")
    except FileNotFoundError:
        raise BadInput(f"there is no file {path}") from None
    except (OSError, EOFError, zlib.error) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise BadInput(f"{path} cannot be read: {reason}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not text in UTF-8") from None


def parse_json(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"{name} is not JSON: {problem}") from None


def write_json(path: Path, document: Any) -> None:
    """Compressed where the name ends in .gz; whole or not at all."""
    text = (json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n").encode()
    try:
        with draft_of(path) as draft:
            draft.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)
    except OSError as problem:
        raise BadInput(f"{path} cannot be written: {problem.strerror}") from None
