"""rocm-perf check: every class of defects is found, and clean twins of the same programs are clean."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.commands import EXAMPLES, RocmPerf
from tests.tiers import sweep

PROGRAMS = Path(__file__).parent / "programs"
# program -> its defect
DEFECTS = {
    "out_of_bounds": "out-of-bounds",
    "out_of_bounds_far": "out-of-bounds",
    "use_after_free": "use-after-free",
    "variable": "out-of-bounds",
    "pool": "out-of-bounds",
    "pool_use_after_free": "use-after-free",
    "lds_out_of_bounds": "lds-out-of-bounds",
    "misaligned": "misaligned",
    "misaligned_atomic": "misaligned",
    "uninitialised_memory": "uninitialised-memory",
    "uninitialised_lds": "uninitialised-lds",
    "uninitialised_register": "uninitialised-register",
    "uninitialised_register_value": "uninitialised-register",
    "race_global": "race-global",
    "race_global_group": "race-global",
    "race_lds": "race-lds",
    "divergent_barrier": "divergent-barrier",
    "divergent_barrier_waves": "divergent-barrier",
    "leak": "leak",
}
# What follows from a defect: the wave that comes first reads what the others have not written yet.
CONSEQUENCES = {"race_lds": {"uninitialised-lds"}}
FOUND = 11


def line_of(source: str, text: str) -> int:
    """The number of the first line that has the text."""
    lines = (PROGRAMS / source).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize("name", DEFECTS)
def test_the_defect_is_found_and_nothing_else(program, check, name: str) -> None:
    checked = check(program(f"{name}.hip"))
    assert checked.code == FOUND, checked.stderr
    assert set(checked.classes()) - CONSEQUENCES.get(name, set()) == {DEFECTS[name]}
    assert checked.document["clean"] is False


@pytest.mark.parametrize("name", DEFECTS)
def test_the_clean_twin_is_clean(program, check, name: str) -> None:
    checked = check(program(f"{name}.hip", "-DCLEAN", lines=False))
    assert checked.classes() == []
    assert checked.code == 0, checked.stderr


def test_what_looks_like_a_defect_and_is_none(program, check) -> None:
    checked = check(program("ordered.hip"))
    assert checked.classes() == []
    assert checked.code == 0, checked.stderr


def test_every_class_has_a_program() -> None:
    from rocm_perf_lab.checking.request import CLASSES

    assert set(DEFECTS.values()) == set(CLASSES)
    assert {path.stem for path in PROGRAMS.glob("*.hip")} == {*DEFECTS, "ordered"}


def test_both_sides_of_a_race_are_named(program, check) -> None:
    read, write = sorted(
        check(program("race_global.hip")).document["defects"], key=lambda defect: defect["access"]
    )
    assert (read["access"], read["other_access"]) == ("read", "write")
    assert read["place"]["workgroup"] == [1, 0, 0]
    assert read["other"]["workgroup"] == [0, 0, 0]
    assert (read["count"], write["count"]) == (7, 7)
    assert read["allocation"]["bytes"] == 4


def test_a_variable_is_named(program, check) -> None:
    (defect,) = check(program("variable.hip")).document["defects"]
    assert defect["allocation"]["kind"] == "variable table"
    assert defect["allocation"]["bytes"] == 240
    assert defect["count"] == 4


def test_a_leak_names_the_memory(program, check) -> None:
    (leak,) = check(program("leak.hip")).document["defects"]
    assert leak["allocation"]["bytes"] == 400
    assert leak["kernel"] is None


def test_a_finding_says_where_and_what(program, check) -> None:
    read, write = check(program("out_of_bounds.hip")).document["defects"]
    assert (read["access"], write["access"]) == ("read", "write")
    for defect in (read, write):
        assert defect["kernel"] == "scale(float*, int)"
        assert defect["place"]["source"].endswith(
            f"out_of_bounds.hip:{line_of('out_of_bounds.hip', 'kDefect ?')}"
        )
        assert defect["place"]["workgroup"] == [3, 0, 0]
        assert defect["place"]["thread"] == [1000 - 3 * 256, 0, 0]
        assert defect["place"]["lanes"] == [1000 % 64]
        assert defect["allocation"]["bytes"] == 4000
        assert int(defect["address"], 16) == int(defect["allocation"]["base"], 16) + 4000
        assert re.search(r"run\.h:\d+$|out_of_bounds\.hip:\d+$", defect["allocation"]["where"])
        assert (defect["count"], defect["dispatches"]) == (1, 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("divergent_barrier", "        __syncthreads();"),
        ("uninitialised_lds", "atomicAdd(&bins"),
        ("misaligned_atomic", "atomicAdd(rein"),
    ],
)
def test_lines_are_of_the_program_not_of_headers(program, check, name: str, text: str) -> None:
    (defect,) = check(program(f"{name}.hip")).document["defects"]
    assert defect["place"]["source"].endswith(f"{name}.hip:{line_of(f'{name}.hip', text)}")


GFX90A = ("out_of_bounds", "uninitialised_register", "race_lds", "lds_out_of_bounds", "divergent_barrier")


@pytest.mark.parametrize("name", sweep(GFX90A, keep={"out_of_bounds", "uninitialised_register"}))
def test_programs_for_gfx90a(program, check, name: str) -> None:
    flag = "--offload-arch=gfx90a"
    checked = check(program(f"{name}.hip", flag, lines=False))
    assert DEFECTS[name] in checked.classes(), checked.stderr
    assert check(program(f"{name}.hip", flag, "-DCLEAN", lines=False)).code == 0


def test_unoptimised_code_is_clean_too(program, check) -> None:
    assert check(program("ordered.hip", "-O0")).classes() == []


def test_an_installed_rocm_is_left_alone(program, check, tmp_path: Path) -> None:
    """ROCM_PERF_PREFIX names what other commands would use."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "hipcc").write_text("#!/bin/sh\n")
    checked = check(program("out_of_bounds.hip"), ROCM_PERF_PREFIX=str(tmp_path), ROCM_PATH=str(tmp_path))
    assert checked.classes() == ["out-of-bounds", "out-of-bounds"]


