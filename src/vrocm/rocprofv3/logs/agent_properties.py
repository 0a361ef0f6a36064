"""An agent's properties by rocprofiler-sdk's names (rocprofiler_agent_t), as far as the model has them."""

from __future__ import annotations

import re
from typing import Any

from .trace import TracedAgent

_AMD = 0x1002  # PCI vendor
_FIRST_SIMD = 0x80001000  # what KFD counts SIMDs of GPUs from
_GRID_LIMIT = {"x": 0x7FFFFFFF, "y": 0xFFFF, "z": 0xFFFF}


def gfx_target_version(name: str) -> int:
    """gfx942 -> 90402, gfx90a -> 90010: two decimal digits each for minor version and stepping."""
    match = re.fullmatch(r"gfx(\d+)([0-9a-f])([0-9a-f])", name)
    if not match:
        return 0
    return int(match[1]) * 10000 + int(match[2], 16) * 100 + int(match[3], 16)


def _cache(level: int, size: int, line: int) -> dict[str, Any]:
    return {
        "processor_id_low": _FIRST_SIMD,
        "size": size >> 10,
        "level": level,
        "cache_line_size": line,
        "type": {"Data": 1, "Instruction": 0, "CPU": 0, "HSACU": 1},
    }


def _common(agent: TracedAgent) -> dict[str, Any]:
    return {
        "name": agent.name,
        "vendor_name": agent.vendor,
        "product_name": agent.product,
        "model_name": agent.model,
        "node_id": agent.index,
        "logical_node_id": agent.index,
        "logical_node_type_id": agent.type_index,
        "runtime_visibility": {"hsa": 1, "hip": int(agent.is_gpu), "rccl": 0, "rocdecode": 0},
        "gpu_index": agent.type_index if agent.is_gpu else -1,
    }


def agent_properties(agent: TracedAgent) -> dict[str, Any]:
    p = agent.properties
    if not agent.is_gpu:
        cores = p.get("cpu_cores_count", 0)
        return {
            "id": {"handle": agent.handle},
            "type": 1,
            "cpu_cores_count": cores,
            "simd_count": 0,
            "cu_count": cores,
            "wave_front_size": 0,
            "num_xcc": 1,
            "gfx_target_version": 0,
            **_common(agent),
        }
    simds = p["cu_count"] * p["simd_per_cu"]
    arrays = p["array_count"]
    caches = [
        _cache(level, p[f"l{level}_bytes"], p["cacheline_bytes"])
        for level in (1, 2, 3)
        if p[f"l{level}_bytes"]
    ]
    edge = p["workgroup_max_size"]
    return {
        "id": {"handle": agent.handle},
        "type": 2,
        "cpu_cores_count": 0,
        "simd_count": simds,
        "mem_banks_count": 1,
        "caches_count": len(caches),
        "simd_id_base": _FIRST_SIMD,
        "max_waves_per_simd": p["max_waves_per_cu"] // p["simd_per_cu"],
        "lds_size_in_kb": p["lds_size_in_kb"],
        "gds_size_in_kb": 0,
        "wave_front_size": p["wave_front_size"],
        "num_xcc": p["num_xcc"],
        "cu_count": p["cu_count"],
        "array_count": arrays,
        "num_shader_banks": p["num_shader_banks"],
        "simd_arrays_per_engine": p["simd_arrays_per_engine"],
        "cu_per_simd_array": -(-p["cu_count"] // arrays),
        "simd_per_cu": p["simd_per_cu"],
        "max_slots_scratch_cu": p["max_waves_per_cu"],
        "gfx_target_version": gfx_target_version(agent.name),
        "vendor_id": _AMD,
        "device_id": p["device_id"],
        "location_id": p["location_id"],
        "domain": 0,
        "drm_render_minor": p["drm_render_minor"],
        "num_sdma_engines": p["num_sdma_engines"],
        "num_sdma_xgmi_engines": p["num_sdma_xgmi_engines"],
        "max_engine_clk_fcompute": p["max_engine_clk_fcompute"],
        "sdma_fw_version": {"uCodeSDMA": p["sdma_fw_version"]},
        "fw_version": {"uCode": p["fw_version"]},
        "cu_per_engine": p["cu_count"] // (arrays // p["simd_arrays_per_engine"]),
        "max_waves_per_cu": p["max_waves_per_cu"],
        "family_id": p["family_id"],
        "workgroup_max_size": edge,
        "grid_max_size": 0xFFFFFFFF,
        "local_mem_size": p["local_mem_size"],
        "workgroup_max_dim": {"x": edge, "y": edge, "z": edge},
        "grid_max_dim": _GRID_LIMIT,
        **_common(agent),
        "virtual": 1,  # the one key that rocprofiler-sdk does not have: figures of this agent are simulated
        "uuid": agent.uuid,
        "mem_banks": [
            {
                "heap_type": 1,
                "width": p["mem_width"],
                "mem_clk_max": p["mem_clk_max"],
                "size_in_bytes": p["local_mem_size"],
            }
        ],
        "caches": caches,
    }
