#include "snapshot/kernel_metadata.h"

#include <stdexcept>

#include "codeobj/elf.h"
#include "codeobj/target.h"
#include "msgpack/msgpack.h"

namespace rpl::snapshot {

namespace {

namespace codeobj = vrocm::codeobj;
using codeobj::Bytes;
using vrocm::msgpack::Value;

// LLVM AMDGPUUsage, "Code Object V3 and later Note Records".
constexpr std::uint32_t kMetadataNote = 32;

std::uint32_t unsigned_of(const Value& value) {
    if (value.integer < 0 || value.integer > 0xFFFFFFFFll) throw std::runtime_error("a size that cannot be");
    return static_cast<std::uint32_t>(value.integer);
}

ArgumentMetadata argument_of(const Value& value) {
    return {.name = value[".name"].text,
            .type_name = value[".type_name"].text,
            .value_kind = value[".value_kind"].text,
            .address_space = value[".address_space"].text,
            .access = value[".access"].text.empty() ? value[".actual_access"].text : value[".access"].text,
            .offset = unsigned_of(value[".offset"]),
            .size = unsigned_of(value[".size"])};
}

KernelMetadata kernel_of(const Value& value) {
    KernelMetadata kernel{.name = value[".name"].text,
                          .symbol = value[".symbol"].text,
                          .kernarg_size = unsigned_of(value[".kernarg_segment_size"]),
                          .group_size = unsigned_of(value[".group_segment_fixed_size"]),
                          .private_size = unsigned_of(value[".private_segment_fixed_size"]),
                          .uses_dynamic_stack = value[".uses_dynamic_stack"].integer != 0};
    for (const Value& argument : value[".args"].items) kernel.arguments.push_back(argument_of(argument));
    return kernel;
}

}  // namespace

std::optional<CodeObject> read_code_object(std::span<const std::uint8_t> bytes, std::string& reason) {
    Elf64_Ehdr header;
    if (!codeobj::read_header(bytes, header)) {
        reason = "it is not a 64-bit ELF file";
        return {};
    }
    if (header.e_machine != codeobj::kMachine) {
        reason = "it is an ELF file for another machine (" + std::to_string(header.e_machine) + ")";
        return {};
    }
    const codeobj::Elf elf(bytes);
    if (!elf.valid()) {
        reason = "it is cut off: its program headers lie outside";
        return {};
    }
    CodeObject object;
    object.target = std::string(codeobj::kTriple) + codeobj::target_of(header);
    for (const Elf64_Phdr& segment : elf.segments()) {
        if (segment.p_type != PT_LOAD) continue;
        if (segment.p_filesz && elf.contents(segment).empty()) {
            reason = "it is cut off: segment " + std::to_string(&segment - elf.segments().data()) + " lies outside";
            return {};
        }
        object.segments.push_back({.address = segment.p_vaddr,
                                   .memory_size = segment.p_memsz,
                                   .file_offset = segment.p_offset,
                                   .file_size = segment.p_filesz,
                                   .executable = (segment.p_flags & PF_X) != 0,
                                   .writable = (segment.p_flags & PF_W) != 0});
    }
    const Bytes metadata = elf.note("AMDGPU", kMetadataNote);
    if (metadata.empty()) {
        reason = "it has no metadata note";
        return {};
    }
    try {
        const Value root = vrocm::msgpack::parse(metadata);
        for (const Value& kernel : root["amdhsa.kernels"].items) object.kernels.push_back(kernel_of(kernel));
    } catch (const std::runtime_error& error) {
        reason = std::string("its metadata cannot be read: ") + error.what();
        return {};
    }
    return object;
}

}  // namespace rpl::snapshot
