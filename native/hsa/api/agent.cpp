// Agents, caches, instruction sets.
#include <cstring>

#include "codeobj/target.h"
#include "hsa/agent/isa.h"
#include "hsa/api/functions.h"
#include "hsa/api/info_answer.h"

namespace vrocm::hsa::api {

namespace {

// A cache handle is the address of the Cache.
const Cache* find_cache(Runtime& runtime, hsa_cache_t handle) {
    for (const auto& agent : runtime.agents)
        for (const Cache& cache : agent->caches())
            if (handle.handle == reinterpret_cast<std::uint64_t>(&cache)) return &cache;
    return nullptr;
}

constexpr hsa_wavefront_t kWavefront = {kWavefrontSize};

}  // namespace

hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t agent, void* data), void* data) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    for (const auto& agent : runtime->agents)
        if (const hsa_status_t status = callback(agent->handle(), data); status != HSA_STATUS_SUCCESS) return status;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute, void* value) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(value, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const Agent* a = runtime->agent(agent);
    VROCM_CHECK(a, HSA_STATUS_ERROR_INVALID_AGENT);
    return a->info(attribute, value);
}

hsa_status_t hsa_agent_get_exception_policies(hsa_agent_t agent, hsa_profile_t profile, uint16_t* mask) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(mask && profile <= HSA_PROFILE_FULL, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(runtime->agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    *mask = 0;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_agent_iterate_caches(hsa_agent_t agent, hsa_status_t (*callback)(hsa_cache_t cache, void* data),
                                      void* data) {
    VROCM_OPEN(runtime);
    const Agent* a = runtime->agent(agent);
    VROCM_CHECK(a, HSA_STATUS_ERROR_INVALID_AGENT);
    VROCM_CHECK(callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    for (const Cache& cache : a->caches()) {
        const hsa_status_t status = callback({reinterpret_cast<std::uint64_t>(&cache)}, data);
        if (status != HSA_STATUS_SUCCESS) return status;
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_cache_get_info(hsa_cache_t cache, hsa_cache_info_t attribute, void* value) {
    VROCM_OPEN(runtime);
    const Cache* c = find_cache(*runtime, cache);
    VROCM_CHECK(c, HSA_STATUS_ERROR_INVALID_CACHE);
    VROCM_CHECK(value, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    switch (attribute) {
        case HSA_CACHE_INFO_NAME_LENGTH:
            return give(value, static_cast<std::uint32_t>(c->name.size()));
        case HSA_CACHE_INFO_NAME:
            std::memcpy(value, c->name.c_str(), c->name.size() + 1);
            return HSA_STATUS_SUCCESS;
        case HSA_CACHE_INFO_LEVEL:
            return give(value, c->level);
        case HSA_CACHE_INFO_SIZE:
            return give(value, c->size);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

// ---- instruction sets ----------------------------------------------------------------------------------------------

hsa_status_t hsa_isa_from_name(const char* name, hsa_isa_t* isa) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(name && isa, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const hsa_isa_t found = isa_from_name(name);
    VROCM_CHECK(found.handle, HSA_STATUS_ERROR_INVALID_ISA_NAME);
    *isa = found;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_agent_iterate_isas(hsa_agent_t agent, hsa_status_t (*callback)(hsa_isa_t isa, void* data),
                                    void* data) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const Agent* a = runtime->agent(agent);
    VROCM_CHECK(a, HSA_STATUS_ERROR_INVALID_AGENT);
    for (const std::string& name : a->isa_names())
        if (const hsa_status_t status = callback(isa_from_name(name), data); status != HSA_STATUS_SUCCESS)
            return status;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_get_info_alt(hsa_isa_t isa, hsa_isa_info_t attribute, void* value) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(value, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const std::string_view name = isa_name(isa);
    VROCM_CHECK(!name.empty(), HSA_STATUS_ERROR_INVALID_ISA);
    switch (attribute) {
        case HSA_ISA_INFO_NAME_LENGTH:
            return give(value, static_cast<std::uint32_t>(name.size() + 1));
        case HSA_ISA_INFO_NAME:
            std::memcpy(value, name.data(), name.size() + 1);
            return HSA_STATUS_SUCCESS;
        case HSA_ISA_INFO_CALL_CONVENTION_COUNT:
            return give(value, 1u);
        case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE:
            return give(value, kWavefrontSize);
        case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT:
            return give(value, kWavesPerCu);
        case HSA_ISA_INFO_MACHINE_MODELS: {
            const bool models[2] = {false, true};
            std::memcpy(value, models, sizeof models);
            return HSA_STATUS_SUCCESS;
        }
        case HSA_ISA_INFO_PROFILES: {
            const bool profiles[2] = {true, false};
            std::memcpy(value, profiles, sizeof profiles);
            return HSA_STATUS_SUCCESS;
        }
        case HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES:
        case HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES: {
            const bool modes[3] = {false, false, true};
            std::memcpy(value, modes, sizeof modes);
            return HSA_STATUS_SUCCESS;
        }
        case HSA_ISA_INFO_FAST_F16_OPERATION:
            return give(value, true);
        case HSA_ISA_INFO_WORKGROUP_MAX_DIM: {
            const std::uint16_t sides[3] = {kMaxWorkgroupSize, kMaxWorkgroupSize, kMaxWorkgroupSize};
            std::memcpy(value, sides, sizeof sides);
            return HSA_STATUS_SUCCESS;
        }
        case HSA_ISA_INFO_WORKGROUP_MAX_SIZE:
            return give(value, std::uint32_t{kMaxWorkgroupSize});
        case HSA_ISA_INFO_GRID_MAX_DIM:
            return give(value, kMaxGrid);
        case HSA_ISA_INFO_GRID_MAX_SIZE:
            return give(value, ~std::uint64_t{0});
        case HSA_ISA_INFO_FBARRIER_MAX_SIZE:
            return give(value, kMaxFbarriers);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_isa_get_info(hsa_isa_t isa, hsa_isa_info_t attribute, uint32_t index, void* value) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(index == 0, HSA_STATUS_ERROR_INVALID_INDEX);
    return api::hsa_isa_get_info_alt(isa, attribute, value);
}

hsa_status_t hsa_isa_get_exception_policies(hsa_isa_t isa, hsa_profile_t profile, uint16_t* mask) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(!isa_name(isa).empty(), HSA_STATUS_ERROR_INVALID_ISA);
    VROCM_CHECK(mask && profile <= HSA_PROFILE_FULL, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    *mask = 0;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_get_round_method(hsa_isa_t isa, hsa_fp_type_t fp_type, hsa_flush_mode_t flush_mode,
                                      hsa_round_method_t* round_method) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(!isa_name(isa).empty(), HSA_STATUS_ERROR_INVALID_ISA);
    VROCM_CHECK(fp_type == HSA_FP_TYPE_16 || fp_type == HSA_FP_TYPE_32 || fp_type == HSA_FP_TYPE_64,
                HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK((flush_mode == HSA_FLUSH_MODE_FTZ || flush_mode == HSA_FLUSH_MODE_NON_FTZ) && round_method,
                HSA_STATUS_ERROR_INVALID_ARGUMENT);
    *round_method = HSA_ROUND_METHOD_SINGLE;  // fused multiply-add
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_wavefront_get_info(hsa_wavefront_t wavefront, hsa_wavefront_info_t attribute, void* value) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(wavefront.handle == kWavefront.handle, HSA_STATUS_ERROR_INVALID_WAVEFRONT);
    VROCM_CHECK(value && attribute == HSA_WAVEFRONT_INFO_SIZE, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return give(value, kWavefrontSize);
}

hsa_status_t hsa_isa_iterate_wavefronts(hsa_isa_t isa, hsa_status_t (*callback)(hsa_wavefront_t wavefront, void* data),
                                        void* data) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(!isa_name(isa).empty(), HSA_STATUS_ERROR_INVALID_ISA);
    VROCM_CHECK(callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return callback(kWavefront, data);
}

hsa_status_t hsa_isa_compatible(hsa_isa_t code_object_isa, hsa_isa_t agent_isa, bool* result) {
    VROCM_OPEN(runtime);
    const std::string_view code = isa_name(code_object_isa), agent = isa_name(agent_isa);
    VROCM_CHECK(!code.empty() && !agent.empty(), HSA_STATUS_ERROR_INVALID_ISA);
    VROCM_CHECK(result, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    *result = codeobj::runs_on(code, agent);
    return HSA_STATUS_SUCCESS;
}

// ---- small settings ------------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_coherency_get_type(hsa_agent_t agent, hsa_amd_coherency_type_t* type) {
    VROCM_OPEN(runtime);
    const Agent* a = runtime->agent(agent);
    VROCM_CHECK(a && a->is_gpu(), HSA_STATUS_ERROR_INVALID_AGENT);
    VROCM_CHECK(type, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    *type = HSA_AMD_COHERENCY_TYPE_COHERENT;
    return HSA_STATUS_SUCCESS;
}

// Memory is always coherent; the setting is accepted, as on every GPU of today.
hsa_status_t hsa_amd_coherency_set_type(hsa_agent_t agent, hsa_amd_coherency_type_t type) {
    VROCM_OPEN(runtime);
    const Agent* a = runtime->agent(agent);
    VROCM_CHECK(a, HSA_STATUS_ERROR_INVALID_AGENT);
    VROCM_CHECK(type == HSA_AMD_COHERENCY_TYPE_COHERENT || type == HSA_AMD_COHERENCY_TYPE_NONCOHERENT,
                HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(a->is_gpu(), HSA_STATUS_ERROR_INVALID_AGENT);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_agent_set_async_scratch_limit(hsa_agent_t agent, size_t threshold) {
    VROCM_OPEN(runtime);
    Agent* a = runtime->agent(agent);
    VROCM_CHECK(a && a->is_gpu(), HSA_STATUS_ERROR_INVALID_AGENT);
    std::uint64_t most = 0;
    a->info(HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_MAX, &most);
    VROCM_CHECK(threshold <= most, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    a->scratch_limit = threshold;
    return HSA_STATUS_SUCCESS;
}

}  // namespace vrocm::hsa::api
