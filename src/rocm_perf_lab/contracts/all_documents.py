"""Every document that there is, by its name."""

from __future__ import annotations

from typing import Any, Union

from rocm_perf_lab.contracts.captures.bundle import BundleDocument, ExportDocument, ImportDocument
from rocm_perf_lab.contracts.captures.capture import DispatchDocument, ManifestDocument, MemoryRegionsDocument
from rocm_perf_lab.contracts.captures.inspection import CaptureDocument, InspectionDocument
from rocm_perf_lab.contracts.captures.replay import ReplayDocument, ReserveCheckDocument
from rocm_perf_lab.contracts.captures.replay_profile import ReplayProfileDocument
from rocm_perf_lab.contracts.captures.suite import SuiteDocument
from rocm_perf_lab.contracts.captures.validation import (
    BuildDocument,
    MinimisationDocument,
    ValidationDocument,
)
from rocm_perf_lab.contracts.changes.autotune import RecordedSearchDocument, TuningDocument
from rocm_perf_lab.contracts.changes.change_bundle import ChangeBundleDocument
from rocm_perf_lab.contracts.changes.optimization import OptimizationDocument, ReversionDocument
from rocm_perf_lab.contracts.changes.proposal_prompt import PromptDocument
from rocm_perf_lab.contracts.changes.verification import VerificationDocument
from rocm_perf_lab.contracts.check import CheckDocument
from rocm_perf_lab.contracts.documents import json_schema
from rocm_perf_lab.contracts.failure import FailureDocument
from rocm_perf_lab.contracts.profiling.analyses import AnalysesDocument
from rocm_perf_lab.contracts.profiling.analysis import AnalysisDocument
from rocm_perf_lab.contracts.profiling.att import AttDocument
from rocm_perf_lab.contracts.profiling.calibration import CalibrationDocument
from rocm_perf_lab.contracts.profiling.comparison import ComparisonDocument
from rocm_perf_lab.contracts.profiling.dag import DagDocument, WhatIfDocument
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.contracts.profiling.roofline_document import RooflineDocument

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


def schema_of_all() -> dict[str, Any]:
    """The JSON Schema that every document of ours meets."""
    any_of_them: Any = Union[tuple(DOCUMENTS.values())]  # noqa: UP007 (the members are not written out)
    return json_schema(any_of_them)
