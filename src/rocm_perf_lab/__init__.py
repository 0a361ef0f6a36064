"""rocm-perf-lab: measure, explain and improve HIP programs for AMD GPUs."""

__version__ = "0.1.0"
