"""JSON inside a script element: nothing in it can end the element, open a comment or break a script."""

from __future__ import annotations

import json
from typing import Any

# In JSON these letters occur inside strings only, where an escape means the same letter.
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "'": "\\u0027"}


def embedded_json(value: Any) -> str:
    """ASCII without markup: U+2028 and U+2029, which end a line of a script, are escaped, too."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for letter, escape in _ESCAPES.items():
        text = text.replace(letter, escape)
    return text
