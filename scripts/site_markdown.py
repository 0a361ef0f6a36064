"""What the site's Markdown has otherwise than GitHub's; mkdocs.yml names it as a hook."""

from __future__ import annotations

import re
from typing import Any


def on_page_markdown(markdown: str, **_: Any) -> str:
    """In the code of a table GitHub wants a bar escaped; here the escape would show."""
    return re.sub(r"^\|.*$", _bars_in_code, markdown, flags=re.MULTILINE)


def _bars_in_code(row: re.Match[str]) -> str:
    return re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), row[0])
