// What a code object says of its kernels in its metadata note (LLVM AMDGPUUsage, "Code Object Metadata", versions 3 to
// 6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codeobj/elf.h"

namespace vrocm::codeobj {

struct KernelArgument {
    enum class Kind : std::uint8_t {
        Value,          // what the program passes
        DynamicShared,  // pointer to dynamic LDS passed as an argument: the offset of that memory
        // From here on hidden ones, which the runtime provides.
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
        UnknownHidden,
    };
    Kind kind = Kind::Value;
    std::uint32_t offset = 0, size = 0;  // of any value: see lies_in
    std::string name;                    // empty: not recorded
    std::string type_name;               // empty: not recorded
    std::string value_kind;              // "by_value", "global_buffer", "hidden_…"
    std::string address_space;           // empty: not recorded
    std::string access;                  // "read_only", …; empty: not recorded
    bool is_hidden() const { return kind > Kind::DynamicShared; }
    // Whether all of it is within the first bytes of the arguments, as many as these.
    bool lies_in(std::uint64_t bytes) const { return offset <= bytes && size <= bytes - offset; }
};

struct KernelMetadata {
    std::string name;                       // as the program calls it, mangled
    std::string symbol;                     // of the descriptor: name + ".kd"
    std::vector<KernelArgument> arguments;  // in the order of the note
    std::uint32_t kernarg_size = 0;
    std::uint32_t group_size = 0;                   // static LDS, bytes
    std::uint32_t private_size = 0;                 // scratch, bytes a lane
    std::uint32_t sgprs = 0, vgprs = 0, agprs = 0;  // vgprs: both files on gfx90a and later
    std::uint32_t max_flat_workgroup_size = 1024;
    std::uint32_t wavefront_size = 64;
    bool dynamic_stack = false;
    bool uses(KernelArgument::Kind kind) const;
};

struct Metadata {
    std::vector<KernelMetadata> kernels;
    std::vector<std::string> printf_formats;  // "id:n:...:hash,format" as in amdhsa.printf
};

// Nothing when there is no such note; throws std::runtime_error when it cannot be read.
std::optional<Metadata> read_metadata(const Elf& elf);

}  // namespace vrocm::codeobj
