"""Conversions between the units of traces and those of documents."""

NS_PER_MS = 1_000_000


def ms(nanoseconds: float) -> float:
    return nanoseconds / NS_PER_MS
