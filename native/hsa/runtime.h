// The open runtime and everything in it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "hsa/agent/agent.h"
#include "hsa/code/executable.h"
#include "hsa/memory/copy_engine.h"
#include "hsa/memory/memory.h"
#include "hsa/memory/shared_memory.h"
#include "hsa/memory/svm.h"
#include "hsa/memory/virtual_memory.h"
#include "hsa/queue/queue.h"
#include "hsa/signal/async_events.h"
#include "hsa/signal/signal.h"
#include "hsa/system_events.h"

namespace vrocm::hsa {

class Runtime {
  public:
    // The open runtime, or null. hsa_init opens it and hsa_shut_down closes it, counted.
    static Runtime* get();
    static hsa_status_t open();
    static hsa_status_t close();

    // Members in the order in which they may depend on each other.
    Memory memory;
    std::vector<std::unique_ptr<Agent>> agents;  // the CPU, then the GPUs
    SignalStore signals;
    AsyncEvents async;
    CopyEngine copies;
    SystemEvents events;
    Queues queues;
    Executables executables;
    VirtualMemory virtual_memory;
    SharedMemory shared;
    SvmAttributes svm;

    Agent& cpu() const { return *agents[0]; }
    // Null when the handle is not that of an agent.
    Agent* agent(hsa_agent_t handle) const;
    MemoryPool* pool(std::uint64_t handle) const;
    // Bits of the agents in a list; false when one is not an agent.
    bool agent_bits(const hsa_agent_t* list, std::size_t count, std::uint64_t& bits) const;
    std::uint64_t all_agents() const { return (1ull << agents.size()) - 1; }
    // Memory that kernels and the host share, for the runtime's own objects.
    MemoryPool& system_pool() const { return *cpu().pool(kFineGrained); }

  private:
    Runtime();
    ~Runtime();
    hsa_status_t start();
    void stop();
    friend struct RuntimeLife;
};

}  // namespace vrocm::hsa
