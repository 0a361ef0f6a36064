"""Documents on disk: written, read back and described as JSON Schema. Only this file imports pydantic."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, TypeVar, Union

import pydantic

from rocm_perf_lab.contracts.failure import FailureDocument
from rocm_perf_lab.contracts.profile import ProfileDocument
from rocm_perf_lab.contracts.roofline_document import RooflineDocument
from rocm_perf_lab.contracts.section import Section
from rocm_perf_lab.errors import BadInput

# Name of a document (and of its file, without .json) -> its contract.
DOCUMENTS: dict[str, type] = {
    "profile": ProfileDocument,
    "roofline": RooflineDocument,
    "failure": FailureDocument,
}

Document = TypeVar("Document")

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def to_json(document: object) -> str:
    """The text of a document, checked against its contract. A null without a reason is a mistake of ours."""
    unexplained = list(_unexplained_nulls(document, type(document).__name__))
    if unexplained:
        raise ValueError(f"null without a reason: {', '.join(unexplained)}")
    plain = pydantic.TypeAdapter(type(document)).dump_python(document, mode="json", warnings="error")
    if "schema_version" in plain:
        plain = {"schema_version": plain.pop("schema_version"), **plain}  # readers look at it first
    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def from_json(contract: type[Document], text: str | bytes, name: str) -> Document:
    """The document in ``text``; ``name`` says in errors which file it was."""
    try:
        return pydantic.TypeAdapter(contract).validate_json(text)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the top level"
        raise BadInput(
            f"{name} is not a valid {contract.__name__}: {first['msg']} at {place}",
            "write it again with this version of rocm-perf",
        ) from error


def json_schema(contract: type) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a document."""
    return {"$schema": _DRAFT, **pydantic.TypeAdapter(contract).json_schema()}


def schema_of_all() -> dict[str, Any]:
    """The JSON Schema that every document of ours meets."""
    any_of_them: Any = Union[tuple(DOCUMENTS.values())]  # noqa: UP007 (the members are not written out)
    return {"$schema": _DRAFT, **pydantic.TypeAdapter(any_of_them).json_schema()}


def _unexplained_nulls(value: object, path: str) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        reasons = value.missing if isinstance(value, Section) else None
        for field in dataclasses.fields(value):
            child = getattr(value, field.name)
            if child is None and reasons is not None and field.name not in reasons:
                yield f"{path}.{field.name}"
            yield from _unexplained_nulls(child, f"{path}.{field.name}")
    elif isinstance(value, (tuple, list)):
        for index, child in enumerate(value):
            yield from _unexplained_nulls(child, f"{path}[{index}]")
