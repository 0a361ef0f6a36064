"""Input files: jobs in JSON or YAML, or lines of counters."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from .errors import RequestRefused


def read_jobs(path: Path, parser: argparse.ArgumentParser) -> tuple[list[dict[str, Any]], str]:
    """The values of every job by option name, and how their output folders begin (``pass_``, ``pmc_``)."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as problem:
        raise RequestRefused(f"-i {path}: {problem}") from None
    if path.suffix == ".txt":
        return _counter_lines(path, text), "pmc_"
    if path.suffix == ".json":
        document = _json(path, text)
    elif path.suffix in (".yaml", ".yml"):
        document = _yaml(path, text)
    else:
        raise RequestRefused(f"-i {path}: a name that ends in .json, .yaml, .yml or .txt is expected")
    return _jobs(path, document, parser), "pass_"


def _counter_lines(path: Path, text: str) -> list[dict[str, Any]]:
    jobs = []
    for number, line in enumerate(text.splitlines(), 1):
        content = line.split("#", 1)[0].strip()
        if not content:
            continue
        key, colon, names = content.partition(":")
        if not colon or key.strip() != "pmc":
            raise RequestRefused(f"-i {path}: line {number} is not 'pmc: COUNTER ...'")
        if not names.split():
            raise RequestRefused(f"-i {path}: line {number} names no counter")
        jobs.append({"pmc": names.split()})
    if not jobs:
        raise RequestRefused(f"-i {path}: no 'pmc:' line")
    return jobs


def _json(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        raise RequestRefused(f"-i {path}: not JSON: {problem}") from None


def _yaml(path: Path, text: str) -> Any:
    try:
        import yaml  # type: ignore[import-untyped]
    except ImportError:
        raise RequestRefused(f"-i {path}: YAML needs the pyyaml package; JSON does not") from None
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as problem:
        raise RequestRefused(f"-i {path}: not YAML: {' '.join(str(problem).split())}") from None


def _jobs(path: Path, document: Any, parser: argparse.ArgumentParser) -> list[dict[str, Any]]:
    jobs = document.get("jobs") if isinstance(document, dict) else None
    if not isinstance(jobs, list) or not jobs:
        raise RequestRefused(f"-i {path}: a list named 'jobs' is expected at the top")
    actions = {action.dest: action for action in parser._actions}
    return [_job(f"-i {path}: job {number}", job, actions) for number, job in enumerate(jobs, 1)]


def _job(where: str, job: Any, actions: dict[str, argparse.Action]) -> dict[str, Any]:
    if not isinstance(job, dict):
        raise RequestRefused(f"{where} is not a set of options")
    values: dict[str, Any] = {}
    for key, value in job.items():
        name = str(key).replace("-", "_")
        if name == "att":
            name = "advanced_thread_trace"
        if name in ("pmc", "pmc_groups"):
            values[name] = _counters(where, name, value)
        elif name == "sub_directory":
            continue  # rocprofv3 numbers the folders itself
        elif name not in actions or name in ("input", "version", "help"):
            raise RequestRefused(f"{where}: '{key}' is not an option")
        else:
            values[name] = _value(where, str(key), value, actions[name])
    return values


def _counters(where: str, name: str, value: Any) -> Any:
    def plain(items: Any) -> bool:
        return isinstance(items, list) and all(isinstance(item, str) for item in items)

    if name == "pmc_groups":
        if not isinstance(value, list) or not value or not all(plain(item) for item in value):
            raise RequestRefused(f"{where}: 'pmc_groups' is not a list of lists of counters")
        return value
    if isinstance(value, str):
        return [value]
    if not plain(value):
        raise RequestRefused(f"{where}: 'pmc' is not a list of counters")
    return value


def _value(where: str, key: str, value: Any, action: argparse.Action) -> Any:
    """The value as the command line would have given it."""
    if value is None:
        return None
    if action.const is True:  # a flag
        if not isinstance(value, bool):
            raise RequestRefused(f"{where}: '{key}' is {value!r}, not true or false")
        return value
    several = action.nargs in ("+", "*")
    items = value if isinstance(value, list) else [value]
    if not several and action.nargs != 1 and isinstance(value, list):
        raise RequestRefused(f"{where}: '{key}' is a list, one value is expected")
    for item in items:
        if isinstance(item, (dict, list)):
            raise RequestRefused(f"{where}: '{key}' has a value of the wrong kind")
        if action.choices is not None and item not in action.choices:
            raise RequestRefused(
                f"{where}: '{key}' is {item!r}; known are {', '.join(map(str, action.choices))}"
            )
        if action.type is int and not isinstance(item, int):
            raise RequestRefused(f"{where}: '{key}' is {item!r}, not a number")
    return list(items) if several or action.nargs == 1 else items[0]
