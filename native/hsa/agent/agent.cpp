#include "hsa/agent/agent.h"

#include <cstdio>

#include "hsa/memory/memory.h"
#include "hsa/queue/command_processor.h"

namespace vrocm::hsa {

namespace {

// "model name" of the first processor, or empty.
std::string host_cpu_name() {
    std::string name;
    FILE* file = std::fopen("/proc/cpuinfo", "re");
    if (!file) return name;
    char line[256], text[160];
    while (name.empty() && std::fgets(line, sizeof line, file))
        if (std::sscanf(line, "model name : %159[^\n]", text) == 1) name = text;
    std::fclose(file);
    return name;
}

}  // namespace

bool MemoryPool::on_gpu() const {
    return owner->is_gpu();
}

void Agent::add_pool(std::uint32_t flags, std::uint64_t size) {
    pools_.push_back(std::make_unique<MemoryPool>(MemoryPool{.owner = this, .flags = flags, .size = size}));
}

Agent::Agent(unsigned index, std::uint64_t host_memory) : index_(index), cpu_(this), host_name_(host_cpu_name()) {
    if (host_name_.empty()) host_name_ = "CPU";
    host_name_.resize(std::min<std::size_t>(host_name_.size(), 63));
    const std::uint64_t size = page_down(host_memory);
    // In the order in which ROCr lists them.
    for (std::uint32_t flags : {kFineGrained, kExtendedFineGrained, kKernarg, kCoarseGrained}) add_pool(flags, size);
    caches_.push_back({host_name_ + " L1", 1, 32u << 10});
}

Agent::Agent(unsigned index, unsigned ordinal, const GpuModel& model, Agent& cpu)
    : index_(index), ordinal_(ordinal), model_(&model), cpu_(&cpu), machine_(sim::Machine::create(model)) {
    for (std::uint32_t flags : {kCoarseGrained, kExtendedFineGrained, kFineGrained})
        add_pool(flags, model.memory_bytes);
    pools_.push_back(std::make_unique<MemoryPool>(
        MemoryPool{.owner = this, .segment = HSA_AMD_SEGMENT_GROUP, .size = model.lds_bytes, .allocatable = false}));
    const std::string name(model.gfx);
    caches_.push_back({name + " L1", 1, model.l1_bytes});
    caches_.push_back({name + " L2", 2, model.l2_bytes});
    if (model.l3_bytes) caches_.push_back({name + " L3", 3, model.l3_bytes});
    isas_.push_back("amdgcn-amd-amdhsa--" + name + std::string(model.features));
    if (!model.generic.empty())
        isas_.push_back("amdgcn-amd-amdhsa--" + std::string(model.generic) + std::string(model.features));
    processor_ = std::make_unique<CommandProcessor>(*this);
}

Agent::~Agent() = default;

MemoryPool* Agent::pool(std::uint32_t flags) const {
    for (const auto& pool : pools_)
        if (pool->segment == HSA_AMD_SEGMENT_GLOBAL && pool->flags == flags) return pool.get();
    return nullptr;
}

hsa_amd_memory_pool_access_t pool_access(const Agent& agent, const MemoryPool& pool) {
    if (pool.owner == &agent) return HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT;
    if (pool.segment != HSA_AMD_SEGMENT_GLOBAL) return HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
    // Fine-grained GPU memory over PCIe is out of reach; GPUs of one system, and an APU and its host, are linked
    // by xGMI.
    if (pool.on_gpu() && !(pool.flags & kCoarseGrained) && !agent.is_gpu() && !pool.owner->model().apu)
        return HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
    return HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT;
}

}  // namespace vrocm::hsa
