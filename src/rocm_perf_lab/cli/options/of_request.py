"""Options of the command line, made of the options of a command's request."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import EllipsisType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rocm_perf_lab.cli.options.percentage import share_of
from rocm_perf_lab.requests.option import Option, options_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def request_options(
    request: type[DataclassInstance], *order: str | Decorator | EllipsisType
) -> Callable[[Command], Command]:
    """Gives a command all options of a request, under the names of its fields.

    ``order`` is that of the help: names of options, options that only the command line has, and ``...`` where
    the other options of the request come, in the order of the request. Without an order that is all.
    """
    options = options_of(request)
    others = [name for name in options if name not in order]
    placed: list[str | Decorator] = []
    for one in order or (...,):
        placed += others if isinstance(one, EllipsisType) else [one]
    assert all(name in placed for name in options), "an option has no place"

    def decorate(command: Command) -> Command:
        for one in reversed(placed):  # decorators: the one that stands first is applied last
            option = _click_option(options[one]) if isinstance(one, str) else one
            option(command)  # click notes it on the command itself
        return command

    return decorate


def _click_option(option: Option) -> Decorator:
    more: dict[str, Any] = {"help": option.words}
    if option.metavar is not None:
        more["metavar"] = option.metavar
    if option.kind == "flag":
        more["is_flag"] = True
        if option.takes_away:
            more["callback"] = _not
    else:
        more["type"] = _click_type(option)
        if option.required:
            more["required"] = True
        elif option.repeated:
            more["multiple"] = True
        elif isinstance(option.default, float) and option.kind == "percent":
            more |= {"default": f"{option.default * 100:g}%", "show_default": option.shown}
        elif option.default is not None:
            more |= {"default": option.default, "show_default": option.shown}
    if option.kind == "percent":
        more["callback"] = _share
    return click.option(option.on_the_command_line, option.name, **more)


def _click_type(option: Option) -> click.ParamType[Any]:
    if option.kind == "count":
        return click.IntRange(min=None if option.least is None else int(option.least))
    if option.kind == "positive":
        return click.FloatRange(min=0, min_open=True)
    if option.kind == "number":
        limited = option.least is not None or option.most is not None
        return click.FloatRange(option.least, option.most) if limited else click.FLOAT
    if option.kind == "share":
        return click.FloatRange(0, 1, max_open=True)
    if option.kind == "choice":
        return click.Choice(option.choices)
    if option.kind == "path":
        return click.Path(path_type=Path)
    return click.STRING


def _not(context: click.Context, parameter: click.Parameter, given: bool) -> bool:
    """Of an option that takes away."""
    return not given


def _share(context: click.Context, parameter: click.Parameter, given: str | None) -> float | None:
    return None if given is None else share_of(given, parameter.opts[0])
