// One CPU and the GPUs of VROCM_DEVICES, with the attributes of the model in VROCM_DEVICE (here an MI300X).
#include "harness.h"

template <typename T>
static T info(hsa_agent_t agent, int attribute) {
    T value{};
    OK(hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(attribute), &value));
    return value;
}

static std::string text(hsa_agent_t agent, int attribute) {
    char value[64];
    OK(hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(attribute), value));
    return value;
}

static void gpu_attributes() {
    const hsa_agent_t agent = gpu();
    CHECK(text(agent, HSA_AGENT_INFO_NAME) == "gfx942");
    CHECK(text(agent, HSA_AMD_AGENT_INFO_PRODUCT_NAME) == "AMD Instinct MI300X");
    CHECK(text(agent, HSA_AGENT_INFO_VENDOR_NAME) == "AMD");
    CHECK(info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT) == 304);
    CHECK(info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_NUM_XCC) == 8);
    CHECK(info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU) == 4);
    CHECK(info<std::uint32_t>(agent, HSA_AGENT_INFO_WAVEFRONT_SIZE) == 64);
    CHECK(info<std::uint32_t>(agent, HSA_AGENT_INFO_WORKGROUP_MAX_SIZE) == 1024);
    CHECK(info<hsa_profile_t>(agent, HSA_AGENT_INFO_PROFILE) == HSA_PROFILE_BASE);
    CHECK(info<hsa_agent_feature_t>(agent, HSA_AGENT_INFO_FEATURE) == HSA_AGENT_FEATURE_KERNEL_DISPATCH);
    CHECK(info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_CHIP_ID) == 0x74a1);
    CHECK(info<hsa_agent_t>(agent, HSA_AMD_AGENT_INFO_NEAREST_CPU).handle == cpu().handle);
    CHECK(info<std::uint64_t>(agent, HSA_AMD_AGENT_INFO_MEMORY_AVAIL) > 0);
    const auto queue_max = info<std::uint32_t>(agent, HSA_AGENT_INFO_QUEUE_MAX_SIZE);
    CHECK(queue_max != 0 && (queue_max & (queue_max - 1)) == 0);
    std::uint32_t caches[4];
    OK(hsa_agent_get_info(agent, HSA_AGENT_INFO_CACHE_SIZE, caches));
    CHECK(caches[0] == 32 * 1024 && caches[1] == 4 * 1024 * 1024 && caches[2] == 256u * 1024 * 1024 && caches[3] == 0);
    std::uint32_t value;
    CHECK_STATUS(hsa_agent_get_info({1234}, HSA_AGENT_INFO_NAME, &value), HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_STATUS(hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(77), &value),
                 HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, nullptr), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

static void two_gpus_differ() {
    const auto gpus = agents(HSA_DEVICE_TYPE_GPU);
    CHECK(gpus.size() == 2);
    CHECK(text(gpus[0], HSA_AMD_AGENT_INFO_UUID) != text(gpus[1], HSA_AMD_AGENT_INFO_UUID));
    CHECK(info<std::uint32_t>(gpus[0], HSA_AMD_AGENT_INFO_BDFID) !=
          info<std::uint32_t>(gpus[1], HSA_AMD_AGENT_INFO_BDFID));
    CHECK(info<std::uint32_t>(gpus[0], HSA_AGENT_INFO_NODE) == 1 &&
          info<std::uint32_t>(gpus[1], HSA_AGENT_INFO_NODE) == 2);
    hsa_amd_memory_pool_access_t access;
    OK(hsa_amd_agent_memory_pool_get_info(gpus[0], device_pool(1), HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access));
    CHECK(access == HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT);
    std::uint32_t hops = 0;
    OK(hsa_amd_agent_memory_pool_get_info(gpus[0], device_pool(1), HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS,
                                          &hops));
    CHECK(hops == 1);
    hsa_amd_memory_pool_link_info_t link{};
    OK(hsa_amd_agent_memory_pool_get_info(gpus[0], device_pool(1), HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO, &link));
    CHECK(link.link_type == HSA_AMD_LINK_INFO_TYPE_XGMI);
}

