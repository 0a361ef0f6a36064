"""Regions cut into buffers: every byte belongs to one, every element that is asked for comes once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rocm_perf_lab.capturing.element_layout import RAW, layout_of
from rocm_perf_lab.replaying.memory.buffers import Buffer, Pointer, buffers_of, names_of
from rocm_perf_lab.replaying.memory.byte_ranges import ByteRanges

TYPES = ("float", "double", "float3", "unsigned char", "Node")
BASE = 0x7F0000001000


@given(
    st.integers(1, 200),
    st.lists(st.tuples(st.integers(-20, 220), st.sampled_from(TYPES)), max_size=5),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200)), max_size=4),
    st.integers(1, 64),
)
def test_every_byte_and_every_element_once(
    size: int, arguments: list[tuple[int, str]], wanted: list[tuple[int, int]], most: int
) -> None:
    pointers = [
        Pointer(f"p{number}", BASE + offset, layout_of(name))
        for number, (offset, name) in enumerate(arguments)
    ]
    buffers = buffers_of(BASE, size, pointers, "region")
    at = BASE
    for buffer in buffers:
        assert buffer.start == at
        assert buffer.size % buffer.layout.stride == 0
        assert (buffer.start - buffer.origin) % buffer.layout.stride == 0
        at = buffer.end
    assert at == BASE + size
    asked = ByteRanges.of((BASE + low, BASE + high) for low, high in wanted)
    asked_bytes = {byte for low, high in asked for byte in range(low, high)}
    for buffer in buffers:
        blocks = list(buffer.blocks(asked, most))
        got = [byte for low, high in blocks for byte in range(low, high)]
        assert len(got) == len(set(got))
        stride = buffer.layout.stride
        mine = {byte for byte in asked_bytes if buffer.start <= byte < buffer.end}
        elements = {(byte - buffer.origin) // stride for byte in mine}
        assert set(got) == {buffer.origin + one * stride + byte for one in elements for byte in range(stride)}
        for low, high in blocks:
            assert high - low <= max(most, stride)


def test_two_arguments_in_one_allocation() -> None:
    pointers = [Pointer("b", BASE + 64, layout_of("int")), Pointer("a", BASE, layout_of("float"))]
    a, b = buffers_of(BASE, 128, pointers, "region")
    assert (a.name, a.start, a.end, a.layout.name) == ("a", BASE, BASE + 64, "float")
    assert (b.name, b.start, b.end, b.layout.name) == ("b", BASE + 64, BASE + 128, "int")
    assert b.index(BASE + 64 + 8) == 2


def test_one_pointer_twice_has_both_names() -> None:
    pointers = [Pointer("in", BASE, None), Pointer("out", BASE, layout_of("double"))]
    (both,) = buffers_of(BASE, 64, pointers, "region")
    assert (both.name, both.layout.name) == ("in, out", "double")


def test_memory_before_a_pointer_has_negative_indices() -> None:
    (only,) = buffers_of(BASE, 64, [Pointer("centre", BASE + 32, layout_of("float"))], "region")
    assert (only.start, only.index(BASE)) == (BASE, -8)


def test_memory_that_nothing_points_at_is_bytes() -> None:
    assert buffers_of(BASE, 64, [], "region 0x1") == [
        Buffer("region 0x1", BASE, BASE, BASE + 64, BASE, RAW, named=False)
    ]


def test_names_for_users() -> None:
    a = Buffer("in, out", BASE, BASE, BASE + 4, BASE, RAW)
    assert names_of(a) == ["in", "out"]
    assert names_of(Buffer("argument 2 (rest)", BASE, BASE, BASE + 4, BASE, RAW)) == ["2"]
