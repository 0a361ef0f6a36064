#include "replay/device/device.h"

#include <algorithm>
#include <vector>

#include "replay/failure.h"

namespace rpl::replay {

namespace {

std::string isa_of(const HsaLibrary& hsa, hsa_agent_t agent) {
    // The first ISA is the agent's own; generic ones follow.
    hsa_isa_t isa{};
    const auto first = [](hsa_isa_t found, void* data) {
        *static_cast<hsa_isa_t*>(data) = found;
        return HSA_STATUS_INFO_BREAK;
    };
    hsa.hsa_agent_iterate_isas(agent, first, &isa);
    std::uint32_t length = 0;
    if (!isa.handle || hsa.hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length) != HSA_STATUS_SUCCESS)
        return "";
    std::string name(length, '\0');
    if (hsa.hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name.data()) != HSA_STATUS_SUCCESS) return "";
    while (!name.empty() && name.back() == '\0') name.pop_back();
    return name;
}

template <std::size_t Size>
std::string text_info(const HsaLibrary& hsa, hsa_agent_t agent, int attribute) {
    char text[Size + 1] = {};
    hsa.hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(attribute), text);
    return text;
}

struct Agents {
    const HsaLibrary& hsa;
    std::vector<ReplayDevice> gpus;
    hsa_agent_t cpu{};
};

hsa_status_t add_agent(hsa_agent_t agent, void* data) {
    Agents& agents = *static_cast<Agents*>(data);
    hsa_device_type_t type{};
    agents.hsa.hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    if (type == HSA_DEVICE_TYPE_CPU && !agents.cpu.handle) agents.cpu = agent;
    if (type != HSA_DEVICE_TYPE_GPU) return HSA_STATUS_SUCCESS;
    ReplayDevice gpu;
    gpu.agent = agent;
    gpu.index = static_cast<unsigned>(agents.gpus.size());
    gpu.name = text_info<64>(agents.hsa, agent, HSA_AGENT_INFO_NAME);
    gpu.product = text_info<64>(agents.hsa, agent, HSA_AMD_AGENT_INFO_PRODUCT_NAME);
    gpu.uuid = text_info<64>(agents.hsa, agent, HSA_AMD_AGENT_INFO_UUID);
    gpu.isa = isa_of(agents.hsa, agent);
    agents.hsa.hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT),
                                  &gpu.compute_units);
    agents.gpus.push_back(std::move(gpu));
    return HSA_STATUS_SUCCESS;
}

struct Pools {
    const HsaLibrary& hsa;
    hsa_amd_memory_pool_t coarse{}, fine{}, kernarg{};
};

hsa_status_t add_pool(hsa_amd_memory_pool_t pool, void* data) {
    Pools& pools = *static_cast<Pools*>(data);
    hsa_amd_segment_t segment{};
    std::uint32_t flags = 0;
    bool allocatable = false;
    pools.hsa.hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
    pools.hsa.hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allocatable);
    if (segment != HSA_AMD_SEGMENT_GLOBAL || !allocatable) return HSA_STATUS_SUCCESS;
    pools.hsa.hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
    const auto keep = [pool](hsa_amd_memory_pool_t& slot) {
        if (!slot.handle) slot = pool;
    };
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) keep(pools.kernarg);
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED) keep(pools.coarse);
    if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED) &&
        !(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT))
        keep(pools.fine);
    return HSA_STATUS_SUCCESS;
}

Pools pools_of(const HsaLibrary& hsa, hsa_agent_t agent) {
    Pools pools{hsa};
    hsa.check(hsa.hsa_amd_agent_iterate_memory_pools(agent, add_pool, &pools), "listing memory pools");
    return pools;
}

[[noreturn]] void no_gpu_of_that_isa(const Capture& capture, const Agents& agents) {
    std::string here;
    for (const ReplayDevice& gpu : agents.gpus) here += (here.empty() ? "" : ", ") + gpu.isa + " (" + gpu.product + ")";
    throw Failure{ExitCode::NoDevice, "isa",
                  "the capture was made on " + capture.isa + "; here is " + (here.empty() ? "no GPU" : here),
                  "replay on a GPU with that ISA and those target features (for xnack see HSA_XNACK; on the virtual "
                  "GPU see VROCM_DEVICE), or capture on this one"};
}

}  // namespace

hsa_amd_memory_pool_t ReplayDevice::pool(const std::string& captured, bool on_gpu) const {
    const hsa_amd_memory_pool_t found = !on_gpu              ? (captured == "kernarg" ? kernarg : host)
                                        : captured == "fine" ? fine
                                                             : coarse;
    if (!found.handle)
        throw Failure{ExitCode::HsaFailure, "hsa",
                      name + " has no " + (captured.empty() ? "coarse" : captured) +
                          "-grained memory pool, which the capture has memory in",
                      "replay on the GPU and driver that the capture was made on"};
    return found;
}

ReplayDevice find_device(const HsaLibrary& hsa, const Capture& capture) {
    Agents agents{hsa, {}, {}};
    hsa.check(hsa.hsa_iterate_agents(add_agent, &agents), "listing agents");
    const ReplayDevice* chosen = nullptr;
    int rank = 0;
    for (const ReplayDevice& gpu : agents.gpus) {
        if (gpu.isa != capture.isa) continue;
        const bool same = !capture.uuid.empty() && gpu.uuid == capture.uuid;
        const int this_rank = same ? 3 : gpu.index == capture.agent_index ? 2 : 1;
        if (this_rank > rank) chosen = &gpu;
        rank = std::max(rank, this_rank);
    }
    if (!chosen) no_gpu_of_that_isa(capture, agents);
    ReplayDevice device = *chosen;
    device.cpu = agents.cpu;
    const Pools gpu = pools_of(hsa, device.agent), host = pools_of(hsa, device.cpu);
    device.coarse = gpu.coarse;
    device.fine = gpu.fine;
    device.host = host.fine.handle ? host.fine : host.coarse;
    device.kernarg = host.kernarg.handle ? host.kernarg : device.host;
    return device;
}

}  // namespace rpl::replay
