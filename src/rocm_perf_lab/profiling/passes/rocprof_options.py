"""Every option of rocprofv3 that the product passes; docs/guide/hardware.md says since when each exists."""

from __future__ import annotations

KERNEL_TRACE = "--kernel-trace"
MEMORY_COPY_TRACE = "--memory-copy-trace"
HIP_RUNTIME_TRACE = "--hip-runtime-trace"
COUNTERS = "--pmc"
THREAD_TRACE = "--att"
THREAD_TRACE_UNIT = "--att-target-cu"
KERNEL_INCLUDE = "--kernel-include-regex"
KERNEL_ITERATIONS = "--kernel-iteration-range"
OUTPUT_FORMAT = "--output-format"
OUTPUT_FOLDER = "--output-directory"
LIST_COUNTERS = "--list-avail"
VERSION = "--version"
