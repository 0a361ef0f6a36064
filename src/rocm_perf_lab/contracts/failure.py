"""The error object that ``--json`` prints when a command fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.section import STRICT
from rocm_perf_lab.errors import RocmPerfError


@dataclass(frozen=True, kw_only=True)
class Failure:
    __pydantic_config__ = STRICT

    kind: str
    """A stable word: usage, environment, program-failed, no-kernels, bad-input, timeout,
    not-replayable, not-trusted, interrupted, internal."""
    exit_code: int
    cause: str
    remedy: str | None
    collected: str | None
    """The folder that keeps what was collected before the failure."""


@dataclass(frozen=True, kw_only=True)
class FailureDocument:
    __pydantic_config__ = STRICT

    schema_version: Literal["1.0"] = "1.0"
    error: Failure


def failure_document(error: RocmPerfError) -> FailureDocument:
    return FailureDocument(
        error=Failure(
            kind=error.kind,
            exit_code=error.exit_code,
            cause=error.cause,
            remedy=error.remedy,
            collected=error.collected,
        )
    )
