"""verification.json: what ``rocm-perf verify`` found when it ran the evidence of an accepted change again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.changes.change_bundle import BundleEnvironment
from rocm_perf_lab.contracts.changes.proposal import Proposal
from rocm_perf_lab.contracts.section import STRICT, Section

ClaimResult = Literal["confirmed", "differs", "not re-run"]


@dataclass(frozen=True, kw_only=True)
class VerifiedClaim:
    __pydantic_config__ = STRICT

    claim: str
    result: ClaimResult
    recorded: str
    """What the bundle says."""
    found: str
    """What is found here; or why it could not be run again."""


@dataclass(frozen=True, kw_only=True)
class VerificationDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    bundle: str
    sha256: str
    """Of the whole file."""
    source: str
    kernel: str
    proposal: Proposal
    verdict: ClaimResult
    """confirmed: every claim; differs: at least one; not re-run: none differs, and not all could be run."""
    claims: tuple[VerifiedClaim, ...]
    recorded_in: BundleEnvironment
    verified_in: BundleEnvironment
