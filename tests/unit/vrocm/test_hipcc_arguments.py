"""How hipcc reads its command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import vrocm
from vrocm.hipcc.arguments import expand_response_files, parse
from vrocm.hipcc.errors import HipccError
from vrocm.hipcc.invocation import CompilerInput, Mode
from vrocm.hipconfig import hip_version


@pytest.fixture(autouse=True)
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HCC_AMDGPU_TARGET", raising=False)
    for name in ("a.cpp", "b.cu", "c.c", "d.s", "e.hip", "f.o", "g"):
        (tmp_path / name).touch()


def test_languages_follow_suffixes_as_in_amds_hipcc() -> None:
    found = {
        source.path: source.language
        for source in parse(["a.cpp", "b.cu", "c.c", "d.s", "e.hip", "-c"]).sources
    }
    assert found == {"a.cpp": "hip", "b.cu": "hip", "c.c": "c", "d.s": "assembler", "e.hip": "hip"}


def test_as_clang_cpp_is_cpp_and_the_runtime_is_for_hip_programs() -> None:
    invocation = parse(["a.cpp", "f.o"], as_clang=True)
    assert [source.language for source in invocation.sources] == ["c++"]
    assert invocation.compile_flags == []
    assert invocation.no_hip_runtime
    assert not parse(["e.hip"], as_clang=True).no_hip_runtime
    assert not parse(["-x", "hip", "a.cpp"], as_clang=True).no_hip_runtime
    assert not parse(["--hip-link", "f.o"], as_clang=True).no_hip_runtime


def test_language_option_applies_until_none() -> None:
    invocation = parse(["-x", "c++", "a.cpp", "-x", "none", "b.cu", "-xhip", "g"])
    assert [source.language for source in invocation.sources] == ["c++", "hip", "hip"]


def test_link_order_is_kept() -> None:
    items = parse(
        ["f.o", "a.cpp", "-lfoo", "-L", "dir", "-Wl,-z,now", "libx.a", "-l", "bar", "-o", "out"]
    ).link_items
    assert items == [
        "f.o",
        CompilerInput("a.cpp", "hip"),
        "-lfoo",
        "-L",
        "dir",
        "-Wl,-z,now",
        "libx.a",
        "-l",
        "bar",
    ]


def test_optimises_unless_told_otherwise() -> None:
    assert parse(["a.cpp"]).compile_flags == ["-O3"]
    assert parse(["a.cpp", "-O0"]).compile_flags == ["-O0"]


@pytest.mark.parametrize(
    ("arguments", "archs"),
    [
        ([], ["gfx942"]),
        (["--offload-arch=gfx90a,gfx942"], ["gfx90a", "gfx942"]),
        (["--offload-arch=gfx90a", "--offload-arch=gfx942"], ["gfx90a", "gfx942"]),
        (["--offload-arch", "native"], ["gfx942"]),
        (["--amdgpu-target=gfx942:xnack-:sramecc+"], ["gfx942:sramecc+:xnack-"]),
        (["--offload-arch=gfx942", "--offload-arch=gfx942"], ["gfx942"]),
    ],
)
def test_offload_targets(arguments: list[str], archs: list[str]) -> None:
    assert parse(["a.cpp", *arguments]).archs == archs


def test_target_of_another_vendor_is_refused() -> None:
    with pytest.raises(HipccError, match="sm_80"):
        parse(["a.cpp", "--offload-arch=sm_80"])


def test_values_stay_with_their_flags() -> None:
    flags = parse(
        ["-c", "a.cpp", "-I", "inc", "-D", "X=1", "-include", "y.h", "-Xclang", "-foo", "-mllvm", "-bar"]
    )
    assert flags.compile_flags[:-1] == [
        *("-I", "inc", "-D", "X=1", "-include", "y.h"),
        *("-Xclang", "-foo", "-mllvm", "-bar"),
    ]
    assert flags.mode is Mode.OBJECT


def test_unknown_flags_go_to_the_compiler() -> None:
    assert "--what-is-this" in parse(["a.cpp", "--what-is-this"]).compile_flags


@pytest.mark.parametrize(
    "flag", ["-static", "-flto", "-flto=thin", "-stdlib=libc++", "-m32", "-fgpu-sanitize"]
)
def test_flags_that_cannot_be_honoured_are_named(flag: str) -> None:
    with pytest.raises(HipccError, match=re.escape(f"'{flag}'")):
        parse(["a.cpp", flag])


@pytest.mark.parametrize(
    "flag", ["--rocm-path=/opt/rocm", "--hip-path=/x", "--hip-link", "--offload-new-driver"]
)
def test_flags_without_meaning_here_are_accepted(flag: str) -> None:
    invocation = parse(["a.cpp", flag])
    assert flag not in invocation.compile_flags
    assert flag not in invocation.link_items


def test_missing_values_and_files_are_errors() -> None:
    with pytest.raises(HipccError, match="argument to '-o' is missing"):
        parse(["a.cpp", "-o"])
    with pytest.raises(HipccError, match=r"no such file or directory: 'nothing\.cpp'"):
        parse(["nothing.cpp"])


def test_response_files_nest_and_keep_quotes(tmp_path: Path) -> None:
    (tmp_path / "inner.rsp").write_text("-DNAME='two words' -O1")
    (tmp_path / "outer.rsp").write_text('a.cpp @inner.rsp "-Isome dir"\n-c')
    assert expand_response_files(["@outer.rsp", "@missing"]) == [
        *("a.cpp", "-DNAME=two words", "-O1", "-Isome dir", "-c", "@missing"),
    ]


def test_response_file_that_includes_itself_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "loop.rsp").write_text("@loop.rsp")
    with pytest.raises(HipccError, match="includes itself"):
        expand_response_files(["@loop.rsp"])


def test_dependency_options() -> None:
    dependencies = parse(["-c", "a.cpp", "-MMD", "-MP", "-MFx.d", "-MT", "target"]).dependencies
    assert (dependencies.write, dependencies.file) == ("-MMD", "x.d")
    assert dependencies.flags == ["-MP", "-MT", "target"]
    assert dependencies.has_target


def test_macros_on_the_command_line_are_known() -> None:
    invocation = parse(["a.cpp", "-D__HIP_PLATFORM_AMD__=", "-U", "OTHER"])
    assert invocation.macro_is_set("__HIP_PLATFORM_AMD__")
    assert invocation.macro_is_set("OTHER")
    assert not invocation.macro_is_set("__HIP_PLATFORM")


def test_thread_and_sanitizer_flags_reach_compiler_and_linker() -> None:
    invocation = parse(["a.cpp", "-pthread", "-fsanitize=address"])
    assert invocation.link_items[1:] == ["-pthread", "-fsanitize=address"]
    assert invocation.compile_flags[:2] == ["-pthread", "-fsanitize=address"]


def test_openmp_is_a_matter_of_the_driver() -> None:
    invocation = parse(["a.cpp", "-fopenmp"])
    assert invocation.openmp
    assert "-fopenmp" not in invocation.compile_flags


def test_flags_for_the_device_linker_do_not_reach_the_host_linker() -> None:
    invocation = parse(["a.cpp", "-Xoffload-linker", "--lto-O2", "-lfoo"])
    assert invocation.device_link_flags == ["--lto-O2"]
    assert invocation.link_items == [CompilerInput("a.cpp", "hip"), "-lfoo"]


def test_the_headers_name_one_rocm_version() -> None:
    include = Path(vrocm.__file__).parent / "include"
    core = (include / "rocm-core" / "rocm_version.h").read_text()
    numbers = re.findall(r"#define ROCM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", core)
    assert ".".join(numbers) == vrocm.ROCM_VERSION
    assert hip_version().startswith(".".join(numbers[:2]))
