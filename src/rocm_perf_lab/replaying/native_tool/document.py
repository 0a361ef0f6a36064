"""The parts of the native tool's document that are judged here; it is foreign until it is checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocm_perf_lab.contracts.captures.replay import Addresses, Agreement, Canaries
from rocm_perf_lab.errors import EnvironmentProblem


def section(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = document.get(name)
    if not isinstance(found, dict):
        raise EnvironmentProblem(
            f"rocm-perf-replay gave a document without {name}", "install tool and package of one version"
        )
    return found


def addresses(document: Mapping[str, Any]) -> Addresses:
    told = section(document, "addresses")
    return Addresses(
        regions=int(told["regions"]),
        exact=int(told["exact"]),
        kernarg_exact=bool(told["kernarg_exact"]),
        code_exact=bool(told["code_exact"]),
    )


def all_exact(found: Addresses) -> bool:
    return found.regions == found.exact and found.kernarg_exact


def agreement(document: Mapping[str, Any]) -> tuple[Agreement, ...]:
    return tuple(
        Agreement(
            iteration=int(one["iteration"]),
            differing_pages=int(one["differing_pages"]),
            differing_bytes=int(one["differing_bytes"]),
        )
        for one in document.get("agreement", ())
    )


def canaries(document: Mapping[str, Any]) -> Canaries | None:
    told = document.get("canaries")
    if not isinstance(told, dict):
        return None
    return Canaries(
        checked_bytes=int(told["checked_bytes"]), damaged=tuple(str(one) for one in told["damaged"])
    )


def values_us(document: Mapping[str, Any]) -> tuple[float, ...]:
    return tuple(float(one) for one in section(document, "timing")["values"])


def notes(document: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(one) for one in document.get("notes", ()))
