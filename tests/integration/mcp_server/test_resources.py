"""Runs in the roots as resources: documents and pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client
    from mcp_types import CallToolResult


def run_of(profiled: tuple[CallToolResult, list[Any]]) -> Path:
    assert profiled[0].structured_content is not None
    return Path(profiled[0].structured_content["run"])


def test_documents_and_the_page(
    portal: BlockingPortal, client: Client, profiled: tuple[CallToolResult, list[Any]]
) -> None:
    run = run_of(profiled)
    listed = {resource.uri: resource for resource in portal.call(client.list_resources).resources}
    uris = {name: f"rocm-perf://{run}/{name}" for name in ("profile.json", "analysis.json", "report.html")}
    assert set(uris.values()) <= set(listed)
    (document,) = portal.call(client.read_resource, uris["profile.json"]).contents
    assert document.mime_type == "application/json"
    assert json.loads(document.text) == json.loads((run / "profile.json").read_text())  # type: ignore[union-attr]
    (page,) = portal.call(client.read_resource, uris["report.html"]).contents
    assert page.mime_type == "text/html"
    assert "scale(float*, float, int)" in page.text  # type: ignore[union-attr]
    assert not (run / "report.html").exists()  # drawn, not written: reading changes nothing


@pytest.mark.parametrize(
    "uri", ["rocm-perf://{root}/scale", "rocm-perf://{root}/none.json", "file://{root}/a.json"]
)
def test_what_is_no_document(portal: BlockingPortal, client: Client, root: Path, uri: str) -> None:
    from mcp import MCPError

    with pytest.raises(MCPError):
        portal.call(client.read_resource, uri.format(root=root))


def test_template(portal: BlockingPortal, client: Client) -> None:
    (template,) = portal.call(client.list_resource_templates).resource_templates
    assert template.uri_template == "rocm-perf://{+path}"
