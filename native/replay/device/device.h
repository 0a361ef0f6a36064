// The GPU that a capture is replayed on, and its memory pools.
#pragma once

#include <cstdint>
#include <string>

#include "replay/captured/folder.h"
#include "replay/device/hsa_library.h"

namespace rpl::replay {

struct ReplayDevice {
    hsa_agent_t agent{}, cpu{};
    unsigned index = 0;  // among GPUs
    std::string name, product, isa, uuid;
    std::uint32_t compute_units = 0;
    hsa_amd_memory_pool_t coarse{}, fine{};   // of the GPU; handle 0 when there is none
    hsa_amd_memory_pool_t host{}, kernarg{};  // of the CPU: fine-grained
    // The pool that a captured region was in: "coarse", "fine", "kernarg". Throws Failure when the GPU has none such.
    hsa_amd_memory_pool_t pool(const std::string& captured, bool on_gpu) const;
};

// The GPU the capture was made on when it is here, else the one with its number, else the first; its ISA must be the
// captured one, target features included. Throws Failure that names what is here.
ReplayDevice find_device(const HsaLibrary& hsa, const Capture& capture);

}  // namespace rpl::replay
