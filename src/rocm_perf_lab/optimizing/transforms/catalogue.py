"""All transforms by name: which need to be allowed, and when each is legal."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from rocm_perf_lab.optimizing.guards.changed_text import HeadChange, check_changed_text
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.model import SourceKernel
from rocm_perf_lab.optimizing.transforms.heads import add_launch_bounds, add_restrict
from rocm_perf_lab.optimizing.transforms.hoist_loads import hoist_loads
from rocm_perf_lab.optimizing.transforms.lds_padding import pad_shared_array
from rocm_perf_lab.optimizing.transforms.request import TransformRequest
from rocm_perf_lab.optimizing.transforms.unroll_pragma import unroll_by_pragma
from rocm_perf_lab.optimizing.transforms.unroll_rewrite import unroll_by_rewriting
from rocm_perf_lab.optimizing.transforms.vector_loads import vectorise_loads


@dataclass(frozen=True)
class Transform:
    name: str
    legal_when: str
    apply: Callable[[SourceKernel, TransformRequest], bytes]
    needs_allow: bool = True
    head_change: HeadChange | None = None


TRANSFORMS: dict[str, Transform] = {
    transform.name: transform
    for transform in (
        Transform(
            "unroll",
            "no barrier, atomic or dynamic shared memory is in the loop or in what it calls",
            unroll_by_pragma,
            needs_allow=False,
        ),
        Transform(
            "unroll_rewrite",
            "as unroll, and the loop counts to a bound that it does not change, without break or continue",
            unroll_by_rewriting,
            needs_allow=False,
        ),
        Transform(
            "restrict_const",
            "no two arguments of any launch reach the same allocation, and they are numbers or point to some",
            add_restrict,
            head_change="restrict",
        ),
        Transform(
            "vector_loads",
            "as unroll_rewrite, the loop steps by one, and nothing in it can write what it reads",
            vectorise_loads,
        ),
        Transform(
            "lds_padding",
            "the shared array is used by both subscripts everywhere, and its address nowhere",
            pad_shared_array,
        ),
        Transform(
            "launch_bounds",
            "no launch has workgroups with more threads",
            add_launch_bounds,
            head_change="launch-bounds",
        ),
        Transform(
            "hoist_loads",
            "the loop reads the element in every iteration, and nothing in it can write it",
            hoist_loads,
        ),
    )
}


def apply_transform(
    name: str, kernel: SourceKernel, request: TransformRequest, allowed: Collection[str] = ()
) -> SourceKernel:
    """The kernel in its changed file. Raises Refused where the transform is not legal or not allowed."""
    transform = TRANSFORMS[name]
    if transform.needs_allow and name not in allowed:
        raise Refused("not-allowed", f"--allow {name}")
    return check_changed_text(kernel, transform.apply(kernel, request), transform.head_change)
