"""Variants built from edited source: what computes the same passes, what only seems to is found out."""

from __future__ import annotations

from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
EXAMPLES = Path(__file__).parents[3] / "examples"
BUILD = f"hipcc -O3 -I {EXAMPLES} {{source}} -o {{output}}"


@pytest.fixture(scope="module")
def capture(rocm_perf, program, tmp_path_factory: pytest.TempPathFactory):
    """capture(program, kernel, dispatch): its folder; each is made once."""
    folder = tmp_path_factory.mktemp("captures")

    def made(name: str, kernel: str, dispatch: int) -> Path:
        place = folder / name
        if not place.exists():
            words = ("--kernel", kernel, "--dispatch", dispatch, "--stop", "--out", place)
            done = rocm_perf("capture", *words, "--", program(name))
            assert done.code == 0, done.stderr
        return place

    return made


def judged(rocm_perf, capture: Path, name: str, old: str, new: str, place: Path):
    """Builds the program's source with one piece of it replaced, and validates what comes out."""
    text = (PROGRAMS / f"{name}.hip").read_text()
    assert text.count(old) == 1
    source = place / f"{name}.hip"
    source.write_text(text.replace(old, new))
    variant = place / "variant.hsaco"
    built = rocm_perf(
        "replay", "build", capture, "--source", source, "--build", BUILD, "--out", variant, "--no-replay"
    )
    assert built.code == 0, built.stderr
    return rocm_perf("replay", "validate", capture, "--hsaco", variant, "--runs", 2, "--json")


def test_the_same_in_other_words_passes(rocm_perf, capture, tmp_path: Path) -> None:
    folder = capture("in_out", "twice_plus_one", 2)
    done = judged(rocm_perf, folder, "in_out", "x[i] * 2 + 1;", "(x[i] << 1) | 1u;", tmp_path)
    assert done.code == 0, done.stdout
    assert done.document["verdict"] == "passed"


def test_half_of_the_work_is_found_out_and_the_place_named(rocm_perf, capture, tmp_path: Path) -> None:
    folder = capture("in_out", "twice_plus_one", 2)
    done = judged(
        rocm_perf, folder, "in_out", "if (i < count) x[i] = x[i]", "if (i < count / 2) x[i] = x[i]", tmp_path
    )
    assert done.code == 10, done.stderr
    [buffer] = [each for each in done.document["variant"]["buffers"] if not each["passed"]]
    assert buffer["name"] == "x"
    assert buffer["beyond_tolerance"] == 5000
    # Twice before this dispatch x = 2x + 1 was done to x = 5000.
    before = (5000 * 2 + 1) * 2 + 1
    first = buffer["first"]
    assert (first["index"], int(first["expected"]), int(first["got"])) == (5000, before * 2 + 1, before)


@pytest.mark.parametrize(
    "new",
    ["if (i < 0) out[i]", "if (i < count / 2) out[i]", "if (i < count && out[i] == -1.0f) out[i]"],
    ids=["nothing", "half", "only when needed"],
)
def test_output_that_is_there_already_does_not_count(rocm_perf, capture, tmp_path: Path, new: str) -> None:
    folder = capture("repeated", "squares", 2)
    done = judged(rocm_perf, folder, "repeated", "if (i < count) out[i]", new, tmp_path)
    assert done.code == 10, done.stdout
    assert done.document["verdict"] != "passed"


def test_another_signature_is_refused(rocm_perf, capture, tmp_path: Path) -> None:
    folder = capture("repeated", "squares", 2)
    source = tmp_path / "other.hip"
    # The mangled name stays: only the code object tells.
    source.write_text(
        "#include <hip/hip_runtime.h>\n"
        'extern "C" __global__ void _Z7squaresPKfPfi(const float* in, long count, float* out) {\n'
        "    for (long i = 0; i < count; ++i) out[i] = in[i];\n}\n"
        "int main() {}\n"
    )
    done = rocm_perf(
        "replay",
        "build",
        folder,
        "--source",
        source,
        "--build",
        BUILD,
        "--out",
        tmp_path / "v.hsaco",
        "--json",
    )
    assert done.code in (6, 9), done.stdout
    assert "argument" in done.document["error"]["cause"]


def test_float_sums_by_atomics_are_labelled(rocm_perf, capture) -> None:
    folder = capture("atomic_sum", "sum", 0)
    done = rocm_perf("replay", "validate", folder, "--json")
    assert done.code == 0, done.stdout
    proof = done.document["self_replay"]
    assert proof["label"] == "order-dependent"
    assert [each["name"] for each in proof["buffers"]] == ["total"], "the integer bins do not differ"
