"""Which pointers launches show to be distinct, and which arguments hide pointers."""

from __future__ import annotations

import pytest

from rocm_perf_lab.codeobj.arguments import ArgumentMetadata
from rocm_perf_lab.optimizing.distinct_pointers import distinct_in
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.transforms.catalogue import apply_transform
from rocm_perf_lab.optimizing.transforms.request import DistinctPointers, LaunchEvidence, TransformRequest


def argument(name: str, offset: int, kind: str = "global_buffer", size: int = 8) -> ArgumentMetadata:
    return ArgumentMetadata(
        name=name,
        type_name=None,
        offset=offset,
        size=size,
        value_kind=kind,
        address_space=None,
        access=None,
    )


PARAMETERS = [
    argument("a", 0),
    argument("b", 8),
    argument("view", 16, "by_value", 16),
    argument("n", 32, "by_value", 4),
]


def launch(*words: tuple[int, int], complete: bool = True, kind: str = "device") -> dict[str, object]:
    """Offsets of arguments and the allocations that they lead into."""
    pointers = [{"offset": offset, "allocation": hex(base << 12), "kind": kind} for offset, base in words]
    return {"complete": complete, "pointers": pointers}


@pytest.mark.parametrize(
    ("launches", "found"),
    [
        ([launch((0, 1), (8, 2))], {"a", "b"}),
        ([launch((0, 1), (8, 2)), launch((0, 2), (8, 1))], {"a", "b"}),
        ([launch((0, 1), (8, 2)), launch((0, 2), (8, 2))], set()),
        ([launch((0, 1), (8, 2), (24, 2))], {"a"}),  # a structure has the same pointer
        ([launch((0, 1), (8, 2), (40, 2))], {"a", "b"}),  # hidden arguments are the runtime's
        ([launch((0, 1))], {"a"}),  # b leads nowhere that is known
        ([launch((0, 1), (8, 2), kind="vmem")], set()),
        ([launch((0, 1), (8, 2)), launch(complete=False)], None),
        ([{"complete": True}], None),  # a virtual GPU that does not tell
        ([], None),
    ],
)
def test_launches(launches: list[dict[str, object]], found: set[str] | None) -> None:
    places = None if found is None else frozenset("ab".index(name) for name in found)
    assert distinct_in(launches, PARAMETERS) == (None if places is None else DistinctPointers(places, 4))


@pytest.mark.parametrize(
    ("parameters", "legal"),
    [
        ("const float* in, float* out, int n", True),
        ("const unsigned int* in, float4* out, size_t n, double x", True),
        ("const std::uint8_t* in, __half* out, const unsigned long long n", True),
        ("float** in, float* out", False),
        ("Node* in, float* out", False),
        ("const float* in, float* out, View v", False),
        ("const float* in, float* out, float& x", False),
    ],
)
def test_arguments_that_may_have_pointers_in_them(kernel, parameters: str, legal: bool) -> None:
    found = kernel("out[0] = {};", parameters=parameters)
    distinct = DistinctPointers(frozenset({0, 1}), len(parameters.split(",")))
    request = TransformRequest(evidence=LaunchEvidence(distinct_pointers=distinct))
    if legal:
        changed = apply_transform("restrict_const", found, request, ("restrict_const",))
        assert changed.text.count(b"__restrict__") == 2
    else:
        with pytest.raises(Refused) as caught:
            apply_transform("restrict_const", found, request, ("restrict_const",))
        assert caught.value.refusal.code == "aliasing-unknown"


def test_arguments_that_are_not_those_of_the_source(kernel) -> None:
    """A compiler that leaves one out: nobody could say which places are whose."""
    found = kernel("out[0] = in[0];", parameters="const float* in, float* out, int n")
    for arguments, names in ((3, {"in", "out"}), (2, set())):
        assert DistinctPointers(frozenset({0, 1}), arguments).names_in(found.function) == names
