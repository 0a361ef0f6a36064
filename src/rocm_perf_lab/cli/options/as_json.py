"""``--json``: a document on stdout, and nothing else."""

from __future__ import annotations

import click

from rocm_perf_lab.cli.options.of_request import Decorator


def as_json(words: str) -> Decorator:
    return click.option("--json", "as_json", is_flag=True, help=words)


ONE_DOCUMENT = as_json("Print one JSON document, and nothing else, on stdout.")
PROFILE_JSON = as_json("Print profile.json, and nothing else, on stdout.")
THE_RESULT = as_json("Print the result as JSON, and nothing else.")
