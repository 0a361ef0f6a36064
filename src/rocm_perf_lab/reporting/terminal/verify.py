"""A verification for the terminal: every claim, what was recorded, and what was found."""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.contracts.changes.verification import VerificationDocument
from rocm_perf_lab.reporting.terminal.lines import as_text, labelled

VERDICTS = {
    "confirmed": "every claim is confirmed",
    "differs": "not all claims hold here",
    "not re-run": "nothing differs, and not all claims could be run again",
}
_COLUMN = 14


def render(document: VerificationDocument) -> str:
    return as_text(_lines(document))


def _lines(document: VerificationDocument) -> Iterator[str]:
    yield f"{document.bundle}: {VERDICTS[document.verdict]}"
    yield f"{document.proposal} of {document.proposal.kernel}, {document.source}"
    yield ""
    for claim in document.claims:
        yield from labelled(claim.result, f"{claim.claim}: {claim.found}", _COLUMN)
        if claim.result == "differs":
            yield from labelled("", f"recorded: {claim.recorded}", _COLUMN)
    yield ""
    before, after = document.recorded_in, document.verified_in
    differing = [
        f"{name} {before.tools[name]} -> {after.tools[name]}"
        for name in sorted({*before.tools} & {*after.tools})
        if before.tools[name] != after.tools[name]
    ]
    if before.gpu != after.gpu and after.gpu is not None:
        differing.append(f"GPU {before.gpu} -> {after.gpu}")
    if differing:
        yield from labelled("other here", ", ".join(differing), _COLUMN)
    yield f"{'SHA-256':<{_COLUMN}}{document.sha256}"
