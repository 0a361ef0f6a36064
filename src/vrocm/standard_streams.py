"""Standard input, output and error that may be closed, gone, or on a disk that is full.

What is printed is never what a command fails of in the middle of its work: it goes on, and at its end what
could not be printed is in a file, with one sentence and an exit code that say so. What cannot be said on
standard error is not said.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Callable
from stat import S_ISREG
from typing import NoReturn, TextIO

from .errors import EnvironmentProblem, Problem, disk_problem

BROKEN_PIPE = 141  # 128 + SIGPIPE, as a shell reports it
_printed: _Printed | None = None


class ReaderWentAway(Exception):
    """Of what is printed (head, less): nothing that follows is wanted."""


class _Descriptor(io.FileIO):
    def __init__(self, number: int) -> None:
        super().__init__(number, "w", closefd=False)

    def write_all(self, content: bytes) -> None:
        while content:
            written = super().write(content)
            if written is None:  # whoever gave it to us does not want to wait; we do
                import select

                select.select([], [self], [])
            content = content[written or 0 :]


class _Printed(_Descriptor):
    def __init__(self) -> None:
        super().__init__(1)
        # A file that has a part already can become full; with other ends it is the first part that fails.
        self.is_file = S_ISREG(os.fstat(1).st_mode)
        self.content: list[bytes] = []
        """What has to be kept if it cannot be printed."""
        self.problem: OSError | None = None
        self.told = False

    def write(self, content: object) -> int:
        words = bytes(content)  # type: ignore[call-overload]
        try:
            if self.problem is None:
                self.write_all(words)
        except OSError as problem:
            self.problem = problem
            if problem.errno == errno.EPIPE:
                raise ReaderWentAway from None
        if self.is_file or self.problem is not None:
            self.content.append(words)
        return len(words)


class _Said(_Descriptor):
    """Standard error: words about the work, which goes on whether they are read or not."""

    def __init__(self) -> None:
        super().__init__(2)

    def write(self, content: object) -> int:
        words = bytes(content)  # type: ignore[call-overload]
        with contextlib.suppress(OSError):
            self.write_all(words)
        return len(words)


def look_after_standard_streams() -> None:
    """As the program begins; ``all_is_printed`` says at its end what came of it."""
    global _printed
    if _printed is not None:
        return
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:  # noqa: PERF203 - the next file that is opened would be taken for it
            os.open(os.devnull, mode)
    if sys.stdin is None:
        sys.stdin = open(0)  # noqa: SIM115
    _printed = _Printed()
    sys.stdout = _text(_printed, sys.stdout)
    sys.stderr = _text(_Said(), sys.stderr)


def all_is_printed() -> None:
    """Raises what is to be said where it is not."""
    _flush()
    problem = None if _printed is None or _printed.told else _printed.problem
    if _printed is not None and problem is not None and problem.errno != errno.EPIPE:
        _printed.told = True
        closed = problem.errno == errno.EBADF
        raise EnvironmentProblem(
            "standard output " + ("is closed" if closed else f"cannot be written: {problem.strerror}"),
            "send it elsewhere, or make room",
            _keep(b"".join(_printed.content)),
        )


def run_tool(name: str, tool: Callable[[], object]) -> NoReturn:
    """A program that ends with SystemExit, with the streams looked after."""
    code: str | int | None = 0
    try:
        try:
            look_after_standard_streams()
            tool()
        except SystemExit as end:
            code = end.code
        _flush()
        if not code:  # else there is more to say than that
            all_is_printed()
    except ReaderWentAway:
        sys.exit(BROKEN_PIPE)
    except EnvironmentProblem as error:
        _end(name, error)
    except OSError as error:
        problem = disk_problem(error)
        if problem is None:
            raise
        _end(name, problem)
    sys.exit(code)


def _end(name: str, error: Problem) -> NoReturn:
    kept = f"; what was to be printed is in {error.collected}" if error.collected else ""
    print(f"{name}: error: {error.cause}{kept}", file=sys.stderr)
    sys.exit(error.exit_code)


def _flush() -> None:
    if not sys.stdout.closed:  # by the tool, which has then flushed it
        sys.stdout.flush()


def _text(below: _Descriptor, like: TextIO | None) -> io.TextIOWrapper:
    said = isinstance(below, _Said)
    return io.TextIOWrapper(
        io.BufferedWriter(below),
        encoding="utf-8" if like is None else like.encoding,
        errors="backslashreplace" if said else "surrogateescape" if like is None else like.errors,
        line_buffering=said or below.isatty(),
    )


def _keep(content: bytes) -> str | None:
    import tempfile  # which takes a while, and is hardly ever needed

    try:
        number, name = tempfile.mkstemp(prefix="rocm-perf-output-")
        with os.fdopen(number, "wb") as file:
            file.write(content)
    except OSError:
        return None
    return name
