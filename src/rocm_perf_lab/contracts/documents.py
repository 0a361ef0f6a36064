"""Documents on disk: checked, read back and described as JSON Schema. Only this file imports pydantic."""

from __future__ import annotations

from typing import Any, TypeVar, Union

import pydantic

from rocm_perf_lab.contracts.analyses import AnalysesDocument
from rocm_perf_lab.contracts.analysis import AnalysisDocument
from rocm_perf_lab.contracts.att import AttDocument
from rocm_perf_lab.contracts.autotune import RecordedSearchDocument, TuningDocument
from rocm_perf_lab.contracts.bundle import BundleDocument, ExportDocument, ImportDocument
from rocm_perf_lab.contracts.calibration import CalibrationDocument
from rocm_perf_lab.contracts.capture import DispatchDocument, ManifestDocument, MemoryRegionsDocument
from rocm_perf_lab.contracts.change_bundle import ChangeBundleDocument
from rocm_perf_lab.contracts.check import CheckDocument
from rocm_perf_lab.contracts.comparison import ComparisonDocument
from rocm_perf_lab.contracts.dag import DagDocument, WhatIfDocument
from rocm_perf_lab.contracts.failure import FailureDocument
from rocm_perf_lab.contracts.inspection import CaptureDocument, InspectionDocument
from rocm_perf_lab.contracts.optimization import OptimizationDocument, ReversionDocument
from rocm_perf_lab.contracts.profile import ProfileDocument
from rocm_perf_lab.contracts.proposal_prompt import PromptDocument
from rocm_perf_lab.contracts.replay import ReplayDocument, ReserveCheckDocument
from rocm_perf_lab.contracts.replay_profile import ReplayProfileDocument
from rocm_perf_lab.contracts.roofline_document import RooflineDocument
from rocm_perf_lab.contracts.suite import SuiteDocument
from rocm_perf_lab.contracts.text import to_text
from rocm_perf_lab.contracts.validation import BuildDocument, MinimisationDocument, ValidationDocument
from rocm_perf_lab.contracts.verification import VerificationDocument
from rocm_perf_lab.errors import BadInput

# Name of a document (and of its file, without .json) -> its contract.
DOCUMENTS: dict[str, type] = {
    "profile": ProfileDocument,
    "roofline": RooflineDocument,
    "dag": DagDocument,
    "analysis": AnalysisDocument,
    "analyses": AnalysesDocument,
    "comparison": ComparisonDocument,
    "check": CheckDocument,
    "whatif": WhatIfDocument,
    "calibration": CalibrationDocument,
    "att": AttDocument,
    "dispatch": DispatchDocument,
    "memory_regions": MemoryRegionsDocument,
    "manifest": ManifestDocument,
    "capture": CaptureDocument,
    "inspection": InspectionDocument,
    "bundle": BundleDocument,
    "export": ExportDocument,
    "import": ImportDocument,
    "reserve_check": ReserveCheckDocument,
    "replay": ReplayDocument,
    "validation": ValidationDocument,
    "minimisation": MinimisationDocument,
    "replay_profile": ReplayProfileDocument,
    "build": BuildDocument,
    "suite": SuiteDocument,
    "recorded-search": RecordedSearchDocument,
    "tuning": TuningDocument,
    "failure": FailureDocument,
    "prompt": PromptDocument,
    "optimization": OptimizationDocument,
    "reversion": ReversionDocument,
    "change_bundle": ChangeBundleDocument,
    "verification": VerificationDocument,
}

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


def schema_of_all() -> dict[str, Any]:
    """The JSON Schema that every document of ours meets."""
    any_of_them: Any = Union[tuple(DOCUMENTS.values())]  # noqa: UP007 (the members are not written out)
    return {"$schema": _DRAFT, **pydantic.TypeAdapter(any_of_them).json_schema()}
