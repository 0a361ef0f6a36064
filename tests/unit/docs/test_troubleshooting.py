"""Every message that docs/guide/troubleshooting.md is keyed by is one of the sources, with its exit code."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

from tests.table_rows import rows

from rocm_perf_lab import errors

ROOT = Path(__file__).parents[3]
ANY = "…"
EXIT_CODES = {
    name: value.exit_code
    for name, value in vars(errors).items()
    if isinstance(value, type) and issubclass(value, errors.RocmPerfError)
}
# Of a failure of rocm-perf-replay: replaying/native_tool/run_tool.py.
NATIVE_EXIT_CODES = {
    "NoDevice": 9,
    "KernelFault": 4,
    "TimedOut": 7,
    "BadInput": 6,
    "Relocated": 9,
    "Refused": 9,
}
ROW = re.compile(r"^\| `([^`]+)` \| (\d*) ?\| .* \|$", re.MULTILINE)


@functools.cache
def messages() -> list[tuple[str, str]]:
    return ROW.findall((ROOT / "docs" / "guide" / "troubleshooting.md").read_text())


def template(node: ast.expr) -> str | None:
    """A string or formatted string of the source, with … for what is put in; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(template(part) or ANY for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return (template(node.left) or ANY) + (template(node.right) or ANY)
    return None


@functools.cache
def python_messages() -> list[tuple[str, int | None]]:
    """Strings of the sources; those that are raised as an error with its exit code."""
    found: list[tuple[str, int | None]] = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                text = template(node.args[0])
                if text and node.func.id in EXIT_CODES:
                    found.append((text, EXIT_CODES[node.func.id]))
            if isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp)):
                text = template(node)
                if text:
                    found.append((text, None))
    return found


@functools.cache
def native_messages() -> list[tuple[str, int | None]]:
    """Failures of the native replay tool and reports of the virtual GPU, with … between their strings."""
    found: list[tuple[str, int | None]] = []
    reports = ROOT / "native" / "sim" / "wave" / "fault_report.cpp"
    for path in [*sorted((ROOT / "native" / "replay").rglob("*.cpp")), reports]:
        text = path.read_text()
        for code, words in re.findall(r"Failure\{ExitCode::(\w+), \"[^\"]*\",(.*?)\};", text, re.DOTALL):
            found.append((ANY.join(re.findall(r'"([^"]*)"', words)), NATIVE_EXIT_CODES.get(code)))
        found += [(words, None) for words in re.findall(r'"([^"]*)"', text)]
    return found


def test_there_are_rows() -> None:
    assert len(messages()) > 45
    assert len({message for message, _ in messages()}) == len(messages())


@rows("message, code", messages)
def test_message_is_in_the_sources(message: str, code: str) -> None:
    parts = message.split(ANY)
    rare = max(parts, key=len)
    looks_like = re.compile(".*".join(map(re.escape, parts)), re.DOTALL)
    known = [
        (text, number)
        for text, number in (*python_messages(), *native_messages())
        if rare in text and looks_like.search(text)
    ]
    assert known, message
    codes = {number for _, number in known if number is not None}
    if code and codes:
        assert int(code) in codes
