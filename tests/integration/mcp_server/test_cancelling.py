"""A call that is cancelled ends what it runs and leaves nothing half written; nor does a dead server."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client
from tests.commands import SECONDS, rocm_perf_words

from .conftest import Call

OURS = b"rocm_perf_lab.mcp_server.command_process"
HANGS = {"program": "scale", "arguments": ["hang"], "runs": 1}


def processes(matches: Callable[[list[bytes]], bool]) -> list[int]:
    """Those whose command line matches."""
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdecimal():
            with contextlib.suppress(OSError):
                if matches((place / "cmdline").read_bytes().split(b"\0")):
                    found.append(int(place.name))
    return found


def running(program: Path) -> list[int]:
    """The program itself, and the tracer that has it on its command line; not the command of ours."""
    name = str(program).encode()
    return processes(lambda words: words[0] == name or (OURS not in words and name in words))


def begun(program: Path) -> list[int]:
    """The command of ours, which has not said yet that it is to end with the server, and what it started."""
    name = str(program).encode()
    return processes(lambda words: name in words)


def ends(left: Callable[[], list[int]]) -> bool:
    """Whether none is left soon: a process that was killed is seen for a moment."""
    limit = time.monotonic() + SECONDS
    while left() and time.monotonic() < limit:
        time.sleep(0.1)
    return not left()


async def call_until_it_runs(client: Client, program: Path) -> None:
    """Calls, and gives up as soon as the program runs."""
    import anyio

    async with anyio.create_task_group() as group:

        async def call() -> None:
            await client.call_tool("profile", HANGS)

        group.start_soon(call)
        with anyio.fail_after(SECONDS):
            while len(running(program)) < 2:
                await anyio.sleep(0.05)
        group.cancel_scope.cancel()


def runs_in(root: Path) -> set[Path]:
    return set((root / ".rocm-perf").glob("2*-scale*"))


def test_cancelled(portal: BlockingPortal, client: Client, call: Call, root: Path) -> None:
    before = runs_in(root)
    portal.call(call_until_it_runs, client, root / "scale")
    assert ends(lambda: running(root / "scale"))
    # The next call has its turn: the cancelled one is over.
    assert not call("profile", program="scale", runs=1).is_error
    cancelled, _ = sorted(runs_in(root) - before)
    failure = json.loads((cancelled / "failure.json").read_text())
    assert failure["error"]["kind"] == "interrupted"
    assert not [path for path in root.rglob("*") if path.name.endswith(".draft")]


def test_what_a_program_leaves_in_the_background(call: Call, root: Path) -> None:
    """It keeps our streams open; the call ends nevertheless, and it with the call."""
    script = root / "leaves"
    script.write_text(f"#!/bin/sh\nsleep 123456 &\nexec {root}/scale\n")
    script.chmod(0o755)
    result = call("check", program="leaves", only=["out-of-bounds"])
    assert not result.is_error, result.content
    assert ends(lambda: processes(lambda words: words[:2] == [b"sleep", b"123456"]))


@pytest.mark.parametrize("when", [begun, running])
def test_a_server_that_is_killed(
    when: Callable[[Path], list[int]], root: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    import anyio
    from mcp import Client, MCPError, StdioServerParameters
    from mcp.client.stdio import stdio_client

    program = tmp_path / "scale"
    program.write_bytes((root / "scale").read_bytes())
    program.chmod(0o755)
    command, *words = rocm_perf_words("mcp", "--root", tmp_path)
    server = StdioServerParameters(command=command, args=words, env=environment)

    async def kill_when_it_runs() -> None:
        with anyio.fail_after(SECONDS):
            while not when(program):
                await anyio.sleep(0.005)
        (number,) = processes(lambda words: b"mcp" in words and str(tmp_path).encode() in words)
        os.kill(number, signal.SIGKILL)

    async def call_and_kill() -> None:
        async with Client(stdio_client(server)) as client, anyio.create_task_group() as group:
            group.start_soon(kill_when_it_runs)
            with pytest.raises(MCPError):
                await client.call_tool("profile", HANGS)

    anyio.run(call_and_kill)
    assert ends(lambda: begun(program))
