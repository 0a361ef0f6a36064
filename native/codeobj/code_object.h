// A code object as tools see it that do not load it themselves: its target, its kernels, what of it is loaded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codeobj/elf.h"
#include "codeobj/kernel_metadata.h"

namespace vrocm::codeobj {

struct CodeObject {
    std::string target;  // "amdgcn-amd-amdhsa--gfx942:…", by its ELF header: metadata name it in many ways
    std::vector<KernelMetadata> kernels;
    std::vector<Elf64_Phdr> segments;  // those that are loaded; what the file has of them lies in it
};

// Nothing, with the reason in `reason`, for bytes that are not an AMDGPU code object. Never reads outside.
std::optional<CodeObject> read_code_object(Bytes bytes, std::string& reason);

}  // namespace vrocm::codeobj
