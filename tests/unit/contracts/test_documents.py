"""Documents: strict on reading, explained nulls on writing, schemas as committed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.table_rows import rows

import rocm_perf_lab.contracts as package
from rocm_perf_lab.contracts.all_documents import DOCUMENTS
from rocm_perf_lab.contracts.documents import from_json, json_schema, to_json
from rocm_perf_lab.contracts.failure import FailureDocument, failure_document
from rocm_perf_lab.contracts.profiling.gpu import Gpu
from rocm_perf_lab.contracts.text import to_text
from rocm_perf_lab.errors import BadInput, TimedOut

SCHEMAS = Path(package.__path__[0]) / "schemas"
FAILURE = failure_document(TimedOut("too slow", "wait", "/a/folder"))
GPU = Gpu(
    origin="spec",
    missing={"clock_mhz": "not told"},
    name="x",
    architecture="gfx942",
    cu_count=1,
    xcd_count=1,
    simd_per_cu=4,
    wave_size=64,
    max_waves_per_simd=8,
    lds_bytes_per_cu=65536,
    clock_mhz=None,
)


@rows("name", DOCUMENTS)
def test_committed_schemas_are_current(name: str) -> None:
    committed = json.loads((SCHEMAS / f"{name}.json").read_text())
    remedy = "run: python -m rocm_perf_lab schema --write src/rocm_perf_lab/contracts/schemas"
    assert committed == json_schema(DOCUMENTS[name]), remedy


def test_no_schema_without_a_document() -> None:
    assert {path.stem for path in SCHEMAS.glob("*.json")} == set(DOCUMENTS)


def objects(schema: dict[str, object]) -> list[dict[str, object]]:
    definitions = schema.get("$defs", {})
    assert isinstance(definitions, dict)
    return [schema, *definitions.values()]


@rows("name", DOCUMENTS)
def test_schemas_forbid_what_they_do_not_know(name: str) -> None:
    for part in objects(json_schema(DOCUMENTS[name])):
        if part.get("type") == "object":
            assert part["additionalProperties"] is False, part["title"]


def test_there_and_back() -> None:
    text = to_json(FAILURE)
    assert from_json(FailureDocument, text, "failure.json") == FAILURE
    assert next(iter(json.loads(text))) == "schema_version"
    assert to_text(FAILURE) == text
    assert from_json(Gpu, to_json(GPU), "gpu") == GPU


def test_a_null_needs_a_reason() -> None:
    with pytest.raises(ValueError, match=r"Gpu\.clock_mhz"):
        to_json(replace(GPU, missing={}))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"extra": 1}, "extra"),
        ({"schema_version": "2.0"}, "schema_version"),
        ({"error": {"kind": "x"}}, "error"),
    ],
)
def test_what_is_not_the_document_is_refused(edit: dict[str, object], words: str) -> None:
    text = json.dumps({**json.loads(to_json(FAILURE)), **edit})
    with pytest.raises(BadInput, match=words) as caught:
        from_json(FailureDocument, text, "some.json")
    assert "some.json" in caught.value.cause


def test_what_is_not_json_is_refused() -> None:
    with pytest.raises(BadInput):
        from_json(FailureDocument, b"\xff\x00", "some.json")


def test_no_figure_that_is_no_number() -> None:
    with pytest.raises(ValueError, match="JSON"):
        to_json(replace(GPU, clock_mhz=float("nan"), missing={}))
