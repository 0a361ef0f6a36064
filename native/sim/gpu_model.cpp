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
constexpr GpuModel kMi300x = {.key = "MI300X",
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
                              .apu = false};

// The others: what differs.
constexpr GpuModel mi325x() {
    GpuModel model = kMi300x;
    model.key = "MI325X";
    model.product = "AMD Instinct MI325X";
    model.chip_id = 0x74a5;
    model.memory_mhz = 1500;
    model.memory_bytes = 256 * kGiB;
    return model;
}

constexpr GpuModel mi300a() {
    GpuModel model = kMi300x;
    model.key = "MI300A";
    model.product = "AMD Instinct MI300A";
    model.chip_id = 0x74a0;
    model.compute_units = 228;
    model.xccs = 6;
    model.shader_engines = 24;
    model.memory_bytes = 128 * kGiB;
    model.xgmi_sdma_engines = 10;
    model.apu = true;
    return model;
}

// One of the two dies (GCDs) of the board: each is an agent of its own.
constexpr GpuModel mi250x() {
    GpuModel model = kMi300x;
    model.key = "MI250X";
    model.product = "AMD Instinct MI250X";
    model.gfx = "gfx90a";
    model.generic = "";
    model.arch = isa::Arch::gfx90a;
    model.chip_id = 0x7408;
    model.compute_units = 110;
    model.xccs = 1;
    model.shader_engines = 8;
    model.clock_mhz = 1700;
    model.memory_mhz = 1600;
    model.memory_bus_bits = 4096;
    model.memory_bytes = 64 * kGiB;
    model.l1_bytes = 16 * kKiB;
    model.l2_bytes = 8 * kMiB;
    model.l3_bytes = 0;
    model.cacheline_bytes = 64;
    model.xgmi_sdma_engines = 3;
    return model;
}

constexpr GpuModel kModels[] = {kMi300x, mi325x(), mi300a(), mi250x()};

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
