"""The value of ``--kernel``; the API reads it."""

from rocm_perf_lab.api.kernel_pattern import kernel_pattern

__all__ = ["kernel_pattern"]
