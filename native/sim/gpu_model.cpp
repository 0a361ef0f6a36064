#include "sim/gpu_model.h"

#include <strings.h>

#include <cstdlib>

namespace vrocm::sim {

namespace {

constexpr std::uint64_t kGiB = 1ull << 30;
constexpr std::uint32_t kKiB = 1u << 10, kMiB = 1u << 20;

// Compute units, XCDs, clocks, memory size, bus width and cache sizes: AMD, "AMD Instinct MI300X / MI325X /
// MI300A / MI250X data sheet" and "Accelerator and GPU hardware specifications" (ROCm documentation).
// Memory clock: as ROCm counts it, a quarter of the pin rate of HBM3 (5.2 and 6.0 Gbit/s) and half that of HBM2e.
// PCI device ids: Linux, drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c. Family ids: include/uapi/drm/amdgpu_drm.h
// (AMDGPU_FAMILY_AI = 141). Shader engines: KFD topology (4 per XCD on gfx942, 8 on gfx90a).
// SDMA engines: KFD topology, 2 for host traffic and 2 per further XCD pair for xGMI.
constexpr GpuModel kModels[] = {
    {.key = "MI300X",
     .product = "AMD Instinct MI300X",
     .gfx = "gfx942",
     .features = ":sramecc+:xnack-",
     .generic = "gfx9-4-generic",
     .arch = isa::Arch::gfx942,
     .chip_id = 0x74a1,
     .asic_revision = 1,
     .family_id = 141,
     .compute_units = 304,
     .xccs = 8,
     .shader_engines = 32,
     .shader_arrays_per_engine = 1,
     .simds_per_cu = 4,
     .waves_per_cu = 32,
     .clock_mhz = 2100,
     .memory_mhz = 1300,
     .memory_bus_bits = 8192,
     .memory_bytes = 192 * kGiB,
     .l1_bytes = 32 * kKiB,
     .l2_bytes = 4 * kMiB,
     .l3_bytes = 256 * kMiB,
     .cacheline_bytes = 128,
     .lds_bytes = 64 * kKiB,
     .sdma_engines = 2,
     .xgmi_sdma_engines = 14,
     .apu = false},
    {.key = "MI325X",
     .product = "AMD Instinct MI325X",
     .gfx = "gfx942",
     .features = ":sramecc+:xnack-",
     .generic = "gfx9-4-generic",
     .arch = isa::Arch::gfx942,
     .chip_id = 0x74a5,
     .asic_revision = 1,
     .family_id = 141,
     .compute_units = 304,
     .xccs = 8,
     .shader_engines = 32,
     .shader_arrays_per_engine = 1,
     .simds_per_cu = 4,
     .waves_per_cu = 32,
     .clock_mhz = 2100,
     .memory_mhz = 1500,
     .memory_bus_bits = 8192,
     .memory_bytes = 256 * kGiB,
     .l1_bytes = 32 * kKiB,
     .l2_bytes = 4 * kMiB,
     .l3_bytes = 256 * kMiB,
     .cacheline_bytes = 128,
     .lds_bytes = 64 * kKiB,
     .sdma_engines = 2,
     .xgmi_sdma_engines = 14,
     .apu = false},
    {.key = "MI300A",
     .product = "AMD Instinct MI300A",
     .gfx = "gfx942",
     .features = ":sramecc+:xnack-",
     .generic = "gfx9-4-generic",
     .arch = isa::Arch::gfx942,
     .chip_id = 0x74a0,
     .asic_revision = 1,
     .family_id = 141,
     .compute_units = 228,
     .xccs = 6,
     .shader_engines = 24,
     .shader_arrays_per_engine = 1,
     .simds_per_cu = 4,
     .waves_per_cu = 32,
     .clock_mhz = 2100,
     .memory_mhz = 1300,
     .memory_bus_bits = 8192,
     .memory_bytes = 128 * kGiB,
     .l1_bytes = 32 * kKiB,
     .l2_bytes = 4 * kMiB,
     .l3_bytes = 256 * kMiB,
     .cacheline_bytes = 128,
     .lds_bytes = 64 * kKiB,
     .sdma_engines = 2,
     .xgmi_sdma_engines = 10,
     .apu = true},
    // One of the two dies (GCDs) of the board: each is an agent of its own.
    {.key = "MI250X",
     .product = "AMD Instinct MI250X",
     .gfx = "gfx90a",
     .features = ":sramecc+:xnack-",
     .generic = "",
     .arch = isa::Arch::gfx90a,
     .chip_id = 0x7408,
     .asic_revision = 1,
     .family_id = 141,
     .compute_units = 110,
     .xccs = 1,
     .shader_engines = 8,
     .shader_arrays_per_engine = 1,
     .simds_per_cu = 4,
     .waves_per_cu = 32,
     .clock_mhz = 1700,
     .memory_mhz = 1600,
     .memory_bus_bits = 4096,
     .memory_bytes = 64 * kGiB,
     .l1_bytes = 16 * kKiB,
     .l2_bytes = 8 * kMiB,
     .l3_bytes = 0,
     .cacheline_bytes = 64,
     .lds_bytes = 64 * kKiB,
     .sdma_engines = 2,
     .xgmi_sdma_engines = 3,
     .apu = false},
};

}  // namespace

std::span<const GpuModel> gpu_models() {
    return kModels;
}

const GpuModel& default_gpu_model(isa::Arch arch) {
    for (const GpuModel& model : kModels)
        if (model.arch == arch) return model;
    return kModels[0];
}

const GpuModel* chosen_gpu_model(std::string_view& asked) {
    const char* text = std::getenv("VROCM_DEVICE");
    if (!text || !*text) return &kModels[0];
    asked = text;
    for (const GpuModel& model : kModels)
        if (asked.size() == model.key.size() && strncasecmp(text, model.key.data(), asked.size()) == 0) return &model;
    return nullptr;
}

}  // namespace vrocm::sim
