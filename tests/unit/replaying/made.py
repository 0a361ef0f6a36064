"""The made captures of tests/unit/capturing, for tests in this folder: each is a package of its own."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

_FILE = Path(__file__).parents[1] / "capturing" / "made_captures.py"
_spec = importlib.util.spec_from_file_location("made_captures_for_replay", _FILE)
assert _spec is not None
assert _spec.loader is not None
_module = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = _module
_spec.loader.exec_module(_module)

IN, OUT = _module.IN, _module.OUT
MadeCapture, Region, argument = _module.MadeCapture, _module.Region, _module.argument
write_manifest = _module.write_manifest
