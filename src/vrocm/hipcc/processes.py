"""Runs the tools, or shows what would be run."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from typing import IO

from .commands import without_precompiled
from .diagnostics import Diagnostics
from .errors import HipccError, StepError

ASKED_SECONDS = 2.0
# What clang calls a precompiled header that it does not take.
_REFUSED = re.compile(r"PCH|AST file|[Pp]recompiled|module file")


class Running:
    """A tool that has been started; its messages are kept until somebody asks."""

    def __init__(self, command: list[str], standard_input: bytes | None) -> None:
        self.command = command
        self.messages: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        source = None
        if standard_input is not None:
            source = tempfile.TemporaryFile()  # noqa: SIM115 - inherited by the process
            source.write(standard_input)
            source.seek(0)
        try:
            self.process = subprocess.Popen(command, stdin=source, stderr=self.messages)
        except OSError as problem:
            raise HipccError(f"cannot run {command[0]}: {problem.strerror}") from None

    def wait(self) -> tuple[int, str]:
        try:
            code = self.process.wait()
        except BaseException:  # we are to end: it must not go on without us
            self.abandon()
            raise
        self.messages.seek(0)
        return code, self.messages.read().decode(errors="replace")

    def abandon(self) -> None:
        """The result is not wanted any more. Compilers that are asked to end remove their scratch files."""
        self.process.terminate()
        try:
            self.process.wait(ASKED_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Processes:
    """Starts tools and reports their messages once."""

    def __init__(self, verbose: bool, dry_run: bool) -> None:
        self.verbose = verbose
        self.dry_run = dry_run
        self.diagnostics = Diagnostics()
        self.said: list[str] = []

    def start(self, command: list[str], standard_input: bytes | None = None) -> Running | None:
        """None when commands are only shown."""
        if self.verbose or self.dry_run:
            sys.stderr.write("".join(f' "{_escape(part)}"' for part in command) + "\n")
            sys.stderr.flush()
        return None if self.dry_run else Running(command, standard_input)

    def finish(self, running: Running | None) -> None:
        if running is None:
            return
        code, text = running.wait()
        plain = without_precompiled(running.command)
        # A compiler that crashed has not said why.
        if plain != running.command and code != 0 and (code != 1 or _REFUSED.search(text)):
            code, text = Running(plain, None).wait()
        self.said.append(self.diagnostics.new_text(text))
        sys.stderr.write(self.said[-1])
        sys.stderr.flush()
        if code != 0:
            # A tool killed by a signal has a negative code; shells say 128 + signal.
            raise StepError(code if code > 0 else 128 - code)

    def run(self, command: list[str], standard_input: bytes | None = None) -> None:
        self.finish(self.start(command, standard_input))


def _escape(part: str) -> str:
    return part.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
