// Kernel metadata of a code object: the MessagePack document in its AMDGPU note.
// Keys: LLVM AMDGPUUsage, "Code Object V5 Metadata". Damaged input yields nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vrocm::hsa {

struct KernelMetadata {
    std::string symbol;  // of the descriptor: "name.kd"
    std::uint32_t kernarg_size = 0, kernarg_align = 0;
    std::uint32_t group_size = 0, private_size = 0;
    bool dynamic_stack = false;
};

std::vector<KernelMetadata> read_kernel_metadata(std::span<const std::uint8_t> document);

}  // namespace vrocm::hsa
