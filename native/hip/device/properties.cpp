// The properties of a device: what HSA says about the agent, and what HIP on CDNA says about every one.
#include <cstring>

#include "hip/device/device.h"
#include "hip/error.h"

namespace vrocm::hip {

namespace {

// Values that ROCm reports for all CDNA GPUs (HIP runtime of ROCm 6 and 7 on MI200 and MI300).
constexpr int kMaxInt = 2147483647;
constexpr int kMaxGridYZ = 65536;
constexpr int kRegistersPerBlock = 65536;
constexpr int kMaxTextureSide = 16384;  // no image instructions: the limit is that of older AMD GPUs
constexpr int kMaxTextureDepth = 8192;
constexpr int kMaxLinearTexture = 1 << 27;
constexpr std::size_t kTextureAlignment = 256;

template <class T>
T agent_info(hsa_agent_t agent, int attribute) {
    T value{};
    hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(attribute), &value);
    return value;
}

void set(int* into, std::initializer_list<int> values) {
    for (int value : values) *into++ = value;
}

void identity(hipDeviceProp_t& p, hsa_agent_t agent, const std::string& target) {
    char product[65] = {};
    hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_PRODUCT_NAME), product);
    std::strncpy(p.name, product, sizeof p.name - 1);
    char uuid[32] = {};
    hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_UUID), uuid);
    if (std::strncmp(uuid, "GPU-", 4) == 0) std::memcpy(p.uuid.bytes, uuid + 4, sizeof p.uuid.bytes);
    std::strncpy(p.gcnArchName, target.c_str(), sizeof p.gcnArchName - 1);
    // "gfx942" is version 9.4 stepping 2; steppings and, on gfx90a, minors are hexadecimal.
    const std::string digits = target.substr(3, target.find(':') - 3);
    p.major = std::stoi(digits.substr(0, digits.size() - 2));
    p.minor = std::stoi(digits.substr(digits.size() - 2, 1), nullptr, 16);
    const auto bdf = agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_BDFID);
    p.pciBusID = static_cast<int>(bdf >> 8 & 0xff);
    p.pciDeviceID = static_cast<int>(bdf >> 3 & 0x1f);
    p.pciDomainID = static_cast<int>(agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_DOMAIN));
    p.asicRevision = static_cast<int>(agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_ASIC_REVISION));
}

// LDS of a compute unit: the size of the agent's pool for groups.
std::size_t lds_bytes(hsa_agent_t agent) {
    std::size_t found = 0;
    const auto note = [](hsa_amd_memory_pool_t pool, void* data) {
        hsa_amd_segment_t segment{};
        hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
        if (segment != HSA_AMD_SEGMENT_GROUP) return HSA_STATUS_SUCCESS;
        hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, data);
        return HSA_STATUS_INFO_BREAK;
    };
    hsa_amd_agent_iterate_memory_pools(agent, note, &found);
    return found;
}

void sizes(hipDeviceProp_t& p, hsa_agent_t agent, hsa_amd_memory_pool_t pool) {
    std::size_t bytes = 0;
    require_hsa(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &bytes));
    p.totalGlobalMem = bytes;
    p.sharedMemPerBlock = p.sharedMemPerMultiprocessor = p.maxSharedMemoryPerMultiProcessor = lds_bytes(agent);
    p.sharedMemPerBlockOptin = p.sharedMemPerBlock;
    p.regsPerBlock = p.regsPerMultiprocessor = kRegistersPerBlock;
    p.warpSize = static_cast<int>(agent_info<std::uint32_t>(agent, HSA_AGENT_INFO_WAVEFRONT_SIZE));
    p.maxThreadsPerBlock = static_cast<int>(agent_info<std::uint32_t>(agent, HSA_AGENT_INFO_WORKGROUP_MAX_SIZE));
    set(p.maxThreadsDim, {p.maxThreadsPerBlock, p.maxThreadsPerBlock, p.maxThreadsPerBlock});
    set(p.maxGridSize, {kMaxInt, kMaxGridYZ, kMaxGridYZ});
    p.multiProcessorCount = static_cast<int>(agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT));
    p.maxThreadsPerMultiProcessor =
        static_cast<int>(agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU)) * p.warpSize;
    p.maxBlocksPerMultiProcessor = p.maxThreadsPerMultiProcessor / p.maxThreadsPerBlock;
    p.totalConstMem = p.memPitch = kMaxInt;
    std::uint32_t caches[4] = {};
    hsa_agent_get_info(agent, HSA_AGENT_INFO_CACHE_SIZE, caches);
    p.l2CacheSize = static_cast<int>(caches[1]);
}

