// Attributes of agents.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <thread>

#include "hsa/agent/agent.h"
#include "hsa/agent/isa.h"
#include "hsa/api/info_answer.h"
#include "hsa/runtime.h"
#include "hsa/time/clock.h"

namespace vrocm::hsa {

namespace {

hsa_status_t give_name(void* value, std::string_view name) {
    char text[64] = {};
    std::memcpy(text, name.data(), std::min<std::size_t>(name.size(), 63));
    std::memcpy(value, text, sizeof text);
    return HSA_STATUS_SUCCESS;
}

constexpr std::uint32_t kQueuesMax = 128, kQueueMinSize = 64, kQueueMaxSize = 0x20000;  // as ROCr reports for gfx9
constexpr std::uint32_t kFirmware = 166, kSdmaFirmware = 22;
// One PCI bus for each GPU (device and function 0), one render node, one number in the UUID.
constexpr std::uint32_t kFirstBus = 5, kFirstRenderNode = 128;

}  // namespace

hsa_status_t Agent::info(std::uint32_t attribute, void* value) const {
    if (attribute >= 0x3000 && attribute <= 0x300C) {  // images: none can be made
        if (attribute == HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS ||
            attribute == HSA_EXT_AGENT_INFO_IMAGE_2DA_MAX_ELEMENTS ||
            attribute == HSA_EXT_AGENT_INFO_IMAGE_2DDEPTH_MAX_ELEMENTS ||
            attribute == HSA_EXT_AGENT_INFO_IMAGE_2DADEPTH_MAX_ELEMENTS)
            return give(value, std::uint64_t{0});
        if (attribute == HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS) std::memset(value, 0, 3 * sizeof(std::uint32_t));
        return give(value, std::uint32_t{0});
    }
    if (attribute >= HSA_AMD_AGENT_INFO_CHIP_ID) return amd_info(attribute, value);
    return core_info(attribute, value);
}

hsa_status_t Agent::core_info(std::uint32_t attribute, void* value) const {
    switch (attribute) {
        case HSA_AGENT_INFO_NAME:
            return give_name(value, is_gpu() ? model_->gfx : std::string_view(host_name_));
        case HSA_AGENT_INFO_VENDOR_NAME:
            return give_name(value, is_gpu() ? "AMD" : "CPU");
        case HSA_AGENT_INFO_FEATURE:
            return give(value, static_cast<hsa_agent_feature_t>(is_gpu() ? HSA_AGENT_FEATURE_KERNEL_DISPATCH : 0));
        case HSA_AGENT_INFO_MACHINE_MODEL:
            return give(value, HSA_MACHINE_MODEL_LARGE);
        case HSA_AGENT_INFO_PROFILE:
            return give(value, is_gpu() ? HSA_PROFILE_BASE : HSA_PROFILE_FULL);
        case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
            return give(value, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
        case HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
            return give(value, is_gpu() ? std::uint32_t{HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR} : 0u);
        case HSA_AGENT_INFO_QUEUE_TYPE:
            return give(value, HSA_QUEUE_TYPE_MULTI);
        case HSA_AGENT_INFO_NODE:
            return give(value, std::uint32_t{index_});
        case HSA_AGENT_INFO_DEVICE:
            return give(value, is_gpu() ? HSA_DEVICE_TYPE_GPU : HSA_DEVICE_TYPE_CPU);
        case HSA_AGENT_INFO_CACHE_SIZE: {
            std::uint32_t sizes[4] = {};
            for (const Cache& cache : caches_) sizes[cache.level - 1] = cache.size;
            std::memcpy(value, sizes, sizeof sizes);
            return HSA_STATUS_SUCCESS;
        }
        case HSA_AGENT_INFO_ISA:
            return give(value, is_gpu() ? isa_from_name(isas_[0]) : hsa_isa_t{0});
        case HSA_AGENT_INFO_EXTENSIONS: {
            std::memset(value, 0, 128);
            hsa_flag_set64(static_cast<std::uint8_t*>(value), HSA_EXTENSION_AMD_LOADER);
            if (is_gpu()) hsa_flag_set64(static_cast<std::uint8_t*>(value), HSA_EXTENSION_IMAGES);
            return HSA_STATUS_SUCCESS;
        }
        case HSA_AGENT_INFO_VERSION_MAJOR:
            return give(value, std::uint16_t{1});
        case HSA_AGENT_INFO_VERSION_MINOR:
            return give(value, std::uint16_t{1});
        default:
            return gpu_info(attribute, value);
    }
}

// Core attributes that only an agent with kernels has; a CPU answers 0.
hsa_status_t Agent::gpu_info(std::uint32_t attribute, void* value) const {
    const std::uint32_t gpu = is_gpu() ? 1 : 0;
    switch (attribute) {
        case HSA_AGENT_INFO_FAST_F16_OPERATION:
            return give(value, is_gpu());
        case HSA_AGENT_INFO_WAVEFRONT_SIZE:
            return give(value, gpu * kWavefrontSize);
        case HSA_AGENT_INFO_WORKGROUP_MAX_DIM: {
            const std::uint16_t side = is_gpu() ? kMaxWorkgroupSize : 0, sides[3] = {side, side, side};
            std::memcpy(value, sides, sizeof sides);
            return HSA_STATUS_SUCCESS;
        }
        case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
            return give(value, gpu * kMaxWorkgroupSize);
        case HSA_AGENT_INFO_GRID_MAX_DIM:
            return give(value, is_gpu() ? kMaxGrid : hsa_dim3_t{0, 0, 0});
        case HSA_AGENT_INFO_GRID_MAX_SIZE:
            return give(value, gpu * ~0u);
        case HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
            return give(value, gpu * kMaxFbarriers);
        case HSA_AGENT_INFO_QUEUES_MAX:
            return give(value, gpu * kQueuesMax);
        case HSA_AGENT_INFO_QUEUE_MIN_SIZE:
            return give(value, gpu * kQueueMinSize);
        case HSA_AGENT_INFO_QUEUE_MAX_SIZE:
            return give(value, gpu * kQueueMaxSize);
        default:
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
}

namespace {

// Attributes that are figures of the model; 0 for a CPU.
struct ModelFigure {
    std::uint32_t attribute;
    std::uint32_t GpuModel::* figure;
};
constexpr ModelFigure kModelFigures[] = {
    {HSA_AMD_AGENT_INFO_CHIP_ID, &GpuModel::chip_id},
    {HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT, &GpuModel::compute_units},
    {HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY, &GpuModel::clock_mhz},
    {HSA_AMD_AGENT_INFO_MEMORY_WIDTH, &GpuModel::memory_bus_bits},
    {HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY, &GpuModel::memory_mhz},
    {HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU, &GpuModel::waves_per_cu},
    {HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU, &GpuModel::simds_per_cu},
    {HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES, &GpuModel::shader_engines},
    {HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE, &GpuModel::shader_arrays_per_engine},
    {HSA_AMD_AGENT_INFO_ASIC_REVISION, &GpuModel::asic_revision},
    {HSA_AMD_AGENT_INFO_ASIC_FAMILY_ID, &GpuModel::family_id},
    {HSA_AMD_AGENT_INFO_NUM_SDMA_ENG, &GpuModel::sdma_engines},
    {HSA_AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG, &GpuModel::xgmi_sdma_engines},
    {HSA_AMD_AGENT_INFO_NUM_XCC, &GpuModel::xccs},
};

}  // namespace

hsa_status_t Agent::amd_info(std::uint32_t attribute, void* value) const {
    for (const ModelFigure& entry : kModelFigures)
        if (entry.attribute == attribute) return give(value, is_gpu() ? model_->*entry.figure : 0u);
    return is_gpu() ? amd_gpu_info(attribute, value) : amd_cpu_info(attribute, value);
}

hsa_status_t Agent::amd_cpu_info(std::uint32_t attribute, void* value) const {
    switch (attribute) {
        case HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
            return give(value, 64u);
        case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
            return give(value, std::max(1u, std::thread::hardware_concurrency()));
        case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
            return give(value, std::uint32_t{index_});
        case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS:
            return give(value, 1u);
        case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
            return give_name(value, host_name_);
        case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
            return give(value, false);
        case HSA_AMD_AGENT_INFO_UUID:
            std::strcpy(static_cast<char*>(value), "CPU-XX");
            return HSA_STATUS_SUCCESS;
        case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
            return give(value, true);
        case HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY:
            return give(value, clock::kFrequency);
        case HSA_AMD_AGENT_INFO_IOMMU_SUPPORT:
            return give(value, HSA_IOMMU_SUPPORT_NONE);
        case HSA_AMD_AGENT_INFO_NEAREST_CPU:
            return give(value, handle());
        case HSA_AMD_AGENT_INFO_BDFID:
        case HSA_AMD_AGENT_INFO_DOMAIN:
        case HSA_AMD_AGENT_INFO_UCODE_VERSION:
        case HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION:
        case HSA_AMD_AGENT_INFO_DRIVER_UID:
            return give(value, 0u);
        case HSA_AMD_AGENT_INFO_MEMORY_PROPERTIES:
        case HSA_AMD_AGENT_INFO_AQL_EXTENSIONS:
        case HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_MAX:
        case HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_CURRENT:
            return give(value, std::uint64_t{0});
        default:
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
}

hsa_status_t Agent::amd_gpu_info(std::uint32_t attribute, void* value) const {
    switch (attribute) {
        case HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
            return give(value, model_->cacheline_bytes);
        case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
            return give(value, model_->compute_units);
        case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
            return give(value, std::uint32_t{index_});
        case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS:
            return give(value, 4u);
        case HSA_AMD_AGENT_INFO_BDFID:
            return give(value, (kFirstBus + ordinal_) << 8);
        case HSA_AMD_AGENT_INFO_DOMAIN:
            return give(value, 0u);
        case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
            return give_name(value, model_->product);
        case HSA_AMD_AGENT_INFO_HDP_FLUSH:
            return give(value, hsa_amd_hdp_flush_t{&hdp_[0], &hdp_[1]});
        case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
            return give(value, true);
        case HSA_AMD_AGENT_INFO_UUID:
            std::snprintf(static_cast<char*>(value), 21, "GPU-%016x", kFirstUuid + ordinal_);
            return HSA_STATUS_SUCCESS;
        case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
            return give(value, model_->apu);
        case HSA_AMD_AGENT_INFO_MEMORY_AVAIL:
            return give(value, std::min(model_->memory_bytes, Runtime::get()->memory.budget().available()));
        case HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY:
            return give(value, clock::kAgentFrequency);
        case HSA_AMD_AGENT_INFO_UCODE_VERSION:
            return give(value, kFirmware);
        case HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION:
            return give(value, kSdmaFirmware);
        case HSA_AMD_AGENT_INFO_IOMMU_SUPPORT:
            return give(value, HSA_IOMMU_SUPPORT_NONE);
        case HSA_AMD_AGENT_INFO_DRIVER_UID:
            return give(value, kFirstRenderNode + ordinal_);
        case HSA_AMD_AGENT_INFO_NEAREST_CPU:
            return give(value, cpu_->handle());
        // The flag's number is the bit, as clients test it with hsa_flag_isset64.
        case HSA_AMD_AGENT_INFO_MEMORY_PROPERTIES:
            return give(value, std::uint64_t{model_->apu ? 1u << HSA_AMD_MEMORY_PROPERTY_AGENT_IS_APU : 0u});
        case HSA_AMD_AGENT_INFO_AQL_EXTENSIONS:
            return give(value, std::uint64_t{0});
        case HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_MAX:
            return give(value, kScratchLimit);
        case HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_CURRENT:
            return give(value, scratch_limit);
        case HSA_AMD_AGENT_INFO_CLOCK_COUNTERS:
            return give(value, hsa_amd_clock_counters_t{.gpu_clock_counter = clock::agent_now(),
                                                        .cpu_clock_counter = clock::now(),
                                                        .system_clock_counter = clock::now(),
                                                        .system_clock_frequency = clock::kFrequency});
        default:
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
}

}  // namespace vrocm::hsa
