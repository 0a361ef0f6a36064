#include "snapshot/kernel_metadata.h"

#include <cstring>
#include <stdexcept>
#include <string_view>

#include "msgpack/msgpack.h"

namespace rpl::snapshot {

namespace {

using Bytes = std::span<const std::uint8_t>;
using vrocm::msgpack::Value;

// ELF-64, little-endian (System V ABI, "Object files"); the numbers of AMDGPU are LLVM's AMDGPUUsage, "ELF Code
// Object".
struct ElfHeader {
    std::uint8_t ident[16];
    std::uint16_t type, machine;
    std::uint32_t version;
    std::uint64_t entry, program_headers, section_headers;
    std::uint32_t flags;
    std::uint16_t size, program_header_size, program_header_count, section_header_size, section_header_count,
        section_names;
};
static_assert(sizeof(ElfHeader) == 64);
struct ProgramHeader {
    std::uint32_t type, flags;
    std::uint64_t offset, address, physical, file_size, memory_size, alignment;
};
static_assert(sizeof(ProgramHeader) == 56);
struct NoteHeader {
    std::uint32_t name_size, content_size, type;
};
constexpr std::uint16_t kMachineAmdgpu = 224;
constexpr std::uint32_t kLoad = 1, kNote = 4, kExecutable = 1, kWritable = 2;
constexpr std::uint32_t kMetadataNote = 32;

template <class T>
bool read(Bytes bytes, std::uint64_t offset, T& into) {
    if (offset > bytes.size() || sizeof into > bytes.size() - offset) return false;
    std::memcpy(&into, bytes.data() + offset, sizeof into);
    return true;
}

bool part(Bytes bytes, std::uint64_t offset, std::uint64_t size, Bytes& into) {
    if (offset > bytes.size() || size > bytes.size() - offset) return false;
    into = bytes.subspan(offset, size);
    return true;
}

// The metadata among the notes of a segment; empty when it is not there.
Bytes find_metadata(Bytes notes) {
    const auto padded = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
    std::uint64_t at = 0;
    NoteHeader header;
    while (read(notes, at, header)) {
        Bytes name, content;
        at += sizeof header;
        if (!part(notes, at, header.name_size, name)) break;
        at += padded(header.name_size);
        if (!part(notes, at, header.content_size, content)) break;
        at += padded(header.content_size);
        constexpr std::string_view kOwner{"AMDGPU", 7};  // with its zero
        if (header.type == kMetadataNote && name.size() == kOwner.size() &&
            std::memcmp(name.data(), kOwner.data(), name.size()) == 0)
            return content;
    }
    return {};
}

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
    ElfHeader elf;
    constexpr std::uint8_t kIdent[] = {0x7F, 'E', 'L', 'F', 2, 1};  // 64 bits, little-endian
    if (!read(bytes, 0, elf) || std::memcmp(elf.ident, kIdent, sizeof kIdent) != 0) {
        reason = "it is not a 64-bit ELF file";
        return {};
    }
    if (elf.machine != kMachineAmdgpu) {
        reason = "it is an ELF file for another machine (" + std::to_string(elf.machine) + ")";
        return {};
    }
    CodeObject object;
    Bytes metadata;
    for (std::uint64_t i = 0; i < elf.program_header_count; ++i) {
        ProgramHeader header;
        Bytes content;
        if (elf.program_headers > bytes.size() || elf.program_header_size < sizeof header ||
            !read(bytes, elf.program_headers + i * elf.program_header_size, header)) {
            reason = "it is cut off: program header " + std::to_string(i) + " lies outside";
            return {};
        }
        if (header.type != kLoad && header.type != kNote) continue;
        if (!part(bytes, header.offset, header.file_size, content)) {
            reason = "it is cut off: segment " + std::to_string(i) + " lies outside";
            return {};
        }
        if (header.type == kLoad)
            object.segments.push_back({.address = header.address,
                                       .memory_size = header.memory_size,
                                       .file_offset = header.offset,
                                       .file_size = header.file_size,
                                       .executable = (header.flags & kExecutable) != 0,
                                       .writable = (header.flags & kWritable) != 0});
        else if (metadata.empty())
            metadata = find_metadata(content);
    }
    if (metadata.empty()) {
        reason = "it has no metadata note";
        return {};
    }
    try {
        const Value root = vrocm::msgpack::parse(metadata);
        object.target = root["amdhsa.target"].text;
        for (const Value& kernel : root["amdhsa.kernels"].items) object.kernels.push_back(kernel_of(kernel));
    } catch (const std::runtime_error& error) {
        reason = std::string("its metadata cannot be read: ") + error.what();
        return {};
    }
    return object;
}

}  // namespace rpl::snapshot
