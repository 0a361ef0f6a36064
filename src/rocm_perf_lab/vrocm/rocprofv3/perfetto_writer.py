from pathlib import Path
from .trace import Trace


def write_perfetto(trace: Trace, group_by_queue: bool, path: Path) -> None: ...
