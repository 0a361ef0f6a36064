"""``replay validate`` from outside: kinds of kernels, controls, poison, variants, tolerances, exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.commands import RocmPerf

from rocm_perf_lab.contracts.captures.validation import ValidationDocument
from rocm_perf_lab.contracts.documents import from_json

from .conftest import SOURCE, Captures

COUNT = 10_000


def validated(rocm_perf: RocmPerf, code: int, *words: object, **variables: str) -> ValidationDocument:
    done = rocm_perf("replay", "validate", *words, "--runs", 3, "--iterations", 3, "--json", **variables)
    assert done.code == code, (done.stdout, done.stderr)
    return from_json(ValidationDocument, done.stdout, "validation")


def test_a_kernel_that_only_writes(captured: Captures, rocm_perf: RocmPerf) -> None:
    found = validated(rocm_perf, 0, captured("scale"))
    assert found.verdict == "passed"
    assert (found.self_replay.byte_equal, found.self_replay.exact_addresses) == (3, 3)
    assert found.self_replay.label == "deterministic"
    assert (found.poison.method, found.poison.bytes) == ("access set", 4 * COUNT)
    assert found.poison.confirmed
    assert found.negative_control.found_out
    assert found.canaries is not None
    assert found.canaries.checked_bytes > 0


def test_without_an_access_set_poison_is_found_by_trial(
    captured: Captures, rocm_perf: RocmPerf, taken_for_real: Path
) -> None:
    """As on hardware: the same bytes are found, but for those whose poison happens to be the result."""
    for kernel, poisoned in (("scale", 4 * COUNT), ("update", 0)):
        found = validated(rocm_perf, 0, captured(kernel), ROCM_PERF_PREFIX=str(taken_for_real))
        assert found.poison.method == ("trial" if poisoned else "none")
        assert poisoned - 4 <= found.poison.bytes <= poisoned
        assert found.negative_control.found_out
        assert found.self_replay.orders == "as the hardware scheduled them"


def test_a_variable_of_the_module_is_named(captured: Captures, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    found = validated(rocm_perf, 0, captured("count"))
    assert found.negative_control.reason == "it leaves totals wrong, and that is seen"
    edit = ("atomicAdd(&totals[i % 4], 1.0f)", "atomicAdd(&totals[i % 4], i % 4 == 2 ? 2.0f : 1.0f)")
    done = built(rocm_perf, captured("count"), tmp_path, edit, "--runs", 2)
    assert done.code == 10, done.stderr
    assert "first: totals[2] should be 2500.0, is 5000.0" in done.stdout


def test_pointers_in_structures(captured: Captures, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    edit = ("problem.input[i] + 1;", "problem.input[i] + (i == 99 ? 3 : 1);")
    done = built(rocm_perf, captured("through"), tmp_path, edit, "--runs", 2)
    assert done.code == 10, done.stderr
    assert "first: problem.result[99] should be" in done.stdout
    assert "1 of 10000 elements (float) differ" in done.stdout


def test_a_result_that_was_there_before(captured: Captures, rocm_perf: RocmPerf) -> None:
    """The second launch writes what the first one wrote: only poison shows that it does so."""
    found = validated(rocm_perf, 0, captured("scale", 1))
    assert found.negative_control.changed_bytes == 0
    assert found.negative_control.found_out


def test_a_kernel_that_reads_what_it_overwrites(captured: Captures, rocm_perf: RocmPerf) -> None:
    found = validated(rocm_perf, 0, captured("update"))
    assert found.poison.method == "none"
    assert found.negative_control.found_out


def test_a_kernel_that_leaves_memory_alone_proves_nothing(captured: Captures, rocm_perf: RocmPerf) -> None:
    found = validated(rocm_perf, 10, captured("look"))
    assert found.verdict == "void"
    assert not found.negative_control.found_out


def test_sums_that_depend_on_order(captured: Captures, rocm_perf: RocmPerf) -> None:
    found = validated(rocm_perf, 0, captured("add_up"))
    assert found.self_replay.label == "order-dependent"
    (report,) = found.self_replay.buffers
    assert (report.name, report.type, report.differing_elements) == ("out", "float", 1)
    assert report.tolerance.source == "learned"
    assert report.max_rel_error is not None
    assert report.max_rel_error < 1e-5


def test_races(captured: Captures, rocm_perf: RocmPerf) -> None:
    found = validated(rocm_perf, 10, captured("race"))
    assert (found.self_replay.label, found.verdict) == ("racy", "void")


def built(rocm_perf: RocmPerf, capture: Path, place: Path, edit: tuple[str, str], *words: object) -> Any:
    text = SOURCE.read_text()
    assert edit[0] in text
    place.mkdir(exist_ok=True)
    source = place / "variant.hip"
    source.write_text(text.replace(*edit))
    command = "hipcc -O3 {source} -o {output}"
    return rocm_perf("replay", "build", capture, "--source", source, "--build", command, *words, cwd=place)


def test_a_wrong_element_is_named_as_in_the_source(
    captured: Captures, rocm_perf: RocmPerf, tmp_path: Path
) -> None:
    edit = ("out[i] = FACTOR * x[i];", "out[i] = i == 4321 ? -1.0f : FACTOR * x[i];")
    done = built(rocm_perf, captured("scale"), tmp_path, edit, "--runs", 2)
    assert done.code == 10, done.stderr
    assert "first: out[4321] should be" in done.stdout
    assert "is -1.0" in done.stdout
    # What was built stays, and can be judged again.
    found = validated(rocm_perf, 10, captured("scale"), "--hsaco", tmp_path / "variant.hsaco")
    assert found.variant is not None
    (report,) = found.variant.buffers
    assert report.first is not None
    assert (report.name, report.type, report.first.index) == ("out", "float", 4321)
    assert (report.beyond_tolerance, report.first.got, report.elements) == (1, "-1.0", COUNT)


def test_a_field_of_a_structure_is_named(captured: Captures, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    edit = ("bodies[i].position[0] += bodies[i].mass;", "bodies[i].position[i == 7] += bodies[i].mass;")
    done = built(rocm_perf, captured("move"), tmp_path, edit, "--runs", 2)
    assert done.code == 10, done.stderr
    assert "first: bodies[7].position[0] should be" in done.stdout


def test_an_output_that_is_not_written_is_found_by_poison(
    captured: Captures, rocm_perf: RocmPerf, tmp_path: Path
) -> None:
    edit = ("if (i < n) out[i] = FACTOR * x[i];", "if (i < n - 1) out[i] = FACTOR * x[i];")
    done = built(rocm_perf, captured("scale", 1), tmp_path, edit, "--runs", 2)
    assert done.code == 10, done.stderr
    assert f"first: out[{COUNT - 1}] should be" in done.stdout


def test_a_write_behind_the_end_is_found_by_canaries(
    captured: Captures, rocm_perf: RocmPerf, tmp_path: Path
) -> None:
    edit = ("if (i < n) out[i] = FACTOR * x[i];", "if (i <= n) out[i] = FACTOR * x[i];")
    done = built(rocm_perf, captured("scale"), tmp_path, edit, "--runs", 2, "--json")
    assert done.code == 10, done.stderr
    found = done.document["validation"]
    assert found["variant"]["byte_equal"] == 2  # all that belongs to somebody is right
    assert found["verdict"] == "failed"
    assert "behind the end" in found["reason"]
    assert found["canaries"]["damaged"]


def test_explicit_tolerances(captured: Captures, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    edit = ("out[i] = FACTOR * x[i];", "out[i] = FACTOR * x[i] * 1.000001f;")
    assert built(rocm_perf, captured("scale"), tmp_path, edit, "--runs", 2).code == 10
    variant = ("--hsaco", tmp_path / "variant.hsaco")
    for options, code in (
        (("--rtol", "1e-5"), 0),
        (("--rtol", "1e-8"), 10),
        (("--tolerance", "out=1e-5,0"), 0),
        (("--atol", "1e-5", "--tolerance", "float=1e-5,0"), 0),
        (("--rtol", "1e-5", "--tolerance", "out=1e-8,0"), 10),
    ):
        found = validated(rocm_perf, code, captured("scale"), *variant, "--runs", 1, *options)
        assert found.variant is not None
        assert found.variant.buffers[0].tolerance.source == "explicit"
    unknown = rocm_perf("replay", "validate", captured("scale"), *variant, "--tolerance", "output=1,1")
    assert unknown.code == 2
    assert "x, float, out" in unknown.stderr


def test_a_right_variant_is_timed(captured: Captures, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    edit = ("out[i] = FACTOR * x[i];", "out[i] = x[i] + x[i];")
    done = built(rocm_perf, captured("scale"), tmp_path, edit, "--runs", 2, "--json")
    assert done.code == 0, done.stderr
    variant = done.document["validation"]["variant"]
    assert variant["byte_equal"] == 2
    if variant["time"] is None:
        assert "not ranked" in variant["missing"]["time"]
        assert not variant["fidelity"]["faithful"]
    else:
        assert variant["fidelity"]["faithful"]
        assert variant["time"]["ratio"] > 0


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (("out[i] = FACTOR * x[i];", "out[i + (1ll << 40)] = FACTOR * x[i];"), "touched memory"),
        (("if (i < n) out[i] = FACTOR * x[i];", "while (x[0] > -1) __builtin_amdgcn_s_sleep(1);"), "2 s"),
    ],
)
def test_variants_that_do_not_come_to_their_end(
    edit: tuple[str, str], words: str, captured: Captures, rocm_perf: RocmPerf, tmp_path: Path
) -> None:
    assert built(rocm_perf, captured("scale"), tmp_path, edit, "--no-replay").code == 0
    variant = tmp_path / "variant.hsaco"
    found = validated(rocm_perf, 10, captured("scale"), "--hsaco", variant, "--timeout", 2)
    assert found.variant is not None
    assert not found.variant.passed
    assert words in found.variant.reason
    direct = rocm_perf("replay", "full-vm", captured("scale"), "--hsaco", variant, "--timeout", 2)
    assert direct.code == (7 if words == "2 s" else 4), direct.stderr


@pytest.mark.parametrize(
    ("kernel", "edit", "words"),
    [
        ("fill", ("struct Options {", "struct Options {\n    double more;"), "(16 bytes, by_value)"),
        ("scale", ("scale", "shrink"), "it has: add_up(float const*, float*, int)"),
    ],
)
def test_another_signature(
    kernel: str, edit: tuple[str, str], words: str, captured: Captures, rocm_perf: RocmPerf, tmp_path: Path
) -> None:
    done = built(rocm_perf, captured(kernel), tmp_path, edit)
    assert done.code == 6
    assert words in done.stderr
    assert not (tmp_path / "variant.hsaco").exists()


def test_a_build_that_fails(captured: Captures, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    done = built(rocm_perf, captured("scale"), tmp_path, ("FACTOR * x[i]", "no_such_thing * x[i]"), "--json")
    assert done.code == 6
    assert "no_such_thing" in done.document["error"]["cause"]
    assert [path.name for path in tmp_path.iterdir()] == ["variant.hip"]


def test_headers_and_relative_options(captured: Captures, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    """The build sees the working folder: -Iinclude leads where it led."""
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "factor.h").write_text("#define FACTOR 2.0f\n")
    (tmp_path / "kernel.cu").write_text('#include "factor.h"\n' + SOURCE.read_text())
    done = rocm_perf(
        "replay",
        "build",
        captured("scale"),
        "--source",
        "kernel.cu",
        "--build",
        "hipcc -x hip -O2 -g -Iinclude -c {source} -o {output}.o",
        "--out",
        "out/v.hsaco",
        "--no-replay",
        cwd=tmp_path,
    )
    assert done.code == 0, done.stderr
    assert (tmp_path / "out" / "v.hsaco").read_bytes()[:4] == b"\x7fELF"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["include", "kernel.cu", "out"]
