"""Reading rocminfo's listing."""

from __future__ import annotations

from rocm_perf_lab.rocm.agents import PrefixGpu, parse_rocminfo

# Shortened to the lines that matter; spacing as rocminfo prints it.
LISTING = """\
ROCk module is loaded
=====================
HSA Agents
==========
*******
Agent 1
*******
  Name:                    AMD EPYC 9654 96-Core Processor
  Marketing Name:          AMD EPYC 9654 96-Core Processor
  Device Type:             CPU
  Compute Unit:            192
*******
Agent 2
*******
  Name:                    gfx942
  Uuid:                    GPU-0
  Marketing Name:          AMD Instinct MI300X
  Device Type:             GPU
  Compute Unit:            304
  ISA Info:
    ISA 1
      Name:                    amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-
*** Done ***
"""


def test_only_gpus_are_listed_with_their_isa() -> None:
    assert parse_rocminfo(LISTING) == [
        PrefixGpu("gfx942", "AMD Instinct MI300X", 304, "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-")
    ]


def test_a_listing_without_agents_is_empty() -> None:
    assert parse_rocminfo("ROCk module is NOT loaded\n") == []
