"""bundle.json, the first file in an exported capture, and what ``replay export`` and ``import`` say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from rocm_perf_lab.contracts.section import STRICT

BUNDLE_FORMAT: Final = "rocm-perf-capture-bundle"
BUNDLE_VERSION: Final = 1


@dataclass(frozen=True, kw_only=True)
class BundledFile:
    __pydantic_config__ = STRICT

    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class BundleDocument:
    """bundle.json"""

    __pydantic_config__ = STRICT

    format: Literal["rocm-perf-capture-bundle"]
    version: Literal[1]
    kernel: str
    isa: str
    files: dict[str, BundledFile]
    """Every other file of the bundle, in its order."""


@dataclass(frozen=True, kw_only=True)
class ExportDocument:
    """``replay export --json``"""

    __pydantic_config__ = STRICT

    schema_version: Literal["1.0"] = "1.0"
    capture: str
    file: str
    bytes: int
    sha256: str
    """Of the whole file."""
    files: int
    left_out: tuple[str, ...]
    """What of the environment is not in it."""
    warnings: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ImportDocument:
    """``replay import --json``"""

    __pydantic_config__ = STRICT

    schema_version: Literal["1.0"] = "1.0"
    file: str
    folder: str
    kernel: str
    files: int
    bytes: int
