"""Looks up what is known of a GPU by the names it gives itself."""

from __future__ import annotations

import re

from rocm_perf_lab.arch.limits import DeviceLimits
from rocm_perf_lab.arch.peaks import Peaks


def device(architecture: str, product_name: str = "") -> DeviceLimits | None:
    """Limits of an architecture such as gfx942 (or gfx90a:sramecc+:xnack-), or None where it is not known.

    A virtual GPU can have others than its architecture, which its product's name says.
    """
    from rocm_perf_lab.arch.limits_table import LIMITS
    from rocm_perf_lab.arch.virtual_gpus import with_those_of_product

    found = LIMITS.get(base_name(architecture))
    return with_those_of_product(found, product_name) if found and product_name else found


def peaks(architecture: str, product_name: str = "") -> Peaks | None:
    """Rates of an architecture, with the memory of the product where its name says which it is."""
    from rocm_perf_lab.arch.peaks_table import peaks_of

    return peaks_of(base_name(architecture), product_name)


def base_name(architecture: str) -> str:
    """gfx90a of amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-."""
    found = re.search(r"gfx[0-9a-f]+", architecture.lower())
    return found.group(0) if found else architecture
