"""``rocm-perf schema``: the schema of one document, or of any."""

from __future__ import annotations

import json
import subprocess

from tests.commands import rocm_perf_words

from rocm_perf_lab.contracts.all_documents import DOCUMENTS


def schema(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = rocm_perf_words("schema", *arguments)
    return subprocess.run(command, capture_output=True, text=True)


def test_one() -> None:
    document = json.loads(schema("profile").stdout)
    assert document["$schema"].startswith("https://json-schema.org/draft/2020-12")
    assert {
        "schema_version",
        "kernel",
        "gpu",
        "runtime_ms",
        "stability",
        "resources",
        "occupancy",
        "roofline",
    } <= set(document["properties"])
    assert document["additionalProperties"] is False


def test_any() -> None:
    document = json.loads(schema().stdout)
    assert len(document["anyOf"]) == len(DOCUMENTS)


def test_unknown() -> None:
    done = schema("nothing")
    assert done.returncode == 2
    assert all(name in done.stderr for name in DOCUMENTS)
