"""A server over a folder with one small program, and the SDK's client on its standard input and output."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from tests.commands import SECONDS, rocm_perf_words

import vrocm

# The SDK takes most of a second to import: not where tests are only listed.
if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client
    from mcp_types import CallToolResult

PROGRAMS = Path(__file__).parents[1] / "rocprofv3" / "programs"


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ROCPROF", "VROCM_TRACE", "ROCM_PERF"))
    }
    return {**clean, **vrocm.environment(), "ROCM_PERF_CALIBRATIONS": "/no/calibrations"}


@pytest.fixture(scope="session")
def root(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mcp") / "root"
    folder.mkdir()
    # Every command that read it would fail: settings of a project are no wishes of the client.
    (folder / "rocm-perf.toml").write_text("this is not TOML")
    done = subprocess.run(
        ["hipcc", "-O2", "-g", str(PROGRAMS / "scale.hip"), "-lroctx64", "-o", str(folder / "scale")],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    from anyio.from_thread import start_blocking_portal

    with start_blocking_portal() as found:
        yield found


@pytest.fixture(scope="session")
def client(portal: BlockingPortal, root: Path, environment: dict[str, str]) -> Iterator[Client]:
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    command, *words = rocm_perf_words("mcp", "--root", root)
    server = StdioServerParameters(command=command, args=words, env=environment)
    with portal.wrap_async_context_manager(Client(stdio_client(server))) as connected:
        yield connected


Call: TypeAlias = "Callable[..., CallToolResult]"


@pytest.fixture(scope="session")
def call(portal: BlockingPortal, client: Client) -> Call:
    """call(tool, told=list, **arguments): what the tool gives back; told takes its progress."""

    def called(tool: str, told: list[Any] | None = None, **arguments: Any) -> CallToolResult:
        async def tell(progress: float, total: float | None, message: str | None) -> None:
            if told is not None:
                told.append((progress, total, message))

        async def calling() -> CallToolResult:
            return await client.call_tool(tool, arguments, progress_callback=tell)

        return portal.call(calling)

    return called


@pytest.fixture(scope="session")
def profiled(call: Call) -> tuple[CallToolResult, list[Any]]:
    """One profile that several tests look at, with the progress that was told."""
    told: list[Any] = []
    return call("profile", told, program="scale", runs=2), told
