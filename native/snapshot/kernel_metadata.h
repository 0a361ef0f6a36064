// What a code object says of its kernels in its metadata note (AMDGPU code object versions 3 to 6).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rpl::snapshot {

struct ArgumentMetadata {
    std::string name;           // empty: not recorded
    std::string type_name;      // empty: not recorded
    std::string value_kind;     // "by_value", "global_buffer", "hidden_…"
    std::string address_space;  // empty: not recorded
    std::string access;         // "read_only", …; empty: not recorded
    std::uint32_t offset = 0, size = 0;
};

struct KernelMetadata {
    std::string name;    // mangled, without .kd
    std::string symbol;  // with .kd
    std::uint32_t kernarg_size = 0, group_size = 0, private_size = 0;
    bool uses_dynamic_stack = false;
    std::vector<ArgumentMetadata> arguments;
};

// A loadable segment of the code object.
struct Segment {
    std::uint64_t address = 0, memory_size = 0, file_offset = 0, file_size = 0;
    bool executable = false, writable = false;
};

struct CodeObject {
    std::string target;  // "amdgcn-amd-amdhsa--gfx942:…", by its ELF header: metadata name it in many ways
    std::vector<KernelMetadata> kernels;
    std::vector<Segment> segments;
};

// Nothing, with the reason in `reason`, for bytes that are not an AMDGPU code object. Never reads outside.
std::optional<CodeObject> read_code_object(std::span<const std::uint8_t> bytes, std::string& reason);

}  // namespace rpl::snapshot
