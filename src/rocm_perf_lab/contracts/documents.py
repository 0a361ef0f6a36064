"""Documents on disk: checked, read back and described as JSON Schema. Only this file imports pydantic, and no
contract: a command pays for those that it uses."""

from __future__ import annotations

from typing import Any, TypeVar

import pydantic

from rocm_perf_lab.contracts.text import to_text
from rocm_perf_lab.errors import BadInput

Document = TypeVar("Document")

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_adapters: dict[type, pydantic.TypeAdapter[Any]] = {}


def _adapter(contract: type) -> pydantic.TypeAdapter[Any]:
    """The checker of a contract; building one takes a tenth of a second."""
    if contract not in _adapters:
        _adapters[contract] = pydantic.TypeAdapter(contract)
    return _adapters[contract]


def prepare(*contracts: type) -> None:
    """Builds the checkers of contracts ahead of their first use."""
    for contract in contracts:
        _adapter(contract)


def to_json(document: object) -> str:
    """The text of a document, checked against its contract."""
    _adapter(type(document)).dump_python(document, mode="json", warnings="error")
    return to_text(document)


def from_json(contract: type[Document], text: str | bytes, name: str) -> Document:
    """The document in ``text``; ``name`` says in errors which file it was."""
    try:
        document: Document = _adapter(contract).validate_json(text)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the top level"
        raise BadInput(
            f"{name} is not a valid {contract.__name__}: {first['msg']} at {place}",
            "write it again with this version of rocm-perf",
        ) from error
    return document


def json_schema(contract: type) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a document."""
    return {"$schema": _DRAFT, **_adapter(contract).json_schema()}
