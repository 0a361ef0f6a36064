"""What a replay of a capture would run, and the digest by which that is known again.

The digest is of all files of the capture, memory by the checksums that its manifest has (a replay refuses any
other), so that it is there at once. Nor has a replay of what is known to wait for what reads documents.
"""

from __future__ import annotations

import hashlib
import json
import shlex
import stat
from collections.abc import Mapping
from pathlib import Path

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.trust import Ask, Foreign, is_trusted, remember, require_trust

_DISPATCH, _CODE = "dispatch.json", "kernel.hsaco"
_FILES = ("manifest.json", _DISPATCH, "memory_regions.json", "kernarg.bin", _CODE)
_MOST_DOCUMENT_BYTES = 256 << 20  # as of capture.folder, which is not imported


def require_capture(capture: Path, allowed: bool, ask: Ask | None) -> None:
    """Raises NotTrusted unless it was made here, was allowed before, or is allowed now."""
    require_trust([foreign_capture(capture)], allowed, ask)


def foreign_capture(capture: Path) -> Foreign:
    """Raises BadInput where it cannot be read as a capture, or was changed: nobody is asked about that."""
    files = _hashed(capture)
    if not is_trusted(_digest(files)):
        from rocm_perf_lab.capturing.folder import open_capture

        open_capture(capture)
    try:
        if (capture / _DISPATCH).stat().st_size > _MOST_DOCUMENT_BYTES:
            raise ValueError("it is larger than any such document")
        dispatch = json.loads((capture / _DISPATCH).read_bytes())
        kernel, grid = dispatch["kernel"], dispatch["geometry"]["grid"]
        shape = "x".join(str(int(one)) for one in grid)
        name = str(kernel.get("demangled") or kernel["name"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise _no_capture(capture, f"{_DISPATCH}: {error}") from error
    runs = f"the kernel {name} on {shape} work-items (code with SHA-256 {files[_CODE][:16]}…)"
    return Foreign(
        str(capture), _digest(files), (runs,), f"rocm-perf replay inspect {shlex.quote(str(capture))}"
    )


def digest_of(capture: Path) -> str:
    return _digest(_hashed(capture))


def remember_capture(capture: Path) -> None:
    """As made here."""
    remember(digest_of(capture), str(capture.absolute()))


def remember_as_trusted_as(original: str, made: Path) -> None:
    """A capture that was made of one with the digest ``original``."""
    if is_trusted(original):
        remember_capture(made)


def _hashed(capture: Path) -> dict[str, str]:
    found = {}
    for name in _FILES:
        file = capture / name
        try:
            if not stat.S_ISREG(file.lstat().st_mode):
                raise _no_capture(capture, f"{name} is not a plain file")
            digest = hashlib.sha256()
            with file.open("rb") as content:
                while part := content.read(1 << 20):
                    digest.update(part)
        except OSError as error:
            raise _no_capture(capture, f"{name}: {error.strerror}") from error
        found[name] = digest.hexdigest()
    return found


def _digest(files: Mapping[str, str]) -> str:
    return hashlib.sha256(
        "".join(f"{name} {digest}\n" for name, digest in files.items()).encode()
    ).hexdigest()


def _no_capture(capture: Path, why: str) -> BadInput:
    return BadInput(
        f"{capture} is no capture that can be read: {why}", "name the folder that rocm-perf capture made"
    )
