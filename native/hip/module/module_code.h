// What the runtime needs to know about a code object (an AMDGPU ELF) before HSA loads it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codeobj/kernel_metadata.h"

namespace vrocm::hip {

using codeobj::KernelArgument;
using codeobj::KernelMetadata;

struct ModuleCode {
    std::vector<std::uint8_t> elf;
    std::string target;  // "gfx942:sramecc+:xnack-", by its ELF header
    codeobj::Metadata metadata;
};

// Throws Error: hipErrorInvalidImage for anything that is not an AMDGPU code object, or whose metadata cannot be.
std::shared_ptr<const ModuleCode> read_module_code(std::vector<std::uint8_t> bytes);

}  // namespace vrocm::hip
