"""Arguments in terms of the source: types from signatures and metadata, values that people can read."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from rocm_perf_lab.capturing.arguments import typed_arguments
from rocm_perf_lab.capturing.element_layout import layout_of, shown
from rocm_perf_lab.capturing.folder import open_capture
from rocm_perf_lab.cxx_names import parameter_types, pointed_type

from .made_captures import IN, OUT, MadeCapture, argument


@pytest.mark.parametrize(
    ("name", "types"),
    [
        ("k()", []),
        ("k(void)", []),
        ("plain", None),
        ("add(float const*, float*, int)", ["float const*", "float*", "int"]),
        (
            "void ns::k<float, 4>(ns::S<int, float>, std::pair<int, char>*)",
            ["ns::S<int, float>", "std::pair<int, char>*"],
        ),
        ("void (anonymous namespace)::k<int>(int*)", ["int*"]),
        ("void run<main::{lambda(int)#1}>(main::{lambda(int)#1}, int)", ["main::{lambda(int)#1}", "int"]),
        ("f(void (*)(int, int), float (*) [4])", ["void (*)(int, int)", "float (*) [4]"]),
        ("void ns::Op::operator()(int) const", ["int"]),
        ("k(int*) [clone .kd]", ["int*"]),
        ("k(int*).kd", ["int*"]),
        ("void k<(Mode)1>(Tensor<float, (Mode)1>)", ["Tensor<float, (Mode)1>"]),
    ],
)
def test_parameters_of_names(name: str, types: list[str] | None) -> None:
    assert parameter_types(name) == types


@pytest.mark.parametrize(
    ("type_name", "pointed"),
    [
        ("float*", "float"),
        ("float const*", "float const"),
        ("char const* const*", "char const* const"),
        ("double* __restrict", "double"),
        ("HIP_vector_type<int, 2u>*", "HIP_vector_type<int, 2u>"),
        ("float (*) [4]", "float [4]"),
        ("int", None),
        ("void (*)(int)", None),
    ],
)
def test_what_pointers_point_to(type_name: str, pointed: str | None) -> None:
    assert pointed_type(type_name) == pointed


@pytest.mark.parametrize(
    ("type_name", "raw", "values"),
    [
        ("float", struct.pack("<f", 0.1), ["0.1"]),
        ("double const", struct.pack("<d", -2.5), ["-2.5"]),
        ("int", struct.pack("<i", -7), ["-7"]),
        ("unsigned char", b"\xff", ["255"]),
        ("signed char", b"\xff", ["-1"]),
        ("bool", b"\1", ["true"]),
        ("_Float16", b"\x00\x3c", ["1.0"]),
        ("__hip_bfloat16", b"\x80\x3f", ["1"]),
        ("float*", struct.pack("<Q", 0x7F0000001000), ["0x00007f0000001000"]),
        ("HIP_vector_type<int, 3u>", struct.pack("<3i", 1, 2, 3), ["1", "2", "3"]),
        ("dim3", struct.pack("<3I", 4, 5, 6), ["4", "5", "6"]),
        ("short [2][2]", struct.pack("<4h", 1, 2, 3, 4), ["1", "2", "3", "4"]),
    ],
)
def test_values_by_type(type_name: str, raw: bytes, values: list[str]) -> None:
    layout = layout_of(type_name)
    assert layout is not None
    assert layout.stride == len(raw)
    assert [
        shown(one.scalar, raw[one.offset : one.offset + one.scalar.size]) for one in layout.fields
    ] == values


def test_types_that_names_do_not_tell() -> None:
    assert layout_of("Params") is None
    assert layout_of("std::complex<float>") is None
    assert layout_of("void") is None
    assert layout_of("int [1000000]") is None  # too many to be written out


def test_by_signature(tmp_path: Path) -> None:
    found = typed_arguments(open_capture(MadeCapture().write(tmp_path / "c")))
    assert [one.type_name for one in found if not one.hidden] == [
        "float const*",
        "float*",
        "float",
        "Params",
        "unsigned int",
    ]
    assert {one.type_source for one in found if not one.hidden} == {"signature"}
    assert [one.address for one in found] == [IN, OUT, None, None, None, None, None]
    assert [one.element_name for one in found[:2]] == ["float const", "float"]
    assert [one.element_layout and one.element_layout.stride for one in found[:2]] == [4, 4]
    assert [one.value for one in found] == [
        hex(IN),
        hex(OUT),
        "2.0",
        "16 bytes 03 00 00 00 00 00 00 3f 00 00 00 00 00 00 00 00",
        "30000",
        "118",
        "0x0",
    ]
    assert [one.hidden for one in found] == [False] * 5 + [True] * 2


def test_extern_c_without_debug_information(tmp_path: Path) -> None:
    made = MadeCapture(symbol="scale", demangled="scale")
    found = typed_arguments(open_capture(made.write(tmp_path / "c")))
    assert all(one.type_name is None for one in found)
    assert 'extern "C"' in (found[0].why_no_type or "")
    assert "hidden" in (found[-1].why_no_type or "")
    assert found[2].value == "0x40000000 (integer 1073741824, floating 2.0)"


def test_a_name_with_other_parameters_is_not_believed(tmp_path: Path) -> None:
    """As many, but one has another size; and one parameter too few."""
    for number, demangled in enumerate(
        ["k(float*, float*, double, Params, int)", "k(float*, float*, float, int)"]
    ):
        made = MadeCapture(symbol="_Z1k", demangled=demangled)
        found = typed_arguments(open_capture(made.write(tmp_path / str(number))))
        assert all(one.type_name is None for one in found)
        assert "number of parameters" in (found[0].why_no_type or "")


def test_types_in_metadata_come_first(tmp_path: Path) -> None:
    """As of OpenCL, whose compilers keep them."""
    raw = struct.pack("<Q", IN)
    made = MadeCapture(
        arguments=[
            argument(0, 0, raw, "global_buffer", name="data", type_name="float*"),
            argument(1, 8, struct.pack("<i", 5), name="n.coerce", type_name="int"),
        ],
        symbol="scale",
        demangled="scale",
    )
    document = made.dispatch()
    for one in document["arguments"]:
        del one["type_name"]  # the documents do not have it
    made.dispatch = lambda: document  # type: ignore[method-assign]
    folder = tmp_path / "c"
    code = made.arguments
    made.arguments = [{**one, "type_name": kind} for one, kind in zip(code, ("float*", "int"), strict=True)]
    found = typed_arguments(open_capture(made.write(folder)))
    assert [(one.name, one.type_name, one.value) for one in found] == [
        ("data", "float*", hex(IN)),
        ("n", "int", "5"),
    ]
    assert {one.type_source for one in found} == {"metadata"}


def test_kernel_without_arguments(tmp_path: Path) -> None:
    made = MadeCapture(symbol="_Z6noargsv", demangled="noargs()")
    made.arguments = []
    assert typed_arguments(open_capture(made.write(tmp_path / "c"))) == []


def test_a_name_that_the_program_could_not_demangle(tmp_path: Path) -> None:
    """Demanglers before GCC 13 do not know half precision."""
    symbol = "_Z1kPKDF16_PffDF16_i"
    made = MadeCapture(symbol=symbol, demangled=symbol)
    made.arguments = [
        *made.arguments[:2],
        argument(2, 16, struct.pack("<f", 2.0)),
        argument(3, 20, struct.pack("<e", 0.5)),
        argument(4, 24, struct.pack("<i", -1)),
    ]
    capture = open_capture(made.write(tmp_path / "c"))
    assert capture.kernel_name == "k(_Float16 const*, float*, float, _Float16, int)"
    found = typed_arguments(capture)
    assert [one.value for one in found[2:]] == ["2.0", "0.5", "-1"]
    assert found[0].element_layout is not None
    assert found[0].element_layout.stride == 2
