"""Databases of the examples as text: the schema once, and the rows of each.

The text of a database (SQLite's dump) is the same whatever version of SQLite wrote the file. The guid, a hash
of the contents, stands in every table's name; here it reads GUID.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.hip"))
FOLDER = Path(__file__).parent / "golden"
SCHEMA = FOLDER / "schema.sql"
OPTIONS = ("--kernel-trace", "--memory-copy-trace", "--hip-runtime-trace", "-f", "rocpd", "-o", "x")
# Set to write the texts anew, after a change of the model or of the format that is meant.
REGENERATE = "ROCM_PERF_UPDATE_GOLDEN"
_GUID = re.compile(r"[0-9a-f]{8}([-_])[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}")


def texts(database: Path) -> tuple[str, str]:
    """The schema and the rows of a database."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    schema, rows = [], []
    for statement in connection.iterdump():
        text = _GUID.sub("GUID", statement)
        (rows if text.startswith("INSERT") else schema).append(text + "\n")
    connection.close()
    return "".join(schema), "".join(rows)


def restored(example: str) -> sqlite3.Connection:
    """The golden database of an example, in memory."""
    connection = sqlite3.connect(":memory:")
    schema = SCHEMA.read_text(encoding="utf-8").replace("COMMIT;\n", "")
    rows = (FOLDER / f"{example}.sql").read_text(encoding="utf-8")
    connection.executescript(f"{schema}{rows}COMMIT;")
    return connection
