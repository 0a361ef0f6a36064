"""Documents on disk: checked, read back and described as JSON Schema. Only this file imports pydantic, for
schemas, and no contract: a command pays for those that it uses."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from rocm_perf_lab.contracts.reading import NotAsAgreed, reader
from rocm_perf_lab.contracts.text import to_text
from rocm_perf_lab.errors import BadInput

Document = TypeVar("Document")

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def to_json(document: object) -> str:
    """The text of a document, checked against its contract."""
    text = to_text(document)
    try:
        reader(type(document))(json.loads(text))
    except NotAsAgreed as problem:
        raise ValueError(f"{type(document).__name__}.{problem.place}: {problem.words}") from problem
    return text


def from_json(contract: type[Document], text: str | bytes, name: str) -> Document:
    """The document in ``text``; ``name`` says in errors which file it was."""
    try:
        document: Document = reader(contract)(_parsed(text))
    except NotAsAgreed as problem:
        raise BadInput(
            f"{name} is not a valid {contract.__name__}: {problem.words} at {problem.place}",
            "write it again with this version of rocm-perf",
        ) from problem
    return document


def _parsed(text: str | bytes) -> Any:
    try:
        return json.loads(text if isinstance(text, str) else text.decode())
    except (ValueError, RecursionError) as problem:  # of lists in lists in lists
        raise NotAsAgreed(f"it is no JSON ({problem})") from problem


def json_schema(contract: type) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a document."""
    import pydantic  # a fifth of a second, which no other command needs

    return {"$schema": _DRAFT, **pydantic.TypeAdapter(contract).json_schema()}
