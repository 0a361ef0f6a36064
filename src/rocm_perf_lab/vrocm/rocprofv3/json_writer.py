from pathlib import Path
from .counters import Catalogue
from .options import Options
from .trace import Trace


def write_json(trace: Trace, catalogue: Catalogue, options: Options, path: Path) -> None: ...
