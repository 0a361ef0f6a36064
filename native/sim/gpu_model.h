// The GPUs that can be had, as data: those of src/vrocm/data/gpus.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "gpus/architecture.h"
#include "isa/inst.h"

namespace vrocm::sim {

struct GpuModel {
    unsigned number;            // its place in gpu_models()
    std::string_view key;       // value of VROCM_DEVICE
    std::string_view product;   // marketing name
    std::string_view gfx;       // processor
    std::string_view features;  // target features in their default setting
    std::string_view generic;   // generic target whose code it also runs, or empty
    isa::Arch arch;
    const gpus::Architecture* architecture;
    std::uint32_t chip_id;  // PCI device
    std::uint32_t asic_revision, family_id;
    std::uint32_t compute_units, xccs, shader_engines, shader_arrays_per_engine;
    std::uint32_t simds_per_cu, waves_per_cu;
    std::uint32_t front_caches_per_xcc;  // instruction and scalar caches, each for one or two compute units
    std::uint32_t clock_mhz;
    std::uint32_t memory_mhz, memory_bus_bits;
    std::uint64_t memory_bytes;
    std::uint32_t l1_bytes, l2_bytes, l3_bytes;  // vector L1 of a CU, L2 of an XCD, Infinity Cache
    std::uint32_t cacheline_bytes;
    std::uint32_t lds_bytes;  // of a workgroup
    std::uint32_t sdma_engines, xgmi_sdma_engines;
    std::uint32_t peer_link_mbps, host_link_mbps;  // as HSA says, in MB/s
    bool apu;
};

std::span<const GpuModel> gpu_models();
const GpuModel& default_gpu_model(isa::Arch arch);
std::uint32_t largest_lds_bytes();  // of a workgroup on any of them

// The model named by VROCM_DEVICE (any case; MI300X when unset), or null with the name given back.
const GpuModel* chosen_gpu_model(std::string_view& asked);

}  // namespace vrocm::sim
