"""Templates: words first, values afterwards, and no shell."""

from __future__ import annotations

import pytest

from rocm_perf_lab.autotuning.template import Template, parse_template
from rocm_perf_lab.errors import UsageProblem

VALUES = {"A": 4, "B": "two words; $(rm)", "C": True, "D": 0.5}


def filled(text: str) -> tuple[str, ...]:
    return parse_template(text, tuple(VALUES), ("build",), "--cmd-template").filled(VALUES, {"build": "/b x"})


def test_values_stay_in_their_words() -> None:
    assert filled("./k --a={A} '{B}' {B}x{C} {D} {build}/k") == (
        "./k",
        "--a=4",
        "two words; $(rm)",
        "two words; $(rm)x1",
        "0.5",
        "/b x/k",
    )


def test_two_brackets_are_one() -> None:
    assert filled("./k {{A}} {{{A}}}") == ("./k", "{A}", "{4}")


def test_names() -> None:
    assert Template(("{A}{B}", "{{C}}")).names == {"A", "B"}


@pytest.mark.parametrize(
    "text", ["./k {Z}", "./k {}", "./k {A.real}", "./k {A!r}", "./k {A} | tee", "./k '{A}"]
)
def test_refused(text: str) -> None:
    with pytest.raises(UsageProblem):
        filled(text)
