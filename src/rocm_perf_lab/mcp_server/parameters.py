"""Parameters of tools, each with the words that a client's model reads about it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from rocm_perf_lab.requests.offered import KERNELS_THAT_MATCH, NEW_FOLDER, SECONDS_OF_A_RUN
from rocm_perf_lab.requests.option import Option

Program = Annotated[
    str, Field(description="The program: a file in the roots. Commands on PATH are not run, nor is a shell.")
]
Arguments = Annotated[list[str], Field(description="Arguments of the program, word by word.")]
RunPath = Annotated[
    str,
    Field(
        description="A run folder as profile or analyze name it, or saved traces of rocprofv3: database, "
        "CSV, JSON or a folder of them."
    ),
]
Traces = Annotated[list[str], Field(min_length=1, description="Files or folders; each is one execution.")]
Capture = Annotated[str, Field(description="A folder that capture made.")]
Kernel = Annotated[str | None, Field(description=KERNELS_THAT_MATCH.words)]
Timeout = Annotated[float | None, Field(gt=0, description=SECONDS_OF_A_RUN.words)]
NewFolder = Annotated[str | None, Field(description=NEW_FOLDER.words)]
Speedup = Annotated[float | None, Field(gt=0, description="How many times as fast; 2 unless given.")]
Budget = Annotated[
    float,
    Field(gt=0, le=86_400, description="Seconds after which no new trial is begun. What runs is finished."),
]
Trials = Annotated[int, Field(ge=1, le=1000, description="Builds for a kernel until the next has its turn.")]
Changes = Annotated[int, Field(ge=1, le=100, description="Changes that are accepted at most.")]
Evaluations = Annotated[int, Field(ge=1, le=100_000, description="Configurations that are tried at most.")]
Source = Annotated[str, Field(description="The source file in the roots that has the kernels.")]
Space = Annotated[
    str, Field(description="JSON file in the roots: parameters with their values, constraints.")
]
Flags = Annotated[
    list[str],
    Field(description="Of hipcc, with {PARAMETER} where a value goes: -D…, -O… and -std=… are taken."),
]
Top = Annotated[int, Field(ge=1, le=1000, description="How many kernels, by time.")]


def annotation_of(option: Option) -> Any:
    """The type of a parameter that is an option of the command, too."""
    assert option.offered is not None
    numbers = ("positive", "number", "percent", "share")
    types: dict[str, Any] = {"count": int, "flag": bool, **dict.fromkeys(numbers, float)}
    taken: Any = Literal[option.choices] if option.choices else types.get(option.kind, str)
    if option.repeated:
        taken = list[taken]
    elif option.default is None:
        taken = taken | None
    if option.offered.words is None:
        return taken
    limits: dict[str, Any] = {}
    if option.kind == "count":
        limits = {"ge": option.least, "le": option.offered.most}
    elif option.kind == "number":
        limits = {"ge": 0}
    elif option.kind == "positive":
        limits = {"gt": 0}
    elif option.kind in ("percent", "share"):
        limits = {"gt": 0, "lt": 1}
    return Annotated[taken, Field(description=option.offered.words, **limits)]
