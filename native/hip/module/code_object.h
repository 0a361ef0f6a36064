// What the runtime needs to know about a code object (an AMDGPU ELF) before HSA loads it:
// its target and, for each kernel, resources and arguments (LLVM AMDGPUUsage, "Code Object Metadata").
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vrocm::hip {

struct KernelArgument {
    // The hidden arguments the runtime provides; Value covers everything the program passes.
    enum class Kind : std::uint8_t {
        Value,
        DynamicShared,  // pointer to dynamic LDS passed as an argument: the offset of that memory
        BlockCountX,
        BlockCountY,
        BlockCountZ,
        GroupSizeX,
        GroupSizeY,
        GroupSizeZ,
        RemainderX,
        RemainderY,
        RemainderZ,
        GlobalOffsetX,
        GlobalOffsetY,
        GlobalOffsetZ,
        GridDims,
        PrintfBuffer,
        HostcallBuffer,
        MultigridSync,
        HeapV1,
        DynamicLdsSize,
        DefaultQueue,
        CompletionAction,
        PrivateBase,
        SharedBase,
        QueuePtr,
        Unused,
    };
    Kind kind = Kind::Value;
    std::uint32_t offset = 0, size = 0;
};

struct KernelMetadata {
    std::string name;                       // as the program calls it, mangled
    std::string symbol;                     // of the descriptor: name + ".kd"
    std::vector<KernelArgument> arguments;  // Value ones first, in the order of the parameters
    std::uint32_t explicit_arguments = 0;
    std::uint32_t kernarg_size = 0;
    std::uint32_t group_size = 0;                   // static LDS, bytes
    std::uint32_t private_size = 0;                 // scratch, bytes a lane
    std::uint32_t sgprs = 0, vgprs = 0, agprs = 0;  // vgprs: both files on gfx90a and later
    std::uint32_t max_flat_workgroup_size = 1024;
    std::uint32_t wavefront_size = 64;
    bool dynamic_stack = false;
    bool uses(KernelArgument::Kind kind) const;
};

struct CodeObject {
    std::vector<std::uint8_t> elf;
    std::string target;  // "gfx942:sramecc+:xnack-", by its ELF header
    std::vector<KernelMetadata> kernels;
    std::vector<std::string> printf_formats;  // "id:n:...:hash,format" as in amdhsa.printf
};

// Throws Error: hipErrorInvalidImage for anything that is not an AMDGPU code object.
std::shared_ptr<const CodeObject> read_code_object(std::vector<std::uint8_t> bytes);

}  // namespace vrocm::hip
