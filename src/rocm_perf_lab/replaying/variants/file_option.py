"""The value of ``--hsaco``: a code object, or a program, library or bundle with one for the captured GPU."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rocm_perf_lab.errors import BadInput, UsageProblem

_AMDGPU = b"\x7fELF\x02\x01", (224).to_bytes(2, "little")  # 64-bit little-endian, and the machine at byte 18


@contextlib.contextmanager
def variant_file(given: Path | None, capture: Path) -> Iterator[Path | None]:
    """A file with the code object alone, as long as the block lasts."""
    if given is None:
        yield None
        return
    if not given.is_file():
        raise UsageProblem(f"there is no code object {given}", "rocm-perf replay build makes one from source")
    with given.open("rb") as file:
        head = file.read(20)
    if head.startswith(_AMDGPU[0]) and head[18:20] == _AMDGPU[1]:
        yield given
        return
    from rocm_perf_lab.replaying.variants.code_object import take_out

    try:
        dispatch = json.loads((capture / "dispatch.json").read_bytes())
        kernel, isa = dispatch["kernel"]["name"], dispatch["agent"]["isa"]
        original = (capture / "kernel.hsaco").read_bytes()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(
            f"{capture} is no capture that can be read: {error}",
            "name the folder that rocm-perf capture made",
        ) from error
    with tempfile.TemporaryDirectory(prefix="rocm-perf-variant-") as scratch:
        place = Path(scratch) / f"{given.name}.hsaco"
        place.write_bytes(take_out(given, kernel, isa, original).content)
        yield place
