"""What an export or import of a capture did, for a terminal."""

from __future__ import annotations

import shlex

from rocm_perf_lab.contracts.captures.bundle import ExportDocument, ImportDocument
from rocm_perf_lab.reporting.terminal.capture import LABEL, WIDTH, labelled, text
from rocm_perf_lab.reporting.words.figures import byte_size
from rocm_perf_lab.reporting.words.kernel_names import short_name


def exported(document: ExportDocument, width: int = WIDTH) -> str:
    lines = [
        *labelled("written", f"{document.file} ({byte_size(document.bytes)}, {document.files} files)", width),
        f"{'SHA-256':<{LABEL}}{document.sha256}",
        *labelled("left out", "; ".join(document.left_out), width),
    ]
    for warning in document.warnings:
        lines += labelled("warning", warning, width)
    lines.append(f"{'next':<{LABEL}}rocm-perf replay import {shlex.quote(document.file)}")
    return text(lines, width)


def imported(document: ImportDocument, width: int = WIDTH) -> str:
    size = f"{byte_size(document.bytes)}, {document.files} files; every hash is right"
    return text(
        [
            f"{'kernel':<{LABEL}}{short_name(document.kernel, width - LABEL)}",
            *labelled("written", f"{document.folder} ({size})", width),
            f"{'next':<{LABEL}}rocm-perf replay inspect {shlex.quote(document.folder)}",
        ],
        width,
    )
