"""Parameters of tools, made of the options of a command's request that are offered to clients."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import TYPE_CHECKING, Any, TypeVar

from rocm_perf_lab.mcp_server.parameters import annotation_of
from rocm_perf_lab.requests.option import Option, options_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Tool = TypeVar("Tool", bound=Callable[..., Any])


def offered_options(request: type[DataclassInstance]) -> Callable[[Tool], Tool]:
    """Gives a tool, in the place of its ``**options``, the options that the request offers.

    Those that the tool names itself reach it by their names. The SDK makes the schema of the signature.
    """

    def decorate(tool: Tool) -> Tool:
        signature = inspect.signature(tool, eval_str=True)
        offered = {name: _parameter(option) for name, option in options_of(request).items() if option.offered}
        own = [
            one
            for one in signature.parameters.values()
            if one.name not in offered and one.kind is not Parameter.VAR_KEYWORD
        ]
        vars(tool)["__signature__"] = signature.replace(parameters=[*own, *offered.values()])
        return tool

    return decorate


def words_of(request: type[DataclassInstance], options: Mapping[str, object]) -> list[str]:
    """What stands for the options on the command line."""
    known = options_of(request)
    return [word for name, value in options.items() for word in known[name].words_for(value)]


def _parameter(option: Option) -> Parameter:
    assert option.offered is not None
    default = option.default if option.offered.default is None else option.offered.default
    if isinstance(default, tuple):
        default = list(default)
    return Parameter(option.name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation_of(option))
