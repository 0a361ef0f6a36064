"""Runs commands of the product for tool calls: one at a time, with progress, ended with their call."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import uuid
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import anyio.abc

from rocm_perf_lab.errors import RocmPerfError
from rocm_perf_lab.mcp_server.command_process import command_line
from rocm_perf_lab.mcp_server.progress import SILENCE_SECONDS, CallProgress
from rocm_perf_lab.profiling.progress import VARIABLE

# A command that is asked to end ends what it runs first, which has as long (profile.processes).
ASKED_SECONDS = 25.0
KILLED_SECONDS = 5.0
WATCH_SECONDS = 0.05
# What a program leaves in the background can hold our streams open; what is in them has been read by then.
LINGER_SECONDS = 2.0
# Every process that a call starts has it in its environment, so that none is overlooked.
CALL_VARIABLE = "ROCM_PERF_MCP_CALL"
KEPT_OF_STDERR = 16_384
# A rocm-perf.toml in the roots can name commands that build and files to write: only the call itself counts.
_NO_SETTINGS = {"ROCM_PERF_CONFIG": ""}


@dataclass(frozen=True)
class Answer:
    exit_code: int
    document: dict[str, Any]
    """What ``--json`` printed: a result or an error."""


class CommandRunner:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        """The working folder of every command."""
        # Two measurements at a time would measure each other.
        self._turn = anyio.Lock()

    async def run(self, words: Sequence[str], progress: CallProgress, *, tells: bool = False) -> Answer:
        """The answer of ``rocm-perf WORDS``, which have to ask for JSON. ``tells``: lines on its stderr are
        of its progress."""
        if self._turn.statistics().locked:
            await progress.say("waiting for another call to end")
        async with self._turn:
            reading, writing = os.pipe()
            mark = uuid.uuid4().hex
            try:
                process = await anyio.open_process(
                    command_line(words),
                    stdin=subprocess.DEVNULL,
                    cwd=self.folder,
                    env={**os.environ, **_NO_SETTINGS, VARIABLE: str(writing), CALL_VARIABLE: mark},
                    start_new_session=True,
                    pass_fds=(writing,),
                )
            except BaseException:
                os.close(reading)
                raise
            finally:
                os.close(writing)
            try:
                return await _attend(process, reading, progress, tells)
            finally:
                # What the call started does not outlive it, however it ended.
                with anyio.CancelScope(shield=True):
                    await _end(process, mark)
                os.close(reading)


async def _attend(process: anyio.abc.Process, reading: int, progress: CallProgress, tells: bool) -> Answer:
    assert process.stdout is not None
    assert process.stderr is not None
    printed: list[bytes] = []
    said = _Tail(progress.say if tells else None)
    ends = [anyio.Event() for _ in range(3)]

    async def read(
        parts: AsyncIterable[bytes], take: Callable[[bytes], Awaitable[None]], end: anyio.Event
    ) -> None:
        async for part in parts:
            await take(part)
        end.set()

    async def keep(part: bytes) -> None:
        printed.append(part)

    async def begin(line: bytes) -> None:
        with contextlib.suppress(ValueError, KeyError, TypeError):
            told = json.loads(line)
            await progress.begin(str(told["step"]), int(told["done"]), int(told["total"]))

    async with anyio.create_task_group() as beside:
        beside.start_soon(_keep_alive, progress)
        beside.start_soon(read, process.stdout, keep, ends[0])
        beside.start_soon(read, process.stderr, said.take, ends[1])
        beside.start_soon(read, _lines(reading), begin, ends[2])
        exit_code = await _exit_code(process)
        with anyio.move_on_after(LINGER_SECONDS):
            for end in ends:
                await end.wait()
        beside.cancel_scope.cancel()
    return Answer(exit_code, _document(b"".join(printed), exit_code, said.text))


async def _exit_code(process: anyio.abc.Process) -> int:
    """Not wait(): with some versions of Python that lasts until nobody has the streams open any more."""
    while process.returncode is None:
        await anyio.sleep(WATCH_SECONDS)
    return process.returncode


async def _keep_alive(progress: CallProgress) -> None:
    while True:
        before = progress.signs, progress.done
        await anyio.sleep(SILENCE_SECONDS)
        if (progress.signs, progress.done) == before:
            await progress.sign_of_life()


def _document(printed: bytes, exit_code: int, said: str) -> dict[str, Any]:
    try:
        document = json.loads(printed)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise RocmPerfError(
            f"the command ended with exit code {exit_code} and printed no document",
            f"its last words: {said}" if said else "run it on the command line",
        )
    return document


class _Tail:
    """The end of what a command says on stderr; whole lines are passed on where somebody wants them."""

    def __init__(self, tell: Callable[[str], Awaitable[None]] | None) -> None:
        self.tell = tell
        self.kept = b""
        self.line = b""

    async def take(self, part: bytes) -> None:
        self.kept = (self.kept + part)[-KEPT_OF_STDERR:]
        *lines, self.line = (self.line + part).split(b"\n")
        self.line = self.line[-KEPT_OF_STDERR:]
        for line in lines:
            text = line.decode(errors="replace").strip()
            if text and self.tell is not None:
                await self.tell(text)

    @property
    def text(self) -> str:
        return self.kept.decode(errors="replace").strip()


async def _lines(descriptor: int) -> AsyncIterator[bytes]:
    """Until nobody has the other end open."""
    os.set_blocking(descriptor, False)
    waiting = b""
    while True:
        await anyio.wait_readable(descriptor)
        try:
            part = os.read(descriptor, 65536)
        except BlockingIOError:
            continue
        if not part:
            return
        *lines, waiting = (waiting + part).split(b"\n")
        for line in lines:
            yield line


async def _end(process: anyio.abc.Process, mark: str) -> None:
    """Asks the command to end as Ctrl-C does: it ends what it runs and removes what is half written."""
    if process.returncode is None:
        for number, seconds in ((signal.SIGINT, ASKED_SECONDS), (signal.SIGTERM, KILLED_SECONDS)):
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(number)
            with anyio.move_on_after(seconds):
                await process.wait()
                break
    for left in _marked(mark):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(left, signal.SIGKILL)
    await process.aclose()


def _marked(mark: str) -> list[int]:
    """Processes that a call has started and that still run."""
    wanted = f"{CALL_VARIABLE}={mark}".encode()
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdecimal():
            with contextlib.suppress(OSError):
                if wanted in (place / "environ").read_bytes().split(b"\0"):
                    found.append(int(place.name))
    return found
