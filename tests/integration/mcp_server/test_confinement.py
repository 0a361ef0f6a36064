"""Nothing outside of the roots is read, written or run, however it is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import xxhash

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client

from .conftest import Call


@pytest.fixture(scope="module")
def outside(root: Path) -> Path:
    """A folder beside the root, and links in the root that lead there."""
    folder = root.parent / "outside"
    folder.mkdir()
    (folder / "secret.json").write_text('{"secret": 1}')
    (folder / "profile.json").write_text('{"secret": 1}')
    (folder / "program").write_text("#!/bin/sh\necho ran > ran\n")
    (folder / "program").chmod(0o755)
    (root / "link").symlink_to(folder)
    (root / "link-to-program").symlink_to(folder / "program")
    (root / "folder-with-link").mkdir()
    (root / "folder-with-link" / "profile.json").symlink_to(folder / "profile.json")
    (root / "run-elsewhere").mkdir()
    (root / "run-elsewhere" / "dag.json").write_text('{"databases": ["../../outside/other.db"]}')
    (root / "run-elsewhere-2").mkdir()
    (root / "run-elsewhere-2" / "profile.json").write_text('{"passes": [{"databases": ["/outside.db"]}]}')
    return folder


REFUSED = [
    ("profile", {"program": "/bin/ls"}),
    ("profile", {"program": "../outside/program"}),
    ("profile", {"program": "link/program"}),
    ("profile", {"program": "link-to-program"}),
    ("profile", {"program": "scale", "out": "../outside/run"}),
    ("profile", {"program": "scale", "out": "link/run"}),
    ("capture", {"program": "link-to-program"}),
    ("capture", {"program": "scale", "out": "/tmp/capture-outside-of-the-roots"}),
    ("check", {"program": "link-to-program"}),
    ("analyze", {"traces": ["../outside"]}),
    ("explain", {"run": "../outside"}),
    ("explain", {"run": "link"}),
    ("explain", {"run": "folder-with-link"}),
    ("whatif", {"run": "folder-with-link"}),
    ("explain", {"run": "run-elsewhere"}),
    ("analyze", {"traces": ["run-elsewhere-2"]}),
    ("compare", {"base": "../outside", "new": "../outside"}),
    ("replay", {"capture": "../outside"}),
    ("validate", {"capture": "folder-with-link"}),
    ("optimize", {"program": "scale", "source": "../outside/secret.json", "budget": 1}),
    ("autotune", {"space": "../outside/secret.json", "program": "scale", "budget": 1}),
]


@pytest.mark.parametrize(("tool", "arguments"), REFUSED)
def test_refused(call: Call, outside: Path, tool: str, arguments: dict[str, Any]) -> None:
    before = sorted(outside.rglob("*"))
    result = call(tool, **arguments)
    assert result.is_error
    assert "out of the roots" in str(result.content) or "outside of the roots" in str(result.content)
    assert "secret" not in str(result.structured_content).replace("secret.json", "")
    assert sorted(outside.rglob("*")) == before
    assert not Path("/tmp/capture-outside-of-the-roots").exists()


@pytest.mark.parametrize("tool", ["replay", "validate"])
@pytest.mark.parametrize("place", ["../outside/secret.json", "{outside}/secret.json"])
def test_a_capture_that_names_files_elsewhere(
    call: Call, root: Path, outside: Path, place: str, tool: str
) -> None:
    """With sizes and checksums that are right: the name alone is what is refused."""
    kept = root / "leading-elsewhere"
    if not kept.exists():
        assert not call("capture", program="scale", kernel="scale", out=kept.name).is_error
    capture = root / f"capture-{tool}-{place.startswith('.')}"
    shutil.copytree(kept, capture)
    name, content = place.format(outside=outside), (outside / "secret.json").read_bytes()
    regions = json.loads((capture / "memory_regions.json").read_text())
    regions["regions"][0]["file"] = name
    (capture / "memory_regions.json").write_text(json.dumps(regions))
    manifest = json.loads((capture / "manifest.json").read_text())
    changed = {name: content, "memory_regions.json": (capture / "memory_regions.json").read_bytes()}
    for one, text in changed.items():
        manifest["files"][one] = {"bytes": len(text), "xxh64": f"{xxhash.xxh64_intdigest(text):#018x}"}
    (capture / "manifest.json").write_text(json.dumps(manifest))
    result = call(tool, capture=capture.name)
    assert result.is_error
    assert name in str(result.content)
    # The native tool says it in its own words.
    assert any(words in str(result.content) for words in ("which no capture has", "outside the capture"))


@pytest.mark.parametrize("name", ["secret.json", "profile.json"])
@pytest.mark.parametrize("place", ["{outside}", "{root}/../outside", "{root}/link", "{root}/%2e%2e/outside"])
def test_resources(
    portal: BlockingPortal, client: Client, root: Path, outside: Path, place: str, name: str
) -> None:
    uri = "rocm-perf://" + place.format(outside=outside, root=root) + "/" + name
    from mcp import MCPError

    with pytest.raises(MCPError, match="outside of the roots"):
        portal.call(client.read_resource, uri)
