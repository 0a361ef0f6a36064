// The GPUs that can be had, as data.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "isa/inst.h"

namespace vrocm::sim {

struct GpuModel {
    std::string_view key;       // value of VROCM_DEVICE
    std::string_view product;   // marketing name
    std::string_view gfx;       // processor
    std::string_view features;  // target features in their default setting
    std::string_view generic;   // generic target whose code it also runs, or empty
    isa::Arch arch;
    std::uint32_t chip_id;  // PCI device
    std::uint32_t asic_revision, family_id;
    std::uint32_t compute_units, xccs, shader_engines, shader_arrays_per_engine;
    std::uint32_t simds_per_cu, waves_per_cu;
    std::uint32_t clock_mhz;
    std::uint32_t memory_mhz, memory_bus_bits;
    std::uint64_t memory_bytes;
    std::uint32_t l1_bytes, l2_bytes, l3_bytes;  // vector L1 of a CU, L2 of an XCD, Infinity Cache
    std::uint32_t cacheline_bytes;
    std::uint32_t lds_bytes;  // of a workgroup
    std::uint32_t sdma_engines, xgmi_sdma_engines;
    bool apu;
};

std::span<const GpuModel> gpu_models();
const GpuModel& default_gpu_model(isa::Arch arch);

// The model named by VROCM_DEVICE (any case; MI300X when unset), or null with the name given back.
const GpuModel* chosen_gpu_model(std::string_view& asked);

}  // namespace vrocm::sim
