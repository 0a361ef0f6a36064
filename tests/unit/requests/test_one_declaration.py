"""A field of a request is an option of the command line, a keyword and a parameter of a tool, all alike."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.cli.options.of_request import request_options
from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.requests.option import (
    Offered,
    as_option,
    check_options,
    choice,
    choices_among,
    count,
    flag,
    no_flag,
    number,
    options_of,
    path,
    paths,
    pattern,
    percent,
    positive,
    share,
    text,
    texts,
)

KINDS = ("few", "many")


@dataclass(frozen=True)
class MadeRequest:
    program: str
    _: KW_ONLY
    source: Path = field(metadata=as_option("path", "Has to be given."))
    times: int = count(3, "How often.", least=1, offered=Offered("How often, at most.", most=9))
    limit: float | None = positive(None, "In seconds.", offered=Offered())
    chance: float = share(0.5, "Of all.")
    slower: float = percent(0.05, "At most.", offered=Offered("A share."))
    error: float | None = number(None, "Of a figure.", least=1)
    deep: bool = flag("Looks deeper.", offered=Offered())
    traced: bool = no_flag("Without a trace.")
    name: str | None = text(None, "Of it.", metavar="NAME")
    also: Sequence[str] = texts((), "More names.", metavar="NAME")
    kernel: str | None = pattern(None, "That match.")
    kind: str = choice("few", KINDS, "Of work.")
    kinds: Sequence[str] = choices_among((), KINDS, "Of more.", offered=Offered("Kinds."))
    imported: Path | None = path(None, "Read before.", called="import")
    files: Sequence[Path] = paths((), "Compared.")
    told: object = None

    def __post_init__(self) -> None:
        check_options(self)


VALUES: dict[str, Any] = {
    "source": Path("s"),
    "times": 4,
    "limit": 1.5,
    "chance": 0.25,
    "slower": 0.125,
    "error": 2.0,
    "deep": True,
    "traced": False,
    "name": "--a b",
    "also": ("a", "b"),
    "kernel": "^k",
    "kind": "many",
    "kinds": ("many", "few"),
    "imported": Path("i"),
    "files": (Path("f"), Path("g")),
}


def made() -> click.Command:
    @click.command()
    @request_options(MadeRequest, "deep", click.option("--own", is_flag=True), ..., "times")
    def command(own: bool, **options: Any) -> MadeRequest:
        return MadeRequest("p", **options)

    return command


def on_the_command_line(*words: str) -> MadeRequest:
    request = made().main(list(words), standalone_mode=False)
    assert isinstance(request, MadeRequest)
    return request


def test_what_is_not_given_has_one_default() -> None:
    assert on_the_command_line("--source=s") == MadeRequest("p", source=Path("s"))


def test_values_are_the_same_wherever_they_come_from() -> None:
    assert set(VALUES) == set(options_of(MadeRequest))
    words = [
        word for name, option in options_of(MadeRequest).items() for word in option.words_for(VALUES[name])
    ]
    assert "--no-traced" in words
    assert "--import=i" in words
    assert "--slower=12.500000" in words
    assert on_the_command_line(*words) == MadeRequest("p", **VALUES)


def test_help_has_the_order_that_it_is_given() -> None:
    said = CliRunner().invoke(made(), ["--help"]).output
    names = re.findall(r"^  --([\w-]+)", said, re.MULTILINE)
    assert names[:3] == ["deep", "own", "source"]
    assert names[-2:] == ["times", "help"]
    assert len(names) == len(VALUES) + 2
    assert "[default: 5%]" in said
    assert "[required]" in said


@pytest.mark.parametrize(
    ("given", "cause"),
    [
        ({"times": 0}, "--times 0 is less than 1"),
        ({"limit": 0}, "--limit 0 is not above 0"),
        ({"chance": 1}, "--chance 1 is no share"),
        ({"kernel": "("}, "not a regular expression"),
    ],
)
def test_ranges_hold_for_keywords(given: dict[str, Any], cause: str) -> None:
    with pytest.raises(UsageProblem, match=re.escape(cause)):
        MadeRequest("p", source=Path(), **given)


def test_keywords() -> None:
    @keywords_of(MadeRequest)
    def work(request: MadeRequest) -> int:
        """What it does."""
        return request.times

    assert work("p", source=Path(), times=7) == 7
    assert work.__doc__ == "What it does."
    signature = inspect.signature(work)
    assert signature.return_annotation == "int"
    assert signature.parameters == inspect.signature(MadeRequest).parameters
    assert signature.parameters["source"].default is inspect.Parameter.empty
    with pytest.raises(TypeError, match=r"^work\(\) got an unexpected keyword argument 'tmies'"):
        work("p", source=Path(), tmies=7)  # type: ignore[call-arg]


def test_parameters_of_a_tool() -> None:
    from mcp.server.mcpserver.tools.base import Tool  # here: the SDK takes long to import

    from rocm_perf_lab.mcp_server.offered_options import offered_options, words_of

    @offered_options(MadeRequest)
    async def work(program: str, *, limit: float | None, **options: object) -> list[str]:
        """What it does."""
        return words_of(MadeRequest, {"limit": limit, **options})

    schema = Tool.from_function(work).parameters
    assert list(schema["properties"]) == ["program", "times", "limit", "slower", "deep", "kinds"]
    assert schema["required"] == ["program"]
    times = schema["properties"]["times"]
    assert (times["minimum"], times["maximum"], times["default"]) == (1, 9, 3)
    assert times["description"] == "How often, at most."
    assert schema["properties"]["kinds"]["items"]["enum"] == list(KINDS)
