"""The public names of the package: documented, typed, lazy, and the same words as on the command line."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from tests.table_rows import rows

import rocm_perf_lab as rpl
from rocm_perf_lab import errors
from rocm_perf_lab.cli.main import rocm_perf

DOCS = Path(__file__).parents[3] / "docs"
NAMES = [name for name in rpl.__all__ if name != "__version__"]
# Function -> (module of its command, name of the command in it).
COMMANDS = {
    "profile": ("profile", "command"),
    "analyze": ("analyze", "command"),
    "whatif": ("whatif", "command"),
    "compare": ("compare", "command"),
    "capture": ("capture", "command"),
    "check": ("check", "command"),
    "replay": ("replay.full_vm", "full_vm_command"),
    "validate": ("replay.validate", "validate_command"),
    "inspect": ("replay.inspect", "inspect_command"),
    "report": ("report", "command"),
    "optimize": ("optimize", "command"),
    "autotune": ("autotune", "command"),
    "suite": ("suite", "run_command"),
    "analyze_each": ("analyze", "command"),
    "verify": ("verify", "command"),
    "reserve_check": ("replay.full_vm", "reserve_check_command"),
    "minimise": ("replay.minimise", "minimise_command"),
    "build_variant": ("replay.build", "build_command"),
    "replay_profile": ("replay.profile", "profile_command"),
    "export_capture": ("replay.bundle", "export_command"),
    "import_capture": ("replay.bundle", "import_command"),
    "att": ("att", "command"),
    "roofline": ("roofline", "command"),
    "export": ("export", "command"),
    "prompt": ("prompt", "command"),
    "doctor": ("doctor", "command"),
}
# Not work that a program would call: a server, a script for the shell, schemas, the shell's environment, and
# the demonstration, which is made of the others.
FOR_THE_SHELL = {"mcp", "completion", "schema", "vrocm", "demo"}
# How results are shown is the command line's; so are many traces at a time.
SHOWN = {"--json", "--quiet", "--markdown", "--junit", "--open", "--format", "--top", "--capture-dir"}
MANY = {"--each", "--executor", "--workers", "--scheduler", "--deadline"}
# Of functions of their own, given by position, or a word that Python has for itself.
ELSEWHERE = {"--revert", "--recorded", "--seeds", "--space", "--import", "--imported"}
# What only functions take: who is told of progress, and where programs print that share our streams.
OURS = {"--progress", "--output-to-stderr", "--ask", "--tell"}


@rows("name", NAMES)
def test_documented(name: str) -> None:
    text = (DOCS / "reference" / "api.md").read_text()
    assert f"`{name}`" in text or f"`{name}(" in text
    assert inspect.getdoc(getattr(rpl, name))


@rows("name", lambda: [name for name in NAMES if inspect.isfunction(getattr(rpl, name))])
def test_typed(name: str) -> None:
    signature = inspect.signature(getattr(rpl, name))
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty, parameter


@pytest.mark.parametrize("kind", [rpl.Run, rpl.Kernel])
def test_classes(kind: type) -> None:
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        function = getattr(member, "fget", None) or getattr(member, "func", None) or member
        assert inspect.getdoc(function), name
        assert "return" in function.__annotations__, name


@rows("name", COMMANDS)
def test_keywords_are_options(name: str) -> None:
    module, attribute = COMMANDS[name]
    command = getattr(importlib.import_module(f"rocm_perf_lab.cli.{module}"), attribute)
    options = {
        opt
        for option in command.params
        if isinstance(option, click.Option)
        for opt in option.opts
        if opt.startswith("--")
    }
    function: Callable[..., Any] = getattr(rpl, name)
    keywords = {
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }
    as_options = {
        next((opt for opt in (f"--{word}", f"--no-{word}") if opt in options), f"--{word}")
        for word in (keyword.replace("_", "-") for keyword in keywords)
    }
    apart = OURS | SHOWN | MANY | ELSEWHERE
    assert as_options - apart == options - apart


def leaves(group: click.Group, above: str = "") -> dict[str, click.Command]:
    found: dict[str, click.Command] = {}
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        words = f"{above} {name}".strip()
        found |= leaves(command, words) if isinstance(command, click.Group) else {words: command}
    return found


def test_every_command_has_a_function_and_calls_it() -> None:
    known = {
        getattr(importlib.import_module(f"rocm_perf_lab.cli.{module}"), attribute): name
        for name, (module, attribute) in COMMANDS.items()
    }
    commands = {
        words: one for words, one in leaves(rocm_perf).items() if words.split()[0] not in FOR_THE_SHELL
    }
    assert {words for words, command in commands.items() if command not in known} == set()
    for name, (module, _) in COMMANDS.items():
        source = inspect.getsource(importlib.import_module(f"rocm_perf_lab.cli.{module}"))
        assert re.search(rf"from {getattr(rpl, name).__module__} import [\w, ]*\b{name}\b", source), name


def test_every_error_is_exported() -> None:
    kinds = {name for name, kind in vars(errors).items() if isinstance(kind, type)}
    assert kinds <= set(NAMES)


def test_what_type_checkers_see_is_what_there_is() -> None:
    tree = ast.parse(Path(rpl.__file__).read_text())
    seen = {
        alias.asname: f"{statement.module}"
        for block in tree.body
        if isinstance(block, ast.If)
        for statement in block.body
        if isinstance(statement, ast.ImportFrom) and statement.module != "typing"
        for alias in statement.names
    }
    assert seen == {name: f"rocm_perf_lab.{place}" for name, place in rpl._PLACES.items()}


def imported_by(statement: str) -> set[str]:
    code = f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_imports_nothing_else() -> None:
    ours = {name for name in imported_by("import rocm_perf_lab") if name.startswith("rocm_perf_lab")}
    assert ours == {"rocm_perf_lab"}
    heavy = {"numpy", "pydantic", "rich", "jinja2", "scipy", "mcp"}
    assert not imported_by("import rocm_perf_lab as rpl; rpl.profile, rpl.Run, rpl.RocmPerfError") & heavy


def test_rooms_do_not_take_the_places_of_functions() -> None:
    """A room of such a name would take its place as soon as something in the room is imported."""
    files = Path(rpl.__file__).parent.rglob("*.py")
    rooms = {file.relative_to(Path(rpl.__file__).parent).parts[0].removesuffix(".py") for file in files}
    assert not rooms & set(NAMES)


def test_names_that_are_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        rpl.nothing  # noqa: B018
    assert set(NAMES) <= set(dir(rpl))
