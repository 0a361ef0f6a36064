"""How many instructions of each kind a compiled kernel has, counted in its code and not in what runs."""

from __future__ import annotations

import re
from collections import Counter

from vrocm.code_listing import NoDecoder, functions_of, instructions_of

# The first pattern that an instruction's name begins with decides.
_KINDS = (
    ("matrix", re.compile(r"v_mfma|v_smfmac|v_wmma|v_swmmac")),
    ("vector", re.compile(r"v_")),
    ("memory", re.compile(r"global_|flat_|buffer_|tbuffer_")),
    ("scratch", re.compile(r"scratch_")),
    ("lds", re.compile(r"ds_")),
    ("branch", re.compile(r"s_(c?branch|setpc|swappc|call)")),
    ("wait", re.compile(r"s_(waitcnt|barrier|nop|sleep)")),
    ("scalar", re.compile(r"s_")),
)
KINDS = tuple(kind for kind, _ in _KINDS)


def instruction_mix(code_object: bytes, symbol: str) -> dict[str, int] | None:
    """Instructions of a kernel by kind; None where there is no decoder for it. Functions that it calls and
    that were not inlined are not counted."""
    try:
        function = next((one for one in functions_of(code_object) if one.name == symbol), None)
        if function is None:
            return None
        counts = Counter(
            _kind(one.text) for one in instructions_of(code_object, function.begin, function.end)
        )
    except NoDecoder:
        return None
    return {kind: counts[kind] for kind in KINDS}


def _kind(text: str) -> str:
    return next((kind for kind, pattern in _KINDS if pattern.match(text)), "other")
