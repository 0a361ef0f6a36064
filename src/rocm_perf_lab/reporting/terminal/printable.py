"""Foreign text for a terminal or a text file: what would move the cursor or hide letters becomes visible."""

from __future__ import annotations

import unicodedata

# Controls, formats (some turn the direction of writing), surrogates, ends of lines and paragraphs.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def printable(text: str) -> str:
    return "".join(
        letter if unicodedata.category(letter) not in _HIDDEN else f"\\u{{{ord(letter):x}}}"
        for letter in text
    )
