"""HIP programs from Python: compiled by hipcc, and run in the environment of the virtual ROCm."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from .errors import CompilationFailed, UsageProblem
from .layout import environment, prefix

Word = str | os.PathLike[str]


def compile(sources: Word | Sequence[Word], output: Word, options: Sequence[Word] = ()) -> Path:
    """Compiles one or more HIP sources to the program ``output``; returns its absolute path.

    ``options`` are those of hipcc. What it warns of goes to stderr; what it complains of is the cause of
    ``vrocm.errors.CompilationFailed``.
    """
    inputs = [sources] if isinstance(sources, (str, os.PathLike)) else sources
    done = subprocess.run(
        [prefix() / "bin" / "hipcc", *inputs, *options, "-o", output],
        env={**os.environ, **environment()},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    if done.returncode != 0:
        raise CompilationFailed(done.stderr.strip() or f"hipcc ended with {done.returncode}")
    sys.stderr.write(done.stderr)
    return Path(output).absolute()  # a name alone would be looked for on PATH


def run(
    words: Sequence[Word],
    *,
    device: str | None = None,
    variables: Mapping[str, str] | None = None,
    timeout: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Runs a program, its arguments behind it, to its end: its exit code, and what it printed as text.

    ``device``: one of ``vrocm.devices()`` by name; otherwise what ``VROCM_DEVICE`` says. ``variables`` are
    set over those of this process. After ``timeout`` seconds it is killed (``subprocess.TimeoutExpired``).
    """
    chosen = {} if device is None else {"VROCM_DEVICE": device}
    with _refused_in_words(words):
        return subprocess.run(
            words,
            env={**os.environ, **environment(), **(variables or {}), **chosen},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
        )


def run_instead(words: Sequence[str]) -> NoReturn:
    """The same in place of this process: its streams and signals are the program's."""
    with _refused_in_words(words):
        os.execvpe(words[0], list(words), {**os.environ, **environment()})


@contextlib.contextmanager
def _refused_in_words(words: Sequence[Word]) -> Iterator[None]:
    program = os.fspath(words[0])
    try:
        yield
    except FileNotFoundError:
        raise UsageProblem(f"there is no program {program!r}", "give its path, e.g. ./app") from None
    except PermissionError:
        raise UsageProblem(f"{program!r} cannot be executed", f"chmod +x {program}") from None
