"""The program to be measured, as callers name it and as it stands on our command line.

Options of rocm-perf were taken out (``cli.options.program_command``). A single argument is the program if it
names a file or a command on PATH, however many spaces it contains; else it is split into words as a shell
would, and is never given to one.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from rocm_perf_lab.errors import UsageProblem

Program = str | os.PathLike[str] | Sequence[str]
"""A file, a line of words (``"./app --size 5"``; no shell reads it), or the words themselves."""
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_SHELL_OPERATORS = set("|&;<>()")


def command_of(program: Program, ours: str) -> tuple[str, ...]:
    """The words of a program's command line. ``ours`` is the command that remedies name."""
    if isinstance(program, os.PathLike):
        return (os.fspath(program),)
    if isinstance(program, str):
        return parse_command((program,), ours)
    return tuple(program) or parse_command((), ours)


def parse_command(arguments: Sequence[str], ours: str = "profile") -> tuple[str, ...]:
    """The words of the program's command line. ``ours`` is the command of rocm-perf that remedies name."""
    if not arguments:
        raise UsageProblem("no program is given", f"rocm-perf {ours} ./app its arguments")
    if len(arguments) > 1:
        return tuple(arguments)
    (only,) = arguments
    if not only.strip():
        raise UsageProblem("the program's name is empty", f"rocm-perf {ours} ./app its arguments")
    if Path(only).exists() or shutil.which(only):
        return (only,)
    return _split(only, ours)


def _split(text: str, ours: str) -> tuple[str, ...]:
    try:
        words = shlex.split(text)
        operator = _shell_operator(text)
    except ValueError as error:
        raise UsageProblem(
            f"the quotes in {text!r} do not match ({str(error).lower()})", "close every quote that is opened"
        ) from None
    if operator:
        raise UsageProblem(
            f"{text!r} is a line for a shell (it has {operator}), and no shell runs it",
            f"rocm-perf {ours} -- sh -c {shlex.quote(text)}",
        )
    if words and _ASSIGNMENT.match(words[0]):
        raise UsageProblem(
            f"{words[0]!r} sets a variable, which only a shell does",
            f"{words[0]} rocm-perf {ours} {shlex.join(words[1:]) or './app'}",
        )
    return tuple(words)


def _shell_operator(text: str) -> str | None:
    """The first pipe, redirection or the like that stands outside of quotes."""
    lexer = shlex.shlex(
        text, posix=False, punctuation_chars=True
    )  # not posix: quoted words keep their quotes
    lexer.commenters = ""
    return next((token for token in lexer if set(token) <= _SHELL_OPERATORS), None)


def find_program(name: str, environment: Mapping[str, str]) -> Path:
    """The file that a program's name stands for; an error says what is wrong with it."""
    if "/" not in name:
        found = shutil.which(name, path=environment.get("PATH"))
        if found:
            return Path(found)
        here = Path(name)
        remedy = f"./{name} is in this folder: write it so" if here.is_file() else "give its path, e.g. ./app"
        raise UsageProblem(f"there is no program {name!r} on PATH", remedy)
    path = Path(name)
    if not path.exists():
        raise UsageProblem(f"there is no program {name!r}", "check the path, or build it first")
    if path.is_dir():
        raise UsageProblem(f"{name!r} is a folder, not a program", "name the program in it")
    if not os.access(path, os.X_OK):
        raise UsageProblem(f"{name!r} is not executable", f"chmod +x {shlex.quote(name)}")
    return path
