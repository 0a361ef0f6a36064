// Agents: the host CPU and the virtual GPUs, with their memory pools, caches and instruction sets.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "abi/hsa/hsa_ext_amd.h"
#include "sim/gpu_model.h"
#include "sim/machine.h"

namespace vrocm::hsa {

using sim::GpuModel;

class Agent;
class CommandProcessor;

// Pool and region are two views of one object, so the two kinds of handle are interchangeable, as in ROCr.
struct MemoryPool {
    Agent* owner = nullptr;
    hsa_amd_segment_t segment = HSA_AMD_SEGMENT_GLOBAL;
    std::uint32_t flags = 0;  // hsa_amd_memory_pool_global_flag_t
    std::uint64_t size = 0;
    bool allocatable = true;

    hsa_amd_memory_pool_t handle() const { return {reinterpret_cast<std::uint64_t>(this)}; }
    hsa_region_t region() const { return {reinterpret_cast<std::uint64_t>(this)}; }
    bool on_gpu() const;
};

struct Cache {
    std::string name;
    std::uint8_t level;
    std::uint32_t size;  // bytes
};

class Agent {
  public:
    Agent(unsigned index, std::uint64_t host_memory);                            // the CPU
    Agent(unsigned index, unsigned ordinal, const GpuModel& model, Agent& cpu);  // a GPU
    ~Agent();
    Agent(const Agent&) = delete;
    Agent& operator=(const Agent&) = delete;

    hsa_agent_t handle() const { return {reinterpret_cast<std::uint64_t>(this)}; }
    bool is_gpu() const { return model_ != nullptr; }
    unsigned index() const { return index_; }
    std::uint64_t bit() const { return 1ull << index_; }
    const GpuModel& model() const { return *model_; }

    hsa_status_t info(std::uint32_t attribute, void* value) const;
    const std::vector<std::unique_ptr<MemoryPool>>& pools() const { return pools_; }
    const std::vector<Cache>& caches() const { return caches_; }
    const std::vector<std::string>& isa_names() const { return isas_; }
    // The pool with exactly these flags, or null.
    MemoryPool* pool(std::uint32_t flags) const;

    sim::Machine& machine() const { return *machine_; }
    CommandProcessor& processor() const { return *processor_; }

    std::uint64_t scratch_limit = kScratchLimit;

  private:
    void add_pool(std::uint32_t flags, std::uint64_t size);
    hsa_status_t core_info(std::uint32_t attribute, void* value) const;
    hsa_status_t gpu_info(std::uint32_t attribute, void* value) const;
    hsa_status_t amd_info(std::uint32_t attribute, void* value) const;
    hsa_status_t amd_cpu_info(std::uint32_t attribute, void* value) const;
    hsa_status_t amd_gpu_info(std::uint32_t attribute, void* value) const;

    static constexpr std::uint64_t kScratchLimit = 4ull << 30;
    unsigned index_;
    unsigned ordinal_ = 0;
    const GpuModel* model_ = nullptr;
    Agent* cpu_;
    std::string host_name_;
    std::vector<std::unique_ptr<MemoryPool>> pools_;
    std::vector<Cache> caches_;
    std::vector<std::string> isas_;
    std::unique_ptr<sim::Machine> machine_;
    std::unique_ptr<CommandProcessor> processor_;
    mutable std::uint32_t hdp_[2] = {};  // what the flush registers are: words that may be written
};

constexpr std::uint32_t kFirstUuid = 0xa10;  // of the first GPU; the next have the numbers after it

constexpr std::uint32_t kFineGrained = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED;
constexpr std::uint32_t kCoarseGrained = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;
constexpr std::uint32_t kExtendedFineGrained = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_EXTENDED_SCOPE_FINE_GRAINED;
constexpr std::uint32_t kKernarg = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT | kFineGrained;

// Access of an agent to memory of a pool, as hsa_amd_agent_memory_pool_get_info reports it.
hsa_amd_memory_pool_access_t pool_access(const Agent& agent, const MemoryPool& pool);

}  // namespace vrocm::hsa
