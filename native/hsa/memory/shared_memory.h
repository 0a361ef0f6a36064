// Memory and signals shared between processes: a handle names a process and one of its memory files.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>

#include "abi/hsa/hsa_ext_amd.h"
#include "hsa/signal/signal.h"

namespace vrocm::hsa {

class SharedMemory {
  public:
    ~SharedMemory();
    hsa_status_t export_memory(void* pointer, std::uint64_t size, hsa_amd_ipc_memory_t* handle);
    hsa_status_t attach(const hsa_amd_ipc_memory_t& handle, std::uint64_t size, std::uint64_t agents, void** pointer);
    hsa_status_t detach(void* pointer);

    Signal* create_signal(hsa_signal_value_t initial);
    hsa_status_t export_signal(Signal& signal, hsa_amd_ipc_signal_t* handle);
    hsa_status_t attach_signal(const hsa_amd_ipc_signal_t& handle, hsa_signal_t* signal);
    // False when the signal is not one of these.
    bool destroy_signal(Signal& signal);

  private:
    struct Attached {
        std::uint64_t size;
        unsigned references;
    };
    std::mutex mutex_;
    std::map<std::uint64_t, Attached> attached_;
    std::map<Signal*, int> signals_;  // with the descriptor of their page
    std::deque<Signal*> ended_;       // destroyed; mapped a little longer for whoever just woke a waiter
};

}  // namespace vrocm::hsa
