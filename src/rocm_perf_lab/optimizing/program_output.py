"""What a program prints and writes, where that has to stay the same: --compare-output, --compare-file."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.errors import Interrupted, ProgramFailed, TimedOut
from rocm_perf_lab.profiling.passes.failures import how_it_ended
from rocm_perf_lab.profiling.processes.process_group import run
from rocm_perf_lab.rocm.find import find_prefix


@dataclass(frozen=True)
class OutputRequest:
    printed: bool = False
    """Standard output, byte for byte, and the exit status."""
    files: tuple[Path, ...] = ()
    """That the program writes; byte for byte."""

    def __bool__(self) -> bool:
        return self.printed or bool(self.files)


@dataclass(frozen=True)
class ProgramOutput:
    exit_code: int
    printed: str | None
    """Digest of the bytes; None: not asked for."""
    files: tuple[tuple[str, str], ...]
    """Name, and digest."""
    size: int
    """Bytes of all that was compared."""

    def difference_to(self, other: ProgramOutput) -> str | None:
        """What of the other one is not as here; None: all of it is."""
        if self.exit_code != other.exit_code:
            return f"the program {how_it_ended(other.exit_code)}, and did not before"
        if self.printed != other.printed:
            return "the program prints something else"
        changed = [
            name for (name, digest), (_, now) in zip(self.files, other.files, strict=True) if digest != now
        ]
        return f"the program writes something else into {', '.join(changed)}" if changed else None

    def __str__(self) -> str:
        what = [] if self.printed is None else ["standard output and exit status"]
        return f"{', '.join([*what, *(name for name, _ in self.files)])} ({self.size} bytes)"


def output_of(command: Sequence[str], request: OutputRequest, timeout_s: float | None) -> ProgramOutput:
    """Of one run. Raises where it does not end, or does not write what it should."""
    before = {path: _written(path) for path in request.files}
    with tempfile.TemporaryDirectory(prefix="rocm-perf-output-") as scratch:
        printed = Path(scratch) / "stdout"
        outcome = run(
            command,
            {**os.environ, **find_prefix().environment()},
            stdout=printed,
            stderr=Path(scratch) / "stderr",
            timeout_s=timeout_s,
        )
        if outcome.interrupted:
            raise Interrupted("interrupted")
        if outcome.timed_out:
            raise TimedOut(f"the program was ended after {outcome.wall_s:.0f} s", "--timeout gives it more")
        for path, stamp in before.items():
            if _written(path) in (None, stamp):
                raise ProgramFailed(f"the program does not write {path}", "name a file that it writes")
        contents = [path.read_bytes() for path in request.files]
        text = printed.read_bytes() if request.printed else None
    return ProgramOutput(
        exit_code=outcome.exit_code,
        printed=None if text is None else _digest(text),
        files=tuple(
            (str(path), _digest(bytes_)) for path, bytes_ in zip(request.files, contents, strict=True)
        ),
        size=len(text or b"") + sum(map(len, contents)),
    )


def _written(path: Path) -> int | None:
    """When it was written last; None: it is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
