"""Captures come from elsewhere: whatever their documents say, reading ends with words or with a result."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.contracts.documents import to_json
from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.replaying.inspection import inspect_capture
from rocm_perf_lab.reporting.terminal.inspection import render

from .made_captures import MadeCapture, write_manifest

STRANGE: list[Any] = [
    None,
    True,
    -1,
    0,
    7,
    1 << 63,
    1 << 200,
    1.5,
    "",
    "0x0",
    "0xffffffffffffffff",
    "x",
    "\x1b[2J",
]
STRANGE += [[], {}, [1], {"a": 1}, "0x7f0000000001", "../../etc/passwd", "memory/", "\ud83d\ude00" * 3]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Of all values in a document."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, child in below for place in places(child, (*path, key)))]


def put(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    document[path[0]] = put(document[path[0]], path[1:], value)
    return document


@pytest.mark.parametrize("name", ["dispatch.json", "memory_regions.json", "manifest.json"])
def test_any_value_anywhere(tmp_path: Path, name: str) -> None:
    folder = MadeCapture().write(tmp_path / "c")
    whole = {path: path.read_bytes() for path in folder.rglob("*.json")}
    rng = random.Random(name)
    plain = json.loads(whole[folder / name])
    refused = opened = 0
    for _ in range(150):
        edited = put(json.loads(json.dumps(plain)), rng.choice(places(plain)), rng.choice(STRANGE))
        for path, content in whole.items():
            path.write_bytes(content)
        (folder / name).write_text(json.dumps(edited))
        if name != "manifest.json":
            write_manifest(folder)
        try:
            document = inspect_capture(folder)
        except BadInput as error:
            refused += bool(error.cause and error.remedy)
            continue
        to_json(document)
        assert "\x1b" not in render(document)
        opened += 1
    assert refused + opened == 150
    assert refused > 50


def test_a_code_object_that_is_none(tmp_path: Path) -> None:
    folder = MadeCapture().write(tmp_path / "c")
    for content in (
        b"",
        b"\x7fELF",
        (folder / "kernel.hsaco").read_bytes()[:200],
        random.Random(1).randbytes(500),
    ):
        (folder / "kernel.hsaco").write_bytes(content)
        write_manifest(folder)
        document = inspect_capture(folder)
        assert document.resources is None
        assert document.missing["resources"].startswith("kernel.hsaco")
        assert document.arguments[0].type == "float const*"  # by the kernel's name
