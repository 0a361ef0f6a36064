"""docs/guide/mcp.md names every tool, and its entry for clients starts the server."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest

from rocm_perf_lab.cli.mcp import command
from rocm_perf_lab.mcp_server.roots import Roots

TEXT = (Path(__file__).parents[3] / "docs" / "guide" / "mcp.md").read_text()


def test_tools(tmp_path: Path) -> None:
    import anyio  # here, since the SDK takes most of a second to import

    from rocm_perf_lab.mcp_server.server import RocmPerfServer

    table = TEXT.partition("## Tools")[2].partition("\n\nEach tool")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    documented = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    server = RocmPerfServer(Roots([tmp_path]))
    tools = anyio.run(server.list_tools)
    assert {tool.name for tool in tools} == documented
    for tool in tools:
        for name, schema in tool.input_schema["properties"].items():
            explained = "description" in json.dumps(schema)
            assert explained or name in (tool.description or ""), (tool.name, name)


def test_entry_for_clients() -> None:
    (block,) = re.findall(r"^```json\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    (entry,) = json.loads(block)["mcpServers"].values()
    assert Path(entry["command"]).name == "rocm-perf"
    assert entry["args"][0] == "mcp"
    context = command.make_context("mcp", entry["args"][1:])
    assert context.params["roots"] == (Path("/home/me/project"),)


def test_a_root_is_needed() -> None:
    with pytest.raises(click.UsageError) as caught:
        command.make_context("mcp", [])
    assert "--root" in caught.value.format_message()
