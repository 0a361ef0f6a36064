"""``rocm-perf.toml``: defaults of options, for a project and for a user.

    [profile]
    runs = 5

    [replay.full-vm]
    iterations = 20

The project's file is the nearest one from the working folder upwards; what it does not say, the user's file
says. What stands on the command line or in the environment (``ROCM_PERF_PROFILE_RUNS``) comes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from rocm_perf_lab.errors import BadInput

NAME = "rocm-perf.toml"
CHOSEN = "ROCM_PERF_CONFIG"
"""Names the one file to be read; empty: none."""
# What a file that came with a project must not decide: where results go, what is written or run unasked.
NOT_FROM_A_FILE = frozenset({"json", "quiet", "yes", "revert", "trust", "help"})


def default_map(group: click.Group, environment: Mapping[str, str], folder: Path) -> dict[str, Any]:
    """The defaults that the files give, as click takes them."""
    merged: dict[str, Any] = {}
    for path in settings_files(environment, folder):
        _merge(merged, _checked(_read(path), group, click.Context(group), path, ()))
    return merged


def settings_files(environment: Mapping[str, str], folder: Path) -> list[Path]:
    """Those that count; a later one overrules."""
    chosen = environment.get(CHOSEN)
    if chosen is not None:
        return [Path(chosen)] if chosen else []
    home = environment.get("HOME", "")
    users = Path(environment.get("XDG_CONFIG_HOME") or Path(home) / ".config") / "rocm-perf" / NAME
    found = [users] if users.is_absolute() and users.is_file() else []
    nearest = next((place / NAME for place in (folder, *folder.parents) if (place / NAME).is_file()), None)
    return found if nearest is None else [*found, nearest]


def _read(path: Path) -> dict[str, Any]:
    import tomli

    try:
        return tomli.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}", f"{CHOSEN} names another file") from None
    except (UnicodeDecodeError, tomli.TOMLDecodeError) as problem:
        raise BadInput(f"{path} is not TOML: {problem}", f"mend it, or set {CHOSEN} to nothing") from None


def _checked(
    table: Mapping[str, Any], group: click.Group, context: click.Context, path: Path, above: tuple[str, ...]
) -> dict[str, Any]:
    """A table of commands, with the options' names as click has them."""
    result: dict[str, Any] = {}
    for name, below in table.items():
        command = group.get_command(context, name)
        words = " ".join((*above, name))
        if command is None or not isinstance(below, Mapping):
            raise BadInput(
                f"{path}: {words!r} is not a table of a command",
                f"for example [{'.'.join((*above, group.list_commands(context)[0]))}], and options in it",
            )
        if isinstance(command, click.Group):
            result[name] = _checked(below, command, click.Context(command), path, (*above, name))
        else:
            result[name] = _options(below, command, path, words)
    return result


def _options(table: Mapping[str, Any], command: click.Command, path: Path, words: str) -> dict[str, Any]:
    known = {
        opt.removeprefix("--"): option
        for option in command.params
        if isinstance(option, click.Option) and not option.hidden
        for opt in option.opts
        if opt.startswith("--") and opt.removeprefix("--") not in NOT_FROM_A_FILE
    }
    result = {}
    for name, value in table.items():
        option = known.get(name)
        if option is None:
            why = "is for the command line only" if name in NOT_FROM_A_FILE else "is not known"
            raise BadInput(f"{path}: [{words}] {name} {why}", f"one of: {', '.join(sorted(known))}")
        assert option.name is not None
        result[option.name] = _of_the_option(option, value, f"{path}: [{words}] {name}")
    return result


def _of_the_option(option: click.Option, value: Any, where: str) -> Any:
    """The value, if the option takes it."""
    if option.multiple != isinstance(value, list):
        kind = "a list" if option.multiple else "one value"
        raise BadInput(f"{where} takes {kind}", f"rocm-perf … --help says what --{option.name} is")
    if option.is_flag:
        if not isinstance(value, bool):
            raise BadInput(f"{where} is true or false", "write one of them")
        return value
    texts = [str(one) for one in value] if option.multiple else [str(value)]
    try:
        for text in texts:
            option.type.convert(text, option, None)
    except click.BadParameter as problem:
        raise BadInput(f"{where}: {problem.message}", "write another value") from None
    return texts if option.multiple else texts[0]


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for name, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(name), dict):
            _merge(into[name], value)
        else:
            into[name] = value