@pytest.mark.parametrize("only", [(), ("--only", "out-of-bounds")])
def test_threads_do_not_change_what_is_said(program, check, only: tuple[str, ...]) -> None:
    path = program("out_of_bounds.hip")
    alone, many = check(path, *only, VROCM_THREADS="1"), check(path, *only, VROCM_THREADS="4")
    assert alone.document == many.document


def test_known_defects_are_suppressed(program, check, tmp_path: Path) -> None:
    path = program("out_of_bounds.hip")
    file = tmp_path / "known"
    file.write_text("# known\n\nout-of-bounds kernel=scale* source=*/out_of_bounds.hip:*\n")
    checked = check(path, "--suppressions", str(file))
    assert checked.code == 0
    assert {defect["suppressed_by"] for defect in checked.document["defects"]} == {
        "out-of-bounds kernel=scale* source=*/out_of_bounds.hip:*"
    }
    file.write_text("out-of-bounds kernel=other*\nuse-after-free\n")
    assert check(path, "--suppressions", str(file)).code == FOUND


def test_only_looks_for_what_is_asked(program, check) -> None:
    checked = check(program("out_of_bounds.hip"), "--only", "leak")
    assert (checked.code, checked.document["classes"]) == (0, ["leak"])


def test_a_program_that_fails_by_itself_is_no_finding(check) -> None:
    checked = check(Path("/bin/false"))
    assert checked.code == 4
    assert checked.document["error"]["kind"] == "program-failed"


def test_a_program_without_a_gpu_is_not_clean(check) -> None:
    assert check(Path("/bin/true")).code == 3


def test_the_terminal_names_the_place(program, rocm_perf: RocmPerf) -> None:
    done = rocm_perf("check", program("out_of_bounds.hip"))
    assert done.returncode == FOUND
    assert done.stdout == ""
    assert "access out of bounds [out-of-bounds]" in done.stderr
    assert "(232,0,0) of workgroup (3,0,0)" in done.stderr
    assert "2 defects found" in done.stderr


@pytest.mark.parametrize(
    "example", sorted(str(path.relative_to(EXAMPLES)) for path in EXAMPLES.glob("**/*.hip"))
)
def test_examples_are_clean(program, check, example: str) -> None:
    checked = check(program(EXAMPLES / example, f"-I{EXAMPLES}"))
    assert checked.code == 0, checked.stderr + str(checked.document)
