"""GPU architectures as data: limits, peaks and counters, each with its source."""
