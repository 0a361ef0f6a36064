"""Figures of kernels with one evident label each; the first eight are what examples/bottlenecks gave."""

from __future__ import annotations

from rocm_perf_lab.analysis.bottleneck import BottleneckShares
from rocm_perf_lab.contracts.profiling.bottleneck import Label

KNOWN: dict[Label, BottleneckShares] = {
    "memory-bandwidth bound": BottleneckShares(
        memory=0.72, compute=0.03, lanes=1.0, lds=0.0, issue=0.01, occupied=0.59, waiting=0.95, outside=0.41
    ),
    "compute-throughput limited": BottleneckShares(
        memory=0.04, compute=0.72, lanes=1.0, lds=0.0, issue=0.01, occupied=0.43, waiting=0.17, outside=0.13
    ),
    "divergence limited": BottleneckShares(
        memory=0.04, compute=0.69, lanes=0.13, lds=0.0, issue=0.04, occupied=0.43, waiting=0.2, outside=0.15
    ),
    "LDS bound": BottleneckShares(
        memory=0.01, compute=0.03, lanes=1.0, lds=0.91, issue=0.01, occupied=0.42, waiting=0.97, outside=0.16
    ),
    "instruction-issue bound": BottleneckShares(
        memory=0.0, compute=0.0, lanes=0.67, lds=0.0, issue=0.7, occupied=0.43, waiting=0.18, outside=0.14
    ),
    "latency bound": BottleneckShares(
        memory=0.08, compute=0.03, lanes=1.0, lds=0.0, issue=0.01, occupied=0.5, waiting=0.97, outside=0.34
    ),
    "under-occupied": BottleneckShares(
        memory=0.02, compute=0.15, lanes=1.0, lds=0.0, issue=0.01, occupied=0.05, waiting=0.47, outside=0.25
    ),
    "launch bound": BottleneckShares(
        memory=0.0, compute=0.0, lanes=0.02, lds=0.0, issue=0.0, occupied=0.0, waiting=0.97, outside=0.73
    ),
    "unknown": BottleneckShares(
        memory=0.2, compute=0.2, lanes=1.0, lds=0.1, issue=0.1, occupied=0.8, waiting=0.05, outside=0.1
    ),
}
