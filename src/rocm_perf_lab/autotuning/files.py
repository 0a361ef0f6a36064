"""Names of the files in the folder of a tuning."""

from __future__ import annotations

JOURNAL = "trials.jsonl"
DOCUMENT = "tuning.json"
PAGE = "tuning.html"
