// The GPUs of the system and the memory pools of all agents.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "abi/hsa/hsa_ext_amd.h"
#include "snapshot/json.h"

namespace rpl::capture {

struct PoolFacts {
    hsa_agent_t owner{0};
    bool on_gpu = false;
    std::uint32_t flags = 0;  // HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_…
};

class Agents {
  public:
    // Asks the runtime; not while it starts.
    static const Agents& get();

    const std::vector<hsa_agent_t>& gpus() const { return gpus_; }
    bool is_gpu(hsa_agent_t agent) const { return index_of(agent).has_value(); }
    std::optional<unsigned> index_of(hsa_agent_t agent) const;  // among GPUs
    PoolFacts pool(hsa_amd_memory_pool_t pool) const;
    // A pool of host memory that the host and GPUs see alike; a handle of 0 when there is none.
    hsa_amd_memory_pool_t host_pool() const { return host_pool_; }

    // `agent` of dispatch.json.
    snapshot::Json describe(hsa_agent_t agent) const;

  private:
    Agents();
    std::vector<hsa_agent_t> gpus_;
    std::map<std::uint64_t, PoolFacts> pools_;
    hsa_amd_memory_pool_t host_pool_{0};
};

// "coarse", "fine", "kernarg", or null for none of them.
snapshot::Json pool_name(std::uint32_t flags);

// `runtime` of dispatch.json.
snapshot::Json describe_runtime();

}  // namespace rpl::capture
