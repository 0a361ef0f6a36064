"""A body that somebody else wrote, in the place of the kernel's: all guards of the source."""

from __future__ import annotations

from rocm_perf_lab.optimizing.guards.changed_text import check_changed_text
from rocm_perf_lab.optimizing.guards.synchronisation import check_synchronisation, check_wave_size
from rocm_perf_lab.optimizing.guards.untrusted import check_untrusted, check_untrusted_text
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.model import SourceKernel


def with_foreign_body(kernel: SourceKernel, body: bytes) -> SourceKernel:
    """Raises Refused."""
    check_untrusted_text(body)
    span = kernel.function.body
    changed = check_changed_text(kernel, kernel.text[: span.start] + body + kernel.text[span.end :])
    check_untrusted(kernel, changed)
    check_synchronisation(kernel, changed)
    check_wave_size(kernel, changed)
    return changed


def foreign_body_in(kernel: SourceKernel, text: bytes) -> bytes:
    """The body in a text of the whole file that differs nowhere else. Raises Refused."""
    span = kernel.function.body
    before, after = kernel.text[: span.start], kernel.text[span.end :]
    if len(text) < len(before) + len(after) or not (text.startswith(before) and text.endswith(after)):
        raise Refused("outside-body-changed", kernel.function.qualified_name)
    return text[len(before) : len(text) - len(after)]
