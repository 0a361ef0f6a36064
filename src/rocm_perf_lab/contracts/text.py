"""The text of a document, made with the standard library alone: what documents.to_json writes, unchecked."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

from rocm_perf_lab.contracts.section import Section


def to_text(document: object) -> str:
    """JSON with the schema's version first. A null without a reason is a mistake of ours."""
    unexplained = list(_unexplained_nulls(document, type(document).__name__))
    if unexplained:
        raise ValueError(f"null without a reason: {', '.join(unexplained)}")
    plain = _plain(document)
    if "schema_version" in plain:
        plain = {"schema_version": plain.pop("schema_version"), **plain}  # readers look at it first
    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, (tuple, list)):
        return [_plain(child) for child in value]
    if isinstance(value, dict):
        return {str(key): _plain(child) for key, child in value.items()}
    return value


def _unexplained_nulls(value: object, path: str) -> Iterator[str]:
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