static void pools_and_regions() {
    std::size_t size = 0, granule = 0;
    bool allowed = false, all = true;
    OK(hsa_amd_memory_pool_get_info(device_pool(), HSA_AMD_MEMORY_POOL_INFO_SIZE, &size));
    CHECK(size == 192ull << 30);
    OK(hsa_amd_memory_pool_get_info(device_pool(), HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, &granule));
    CHECK(granule == 4096);
    OK(hsa_amd_memory_pool_get_info(device_pool(), HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL, &all));
    CHECK(!all);
    OK(hsa_amd_memory_pool_get_info(kernarg_pool(), HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL, &all));
    CHECK(all);
    OK(hsa_amd_memory_pool_get_info(device_pool(), HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allowed));
    CHECK(allowed);
    CHECK_STATUS(hsa_amd_memory_pool_get_info({1}, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size),
                 HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    struct Seen {
        bool kernarg = false, group = false, coarse = false;
    } seen;
    OK(hsa_agent_iterate_regions(
        gpu(),
        [](hsa_region_t region, void* data) {
            auto* s = static_cast<Seen*>(data);
            hsa_region_segment_t segment;
            std::uint32_t flags = 0;
            OK(hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment));
            OK(hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags));
            s->group |= segment == HSA_REGION_SEGMENT_GROUP;
            if (segment != HSA_REGION_SEGMENT_GLOBAL) return HSA_STATUS_SUCCESS;
            s->kernarg |= (flags & HSA_REGION_GLOBAL_FLAG_KERNARG) != 0;
            s->coarse |= (flags & HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED) != 0;
            return HSA_STATUS_SUCCESS;
        },
        &seen));
    CHECK(seen.kernarg && seen.group && seen.coarse);
}

static void isas_and_caches() {
    std::vector<std::string> names;
    OK(hsa_agent_iterate_isas(
        gpu(),
        [](hsa_isa_t isa, void* data) {
            std::uint32_t length = 0;
            OK(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length));
            std::string name(length, '\0');
            OK(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name.data()));
            static_cast<std::vector<std::string>*>(data)->push_back(name.c_str());
            return HSA_STATUS_SUCCESS;
        },
        &names));
    CHECK(names.at(0) == "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-");
    hsa_isa_t isa{}, plain{};
    OK(hsa_isa_from_name(names[0].c_str(), &isa));
    CHECK(isa.handle == info<hsa_isa_t>(gpu(), HSA_AGENT_INFO_ISA).handle);
    CHECK_STATUS(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx000", &isa), HSA_STATUS_ERROR_INVALID_ISA_NAME);
    bool fits = false;
    OK(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx942", &plain));
    OK(hsa_isa_compatible(plain, isa, &fits));
    CHECK(fits);
    OK(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx942:xnack+", &plain));
    OK(hsa_isa_compatible(plain, isa, &fits));
    CHECK(!fits);
    std::uint32_t size = 0;
    OK(hsa_isa_iterate_wavefronts(
        isa,
        [](hsa_wavefront_t wave, void* data) { return hsa_wavefront_get_info(wave, HSA_WAVEFRONT_INFO_SIZE, data); },
        &size));
    CHECK(size == 64);
    int caches = 0;
    OK(hsa_agent_iterate_caches(
        gpu(),
        [](hsa_cache_t cache, void* data) {
            std::uint8_t level = 0;
            std::uint32_t length = 0;
            OK(hsa_cache_get_info(cache, HSA_CACHE_INFO_LEVEL, &level));
            OK(hsa_cache_get_info(cache, HSA_CACHE_INFO_NAME_LENGTH, &length));
            CHECK(level == ++*static_cast<int*>(data) && length > 0);
            return HSA_STATUS_SUCCESS;
        },
        &caches));
    CHECK(caches == 3);
}

static void iteration_can_stop() {
    int calls = 0;
    CHECK_STATUS(hsa_iterate_agents(
                     [](hsa_agent_t, void* data) {
                         ++*static_cast<int*>(data);
                         return HSA_STATUS_INFO_BREAK;
                     },
                     &calls),
                 HSA_STATUS_INFO_BREAK);
    CHECK(calls == 1);
}

int main() {
    OK(hsa_init());
    CHECK(agents(HSA_DEVICE_TYPE_CPU).size() == 1);
    gpu_attributes();
    two_gpus_differ();
    pools_and_regions();
    isas_and_caches();
    iteration_can_stop();
    OK(hsa_shut_down());
}
