#include "capture/bookkeeping/agents.h"

#include <cstring>
#include <fstream>
#include <string>

#include "capture/calls/original.h"
#include "snapshot/capture_keys.h"

namespace rpl::capture {

using snapshot::Json;

namespace {

template <class T>
std::optional<T> ask(hsa_agent_t agent, unsigned attribute) {
    T value{};
    const auto status = original().core.hsa_agent_get_info_fn(agent, static_cast<hsa_agent_info_t>(attribute), &value);
    return status == HSA_STATUS_SUCCESS ? std::optional<T>(value) : std::nullopt;
}

Json number(std::optional<std::uint32_t> value) {
    return value ? Json(*value) : Json();
}

Json text(hsa_agent_t agent, unsigned attribute) {
    struct Text {
        char characters[257] = {};  // more than any attribute has
    };
    const auto value = ask<Text>(agent, attribute);
    return value ? Json(std::string(value->characters)) : Json();
}

Json isa_name(hsa_agent_t agent) {
    const auto isa = ask<hsa_isa_t>(agent, HSA_AGENT_INFO_ISA);
    std::uint32_t length = 0;
    const auto get = original().core.hsa_isa_get_info_alt_fn;
    if (!isa || get(*isa, HSA_ISA_INFO_NAME_LENGTH, &length) != HSA_STATUS_SUCCESS) return {};
    std::string name(length, '\0');
    if (get(*isa, HSA_ISA_INFO_NAME, name.data()) != HSA_STATUS_SUCCESS) return {};
    return Json(std::string(name.c_str()));
}

// The compute partition (SPX, CPX, …) is known to the kernel driver alone.
Json partition_of(hsa_agent_t agent) {
    const auto bdf = ask<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_BDFID);
    const auto domain = ask<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_DOMAIN);
    if (!bdf || !domain) return {};
    char path[96];
    std::snprintf(path, sizeof path, "/sys/bus/pci/devices/%04x:%02x:%02x.%x/current_compute_partition", *domain,
                  *bdf >> 8 & 0xFF, *bdf >> 3 & 0x1F, *bdf & 7);
    std::ifstream file(path);
    std::string name;
    return file >> name ? Json(name) : Json();
}

}  // namespace

const Agents& Agents::get() {
    static const auto* instance = new Agents;
    return *instance;
}

Agents::Agents() {
    const auto add_agent = [](hsa_agent_t agent, void* data) {
        auto& self = *static_cast<Agents*>(data);
        const auto type = ask<hsa_device_type_t>(agent, HSA_AGENT_INFO_DEVICE);
        const bool gpu = type == HSA_DEVICE_TYPE_GPU;
        if (gpu) self.gpus_.push_back(agent);
        struct Context {
            Agents& self;
            PoolFacts facts;
        } context{self, {agent, gpu, 0}};
        const auto add_pool = [](hsa_amd_memory_pool_t pool, void* data) {
            auto& [self, facts] = *static_cast<Context*>(data);
            const auto get = original().amd.hsa_amd_memory_pool_get_info_fn;
            hsa_amd_segment_t segment{};
            get(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
            if (segment != HSA_AMD_SEGMENT_GLOBAL) return HSA_STATUS_SUCCESS;
            facts.flags = 0;
            get(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &facts.flags);
            self.pools_[pool.handle] = facts;
            const bool fine = facts.flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED;
            const bool kernarg = facts.flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT;
            if (!facts.on_gpu && fine && (!kernarg || !self.host_pool_.handle)) self.host_pool_ = pool;
            return HSA_STATUS_SUCCESS;
        };
        return original().amd.hsa_amd_agent_iterate_memory_pools_fn(agent, add_pool, &context);
    };
    original().core.hsa_iterate_agents_fn(add_agent, this);
}

std::optional<unsigned> Agents::index_of(hsa_agent_t agent) const {
    for (unsigned i = 0; i < gpus_.size(); ++i)
        if (gpus_[i].handle == agent.handle) return i;
    return std::nullopt;
}

PoolFacts Agents::pool(hsa_amd_memory_pool_t pool) const {
    const auto found = pools_.find(pool.handle);
    return found == pools_.end() ? PoolFacts{} : found->second;
}

Json Agents::describe(hsa_agent_t agent) const {
    using K = snapshot::keys::CapturedAgent;
    Json made = Json::object();
    const auto index = index_of(agent);
    const Json partition = partition_of(agent);
    made.set(K::index, index ? Json(*index) : Json())
        .set(K::name, text(agent, HSA_AGENT_INFO_NAME))
        .set(K::product, text(agent, HSA_AMD_AGENT_INFO_PRODUCT_NAME))
        .set(K::isa, isa_name(agent))
        .set(K::uuid, text(agent, HSA_AMD_AGENT_INFO_UUID))
        .set(K::node, number(ask<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_DRIVER_NODE_ID)))
        .set(K::compute_units, number(ask<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT)))
        .set(K::wavefront_size, number(ask<std::uint32_t>(agent, HSA_AGENT_INFO_WAVEFRONT_SIZE)))
        .set(K::xcc_count, number(ask<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_NUM_XCC)))
        .set(K::partition, partition);
    if (partition.is_null())
        made.set(snapshot::keys::Recorded::missing,
                 Json::object().set(K::partition, "the system does not tell it for this device"));
    return made;
}

Json pool_name(std::uint32_t flags) {
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) return "kernarg";
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED) return "fine";
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED) return "coarse";
    return {};
}

Json describe_runtime() {
    using K = snapshot::keys::CapturedRuntime;
    const auto get = original().core.hsa_system_get_info_fn;
    std::uint16_t major = 0, minor = 0;
    std::uint64_t frequency = 0;
    const char* build = nullptr;
    get(HSA_SYSTEM_INFO_VERSION_MAJOR, &major);
    get(HSA_SYSTEM_INFO_VERSION_MINOR, &minor);
    get(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency);
    const bool named =
        get(static_cast<hsa_system_info_t>(HSA_AMD_SYSTEM_INFO_BUILD_VERSION), &build) == HSA_STATUS_SUCCESS && build;
    Json made = Json::object();
    made.set(K::hsa_version, std::to_string(major) + "." + std::to_string(minor))
        .set(K::build, named ? Json(build) : Json())
        .set(K::timestamp_frequency_hz, frequency);
    if (!named)
        made.set(snapshot::keys::Recorded::missing, Json::object().set(K::build, "the runtime does not tell it"));
    return made;
}

}  // namespace rpl::capture
