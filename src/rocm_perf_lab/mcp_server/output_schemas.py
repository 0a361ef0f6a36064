"""What the structured content of each tool looks like, as JSON Schema: from the schemas of the documents."""

from __future__ import annotations

from typing import Any

from rocm_perf_lab.contracts.all_documents import DOCUMENTS
from rocm_perf_lab.contracts.documents import json_schema

Schema = dict[str, Any]

# Tool -> the document that it gives back.
_DOCUMENTS = {
    "whatif": "whatif",
    "compare": "comparison",
    "capture": "capture",
    "replay": "replay",
    "validate": "validation",
    "check": "check",
    "optimize": "optimization",
}
# Tool -> the document that it gives back together with the folder of the run.
_WITH_FOLDER = {"profile": "profile", "analyze": "profile", "autotune": "tuning"}


def output_schema(tool: str) -> Schema:
    """Without the words about the fields, which ``rocm-perf schema`` has: clients read all tools at once."""
    if tool in _DOCUMENTS:
        return _plain(_DOCUMENTS[tool])
    if tool in _WITH_FOLDER:
        name = _WITH_FOLDER[tool]
        document = _plain(name)
        definitions = document.pop("$defs", {})
        return _object({"run": {"type": "string"}, name: document}, definitions)
    assert tool == "explain", tool
    analysis = _plain("analysis")
    kernels = analysis["properties"]["kernels"]
    fields = {"run": {"type": "string"}, "origin": analysis["properties"]["origin"]}
    return _object(
        {**fields, "kernels_in_all": {"type": "integer", "minimum": 0}, "kernels": kernels},
        analysis["$defs"],
    )


def _object(fields: dict[str, Schema], definitions: Schema) -> Schema:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
        "$defs": definitions,
    }


def _plain(document: str) -> Schema:
    schema = _without_words(json_schema(DOCUMENTS[document]))
    assert isinstance(schema, dict)
    schema.pop("$schema")
    return schema


def _without_words(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_words(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    # A field can have such a name, too: then what stands there is a schema, no text.
    return {
        name: _without_words(value)
        for name, value in schema.items()
        if not (name in ("title", "description") and isinstance(value, str))
    }
