"""Thread traces: the seam. Whoever writes them implements ``request`` and ``write``."""

from __future__ import annotations

from pathlib import Path

from .att_options import AttOptions
from .errors import Refused
from .trace import Trace


def request(options: AttOptions) -> dict[str, str]:
    """Variables for the program by which the runtime learns what to trace."""
    raise Refused("--att: thread traces are not written by this rocprofv3 yet")


def write(trace: Trace, options: AttOptions, log_directory: Path, output: Path) -> None:
    """Writes ``ui_output_agent_*_dispatch_*`` folders and ``stats_*.csv`` below ``output``."""
    raise Refused("--att: thread traces are not written by this rocprofv3 yet")
