"""What may be added to a kernel's head: ``__restrict__`` on its pointers, and ``__launch_bounds__``.

``__restrict__`` is legal where what one pointer reaches, and somebody writes, is reached by no other way.
That no other argument leads into the same allocation, only launches show; that nothing else does, the source:
all arguments are numbers or pointers to numbers, so that no pointer comes out of memory. (``const`` of what a
pointer points to is not added: it is part of the kernel's symbol. With ``__restrict__`` the compiler finds
out itself what is only read.)

``__launch_bounds__(n)`` is legal where no launch has workgroups of more than n threads; they would fail.
"""

from __future__ import annotations

import re

from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.kernel import require_visible
from rocm_perf_lab.optimizing.source.model import SourceKernel
from rocm_perf_lab.optimizing.source.tokens import code_tokens
from rocm_perf_lab.optimizing.transforms.request import TransformRequest

_QUALIFIER = re.compile(r"\b(?:const|volatile|__restrict__|__restrict|restrict)\b")
_NUMBER = re.compile(
    r"bool|(?:unsigned |signed )?(?:char|short|int|long|long long)(?: int)?|unsigned|signed|float|double"
    r"|half|__half2?|_Float16|__bf16|(?:hip|__hip)_bfloat16|u?int(?:8|16|32|64)_t|size_t|ptrdiff_t"
    r"|(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]"
)


def add_restrict(kernel: SourceKernel, request: TransformRequest) -> bytes:
    require_visible(kernel)
    pointers = [parameter for parameter in kernel.function.parameters if parameter.pointee is not None]
    missing = [parameter for parameter in pointers if not parameter.is_restrict and parameter.name]
    if not missing:
        if pointers:
            raise Refused("already-so", "all pointers are __restrict__")
        raise Refused("nothing-to-change", "the kernel has no plain pointer")
    _require_numbers(kernel)
    names = {parameter.name or "" for parameter in pointers}
    distinct = request.evidence.distinct_pointers
    unknown = names - (distinct.names_in(kernel.function) if distinct else frozenset())
    if unknown:
        raise Refused("aliasing-unknown", ", ".join(sorted(unknown)))
    text = kernel.text
    for parameter in reversed(missing):
        name = next(
            token
            for token in reversed(code_tokens(text, parameter.span.start, parameter.span.end))
            if token.text == parameter.name
        )
        text = text[: name.start] + b"__restrict__ " + text[name.start :]
    return text


def _require_numbers(kernel: SourceKernel) -> None:
    for parameter in kernel.function.parameters:
        what = parameter.pointee if parameter.is_pointer else parameter.type
        plain = " ".join(_QUALIFIER.sub(" ", what or "").split()).replace("std :: ", "")
        if _NUMBER.fullmatch(plain) is None:
            raise Refused("aliasing-unknown", f"{parameter.name}: {parameter.type} may have pointers in it")


def add_launch_bounds(kernel: SourceKernel, request: TransformRequest) -> bytes:
    require_visible(kernel)
    function = kernel.function
    if function.launch_bounds is not None:
        raise Refused("already-so", f"__launch_bounds__({', '.join(function.launch_bounds)})")
    sizes = request.evidence.block_sizes
    if not sizes:
        raise Refused("block-size-unknown", function.qualified_name)
    declarator = function.node.child_by_field_name("declarator")
    assert declarator is not None
    start = declarator.start_byte
    bounds = f"__launch_bounds__({max(sizes)}) ".encode()
    return kernel.text[:start] + bounds + kernel.text[start:]