void clocks(hipDeviceProp_t& p, hsa_agent_t agent) {
    p.clockRate = static_cast<int>(agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY)) * 1000;
    p.memoryClockRate =
        static_cast<int>(agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY)) * 1000;
    p.memoryBusWidth = static_cast<int>(agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_MEMORY_WIDTH));
    const auto hertz = agent_info<std::uint64_t>(agent, HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY);
    p.clockInstructionRate = static_cast<int>(hertz / 1000);
}

void textures(hipDeviceProp_t& p) {
    p.maxTexture1D = p.maxTexture1DMipmap = kMaxTextureSide;
    p.maxTexture1DLinear = kMaxLinearTexture;
    set(p.maxTexture2D, {kMaxTextureSide, kMaxTextureSide});
    set(p.maxTexture2DMipmap, {kMaxTextureSide, kMaxTextureSide});
    set(p.maxTexture2DLinear, {kMaxTextureSide, kMaxTextureSide, kMaxInt});
    set(p.maxTexture2DGather, {kMaxTextureSide, kMaxTextureSide});
    set(p.maxTexture3D, {kMaxTextureSide, kMaxTextureSide, kMaxTextureDepth});
    set(p.maxTexture3DAlt, {kMaxTextureSide, kMaxTextureSide, kMaxTextureDepth});
    p.maxTextureCubemap = kMaxTextureSide;
    set(p.maxTexture1DLayered, {kMaxTextureSide, kMaxTextureDepth});
    set(p.maxTexture2DLayered, {kMaxTextureSide, kMaxTextureSide, kMaxTextureDepth});
    set(p.maxTextureCubemapLayered, {kMaxTextureSide, kMaxTextureDepth});
    p.maxSurface1D = kMaxTextureSide;
    set(p.maxSurface2D, {kMaxTextureSide, kMaxTextureSide});
    set(p.maxSurface3D, {kMaxTextureSide, kMaxTextureSide, kMaxTextureDepth});
    set(p.maxSurface1DLayered, {kMaxTextureSide, kMaxTextureDepth});
    set(p.maxSurface2DLayered, {kMaxTextureSide, kMaxTextureSide, kMaxTextureDepth});
    p.maxSurfaceCubemap = kMaxTextureSide;
    set(p.maxSurfaceCubemapLayered, {kMaxTextureSide, kMaxTextureDepth});
    p.textureAlignment = p.texturePitchAlignment = p.surfaceAlignment = kTextureAlignment;
}

void abilities(hipDeviceProp_t& p, hsa_agent_t agent) {
    p.deviceOverlap = p.canMapHostMemory = p.concurrentKernels = p.ECCEnabled = 1;
    p.asyncEngineCount = static_cast<int>(agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_NUM_SDMA_ENG));
    p.unifiedAddressing = p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
    p.managedMemory = p.hostNativeAtomicSupported = p.concurrentManagedAccess = 1;
    p.canUseHostPointerForRegisteredMem = p.cooperativeLaunch = p.cooperativeMultiDeviceLaunch = 1;
    p.hostRegisterSupported = p.memoryPoolsSupported = p.isLargeBar = 1;
    p.cooperativeMultiDeviceUnmatchedFunc = p.cooperativeMultiDeviceUnmatchedGridDim = 1;
    p.cooperativeMultiDeviceUnmatchedBlockDim = p.cooperativeMultiDeviceUnmatchedSharedMem = 1;
    hipDeviceArch_t& a = p.arch;
    a.hasGlobalInt32Atomics = a.hasGlobalFloatAtomicExch = a.hasSharedInt32Atomics = a.hasSharedFloatAtomicExch = 1;
    a.hasFloatAtomicAdd = a.hasGlobalInt64Atomics = a.hasSharedInt64Atomics = a.hasDoubles = 1;
    a.hasWarpVote = a.hasWarpBallot = a.hasWarpShuffle = a.hasThreadFenceSystem = a.has3dGrid = 1;
}

}  // namespace

hipDeviceProp_t query_properties(hsa_agent_t agent, hsa_amd_memory_pool_t pool, const std::string& target) {
    hipDeviceProp_t p{};
    identity(p, agent, target);
    sizes(p, agent, pool);
    clocks(p, agent);
    textures(p);
    abilities(p, agent);
    return p;
}

int Device::attribute(hipDeviceAttribute_t attribute) const {
    const hipDeviceProp_t& p = properties_;
    auto clamped = [](std::size_t value) { return static_cast<int>(std::min<std::size_t>(value, kMaxInt)); };
    auto hsa = [&](int which) { return static_cast<int>(agent_info<std::uint32_t>(agent_, which)); };
    switch (attribute) {
#define ATTRIBUTE(name, value)     \
    case hipDeviceAttribute##name: \
        return value;
#include "hip/device/attributes.def"
#undef ATTRIBUTE
        default:
            fail(hipErrorInvalidValue);
    }
}

}  // namespace vrocm::hip
