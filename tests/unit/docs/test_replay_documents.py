"""docs/guide/replay.md tells of every key of the documents that replays print."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.doc_blocks import ROOT

PAGE = (ROOT / "docs" / "guide" / "replay.md").read_text()
SCHEMAS = ROOT / "src" / "rocm_perf_lab" / "contracts" / "schemas"
IN_EVERY_DOCUMENT = {"schema_version", "origin", "missing"}


def rows(document: str) -> dict[str, set[str]]:
    """Key of the document -> names in backticks beside it."""
    (text,) = re.findall(
        rf"^\| in the document `{document}` \| .*\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE
    )
    found = {}
    for line in text.splitlines():
        keys, words = line.strip("|").split("|", 1)
        for key in re.findall(r"`(\w+)`", keys):
            found[key] = set(re.findall(r"`(\w+)`", words))
    return found


def parts(schema: dict[str, Any], key: str) -> set[str]:
    """Keys of what a key holds: of an object, or of the objects in a list; none of a plain value."""
    references = re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema["properties"][key]))
    return {name for reference in references for name in schema["$defs"][reference]["properties"]}


@pytest.mark.parametrize("document", ["replay", "validation"])
def test_every_key_is_told_of(document: str) -> None:
    schema = json.loads((SCHEMAS / f"{document}.json").read_text())
    told = rows(document)
    assert set(told) == set(schema["properties"]) - IN_EVERY_DOCUMENT
    for key, names in told.items():
        if names:
            assert names == parts(schema, key) - IN_EVERY_DOCUMENT, key
