"""An option of a command: declared once, as a field of the command's request.

    runs: int = count(3, "Timing passes.", least=1, offered=Offered("Timing passes: …", most=1000))

Three things are made of it: the option of the command line (``cli.options.of_request``), the keyword of the
Python API (``api.arguments.keywords``) and, where it is offered, the parameter of a tool of the Model
Context Protocol (``mcp_server.offered_options``). What the option does stands where the field is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Literal, TypeVar

from rocm_perf_lab.requests import values

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Kind = Literal["count", "positive", "number", "percent", "share", "flag", "text", "pattern", "choice", "path"]
Value = TypeVar("Value")
_KEY = "option"  # of a field's metadata


@dataclass(frozen=True)
class Offered:
    """That clients of the Model Context Protocol may give the option, too."""

    words: str | None = None
    """What they read about it; None: the words about the tool say it."""
    most: int | None = None
    default: object = None
    """Where it is another one than the option's."""


@dataclass(frozen=True, kw_only=True)
class Option:
    name: str
    """Of the field, of the keyword and of the parameter."""
    kind: Kind
    default: object
    words: str | None
    called: str | None = None
    """On the command line, where it has another name there."""
    shown: bool = True
    """Whether ``--help`` shows the default."""
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    metavar: str | None = None
    repeated: bool = False
    """May be given any number of times; the value is a tuple."""
    takes_away: bool = False
    """``--no-NAME`` makes the field false."""
    offered: Offered | None = None

    @property
    def on_the_command_line(self) -> str:
        return "--" + ("no-" if self.takes_away else "") + (self.called or self.name).replace("_", "-")

    @property
    def required(self) -> bool:
        return self.default is MISSING

    def words_for(self, value: object) -> list[str]:
        """What stands for the value on a command line: one word each, so that none is taken for an option."""
        if self.kind == "flag":
            return [] if value == self.default else [self.on_the_command_line]
        if self.kind == "percent" and isinstance(value, float):
            value = f"{value * 100:.6f}"
        every = value if self.repeated and isinstance(value, Sequence) else [value]
        return [f"{self.on_the_command_line}={one}" for one in every if one is not None]

    def check(self, value: object) -> None:
        """Raises where the value is out of the option's range."""
        if self.kind == "count" and isinstance(value, int):
            values.at_least(int(self.least or 0), **{self.name: value})
        elif self.kind == "positive" and isinstance(value, (int, float)):
            values.positive(**{self.name: value})
        elif self.kind == "share" and isinstance(value, (int, float)):
            values.share_below_one(**{self.name: value})
        elif self.kind == "pattern" and isinstance(value, str):
            values.kernel_pattern(value)


def options_of(request: type[DataclassInstance]) -> dict[str, Option]:
    """The options of a request by their names; its other fields are not for the command line."""
    return {
        one.name: Option(name=one.name, default=one.default, **one.metadata[_KEY])
        for one in fields(request)
        if _KEY in one.metadata
    }


def check_options(request: DataclassInstance) -> None:
    """Raises where a value is out of its option's range; each by itself."""
    for name, option in options_of(type(request)).items():
        option.check(getattr(request, name))


def count(default: Value, words: str, *, least: int, offered: Offered | None = None) -> Value:
    return _option(default, "count", words, least=least, offered=offered)


def positive(default: Value, words: str, *, offered: Offered | None = None) -> Value:
    """A number above 0."""
    return _option(default, "positive", words, offered=offered)


def number(
    default: Value,
    words: str,
    *,
    least: float | None = None,
    most: float | None = None,
    offered: Offered | None = None,
) -> Value:
    """The command line alone looks at the range."""
    return _option(default, "number", words, least=least, most=most, offered=offered)


def percent(default: Value, words: str, *, offered: Offered | None = None) -> Value:
    """0.05, which is ``5%`` on the command line."""
    return _option(default, "percent", words, metavar="PERCENT", offered=offered)


def share(default: Value, words: str) -> Value:
    """From 0 to less than 1."""
    return _option(default, "share", words)


def flag(words: str, *, offered: Offered | None = None) -> bool:
    return _option(False, "flag", words, offered=offered)


def no_flag(words: str) -> bool:
    """True unless ``--no-NAME`` is given."""
    return _option(True, "flag", words, takes_away=True)


def text(default: Value, words: str, *, metavar: str | None = None, offered: Offered | None = None) -> Value:
    return _option(default, "text", words, metavar=metavar, offered=offered)


def texts(default: Value, words: str, *, metavar: str, offered: Offered | None = None) -> Value:
    return _option(default, "text", words, metavar=metavar, repeated=True, offered=offered)


def pattern(default: Value, words: str, *, offered: Offered | None = None) -> Value:
    """A regular expression over names of kernels."""
    return _option(default, "pattern", words, metavar="REGEX", offered=offered)


def choice(default: Value, choices: Sequence[str], words: str | None, *, shown: bool = True) -> Value:
    return _option(default, "choice", words, choices=tuple(choices), shown=shown)


def choices_among(
    default: Value, choices: Sequence[str], words: str, *, offered: Offered | None = None
) -> Value:
    """Any number of them."""
    return _option(default, "choice", words, choices=tuple(choices), repeated=True, offered=offered)


def path(default: Value, words: str, *, called: str | None = None, offered: Offered | None = None) -> Value:
    return _option(default, "path", words, called=called, offered=offered)


def paths(default: Value, words: str, *, metavar: str | None = None) -> Value:
    return _option(default, "path", words, metavar=metavar, repeated=True)


def trust_option() -> bool:
    return flag("Run what was not made here without asking, also later.")


def _option(default: Value, kind: Kind, words: str | None, **more: object) -> Value:
    return field(default=default, metadata=as_option(kind, words, **more))


def as_option(kind: Kind, words: str | None, **more: object) -> Mapping[str, object]:
    """Metadata of a field; alone for options that have no default: ``field(metadata=as_option(…))``."""
    return {_KEY: {"kind": kind, "words": words, **more}}
