"""What may be added to a kernel's head: ``__restrict__`` on its pointers, and ``__launch_bounds__``.

``__restrict__`` is legal where no two pointers reach the same memory, at least one of them to write it; only
launches show that. (``const`` of what a pointer points to is not added: it is part of the kernel's symbol.
With ``__restrict__`` the compiler finds out itself what is only read.)

``__launch_bounds__(n)`` is legal where no launch has workgroups of more than n threads; they would fail.
"""

from __future__ import annotations

from rocm_perf_lab.optimize.refused import Refused
from rocm_perf_lab.optimize.source.kernel import require_visible
from rocm_perf_lab.optimize.source.model import Kernel
from rocm_perf_lab.optimize.source.tokens import code_tokens
from rocm_perf_lab.optimize.transforms.request import Request


def add_restrict(kernel: Kernel, request: Request) -> bytes:
    require_visible(kernel)
    pointers = [parameter for parameter in kernel.function.parameters if parameter.pointee is not None]
    missing = [parameter for parameter in pointers if not parameter.is_restrict and parameter.name]
    if not missing:
        if pointers:
            raise Refused("already-so", "all pointers are __restrict__")
        raise Refused("nothing-to-change", "the kernel has no plain pointer")
    names = {parameter.name or "" for parameter in pointers}
    known = request.evidence.distinct_pointers
    if known is None or not names <= known:
        unknown = sorted(names - (known or frozenset()))
        raise Refused("aliasing-unknown", ", ".join(unknown))
    text = kernel.text
    for parameter in reversed(missing):
        name = next(
            token
            for token in reversed(code_tokens(text, parameter.span.start, parameter.span.end))
            if token.text == parameter.name
        )
        text = text[: name.start] + b"__restrict__ " + text[name.start :]
    return text


def add_launch_bounds(kernel: Kernel, request: Request) -> bytes:
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
