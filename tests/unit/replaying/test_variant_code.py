"""Code objects are found in whatever a build makes; what does not fit says why."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rocm_perf_lab.cli.replay.profile import one_counter_each
from rocm_perf_lab.errors import BadInput, NotReplayable, UsageProblem
from rocm_perf_lab.replaying.variants.build import VariantSource, command_words
from rocm_perf_lab.replaying.variants.code_object import fits, take_out

ISA = "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"


def load(name: str) -> ModuleType:
    """A module of tests/unit/codeobj: each folder of tests is a package of its own."""
    spec = importlib.util.spec_from_file_location(
        f"{name}_for_replay", Path(__file__).parents[1] / "codeobj" / f"{name}.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


made = load("made_files")


def argument(offset: int, size: int, kind: str = "by_value") -> dict[str, Any]:
    return {".offset": offset, ".size": size, ".value_kind": kind}


def code(*sizes: int, symbol: str = "_Z1kPf", target: str = "gfx942") -> bytes:
    arguments = [argument(8 * index, size) for index, size in enumerate(sizes)]
    arguments.append(argument(100, 8, "hidden_block_count_x"))
    return bytes(made.code_object(made.kernel(symbol, args=arguments), target=target))


ORIGINAL = code(8)


@pytest.mark.parametrize("pack", ["code object", "bundle", "compressed", "program"])
def test_every_container(pack: str, tmp_path: Path) -> None:
    wanted, other = code(8), code(8, target="gfx90a")
    bundle = made.bundle(gfx90a=other, gfx942=wanted)
    content = {
        "code object": wanted,
        "bundle": bundle,
        "compressed": made.compressed(bundle),
        "program": made.program(made.bundle(gfx942=code(8, symbol="_Z5otherv")), bundle),
    }[pack]
    path = tmp_path / "made"
    path.write_bytes(content)
    assert take_out(path, "_Z1kPf", ISA, ORIGINAL).content == wanted


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (b"#!/bin/sh\n", BadInput, "cannot be read"),
        (made.program(), BadInput, "no device code"),
        (made.bundle(gfx90a=code(8, target="gfx90a")), NotReplayable, "gfx90a; the capture is of gfx942"),
        (code(8, symbol="_Z1kPd"), BadInput, r"no kernel k\(float\*\); it has: k\(double\*\)"),
        (code(8, 4), BadInput, "other arguments"),
        (code(4), BadInput, r"4 bytes, by_value\); the capture has: argument \(8 bytes"),
    ],
)
def test_what_does_not_fit(content: bytes, error: type[Exception], words: str, tmp_path: Path) -> None:
    path = tmp_path / "made"
    path.write_bytes(content)
    with pytest.raises(error, match=words):
        take_out(path, "_Z1kPf", ISA, ORIGINAL)


@pytest.mark.parametrize(
    ("target", "runs"),
    [
        ("gfx942", True),
        ("gfx942:xnack-", True),
        ("gfx942:sramecc+:xnack-", True),
        ("gfx942:xnack+", False),
        ("gfx942:sramecc-", False),
        ("gfx90a", False),
    ],
)
def test_targets(target: str, runs: bool) -> None:
    assert fits(target, "gfx942:sramecc+:xnack-") == runs


def test_builds_without_a_place_for_the_source(tmp_path: Path) -> None:
    source = tmp_path / "k.hip"
    source.write_text("")
    assert command_words(VariantSource(source, "hipcc -O3 '{source}' -o {output}")) == [
        "hipcc",
        "-O3",
        "{source}",
        "-o",
        "{output}",
    ]
    for path, command in (
        (source, "make"),
        (source, "cd x && hipcc {source}"),
        (tmp_path / "none", "hipcc {source}"),
    ):
        with pytest.raises(UsageProblem):
            command_words(VariantSource(path, command))


def test_counters_as_rocprofv3_takes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "CAPTURE").mkdir()
    words = ["--pmc", "SQ_WAVES", "TCC_HIT[0]", "--json", "--pmc", "GRBM_COUNT", "CAPTURE"]
    assert one_counter_each(words) == [
        *("--pmc", "SQ_WAVES", "--pmc", "TCC_HIT[0]", "--json", "--pmc", "GRBM_COUNT", "CAPTURE")
    ]
    assert one_counter_each(["--pmc"]) == ["--pmc"]
