#include "hip/code_object.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "hip/error.h"
#include "msgpack/msgpack.h"

namespace vrocm::hip {

namespace {

// e_flags, note type and machine number: LLVM AMDGPUUsage, "ELF Code Object".
constexpr unsigned kMachineAmdgpu = 224;
constexpr unsigned kNoteMetadata = 32;

bool in_range(std::size_t offset, std::size_t size, std::size_t total) {
    return offset <= total && size <= total - offset;
}

template <class T>
T read_at(std::span<const std::uint8_t> bytes, std::size_t offset) {
    require(in_range(offset, sizeof(T), bytes.size()), hipErrorInvalidImage);
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

Elf64_Ehdr header(std::span<const std::uint8_t> bytes) {
    auto h = read_at<Elf64_Ehdr>(bytes, 0);
    require(std::memcmp(h.e_ident, ELFMAG, SELFMAG) == 0 && h.e_ident[EI_CLASS] == ELFCLASS64 &&
                h.e_machine == kMachineAmdgpu,
            hipErrorInvalidImage);
    return h;
}

// The descriptor of the AMDGPU metadata note within a PT_NOTE segment, or empty.
std::span<const std::uint8_t> metadata_note(std::span<const std::uint8_t> notes) {
    std::size_t at = 0;
    while (at + sizeof(Elf64_Nhdr) <= notes.size()) {
        auto note = read_at<Elf64_Nhdr>(notes, at);
        const std::size_t name = at + sizeof(Elf64_Nhdr);
        const std::size_t desc = name + ((note.n_namesz + 3) & ~3u);
        require(in_range(desc, note.n_descsz, notes.size()), hipErrorInvalidImage);
        if (note.n_type == kNoteMetadata && note.n_namesz == 7 && std::memcmp(&notes[name], "AMDGPU", 7) == 0)
            return notes.subspan(desc, note.n_descsz);
        at = desc + ((note.n_descsz + 3) & ~3u);
    }
    return {};
}

KernelArgument::Kind argument_kind(std::string_view name) {
    using Kind = KernelArgument::Kind;
    static const std::unordered_map<std::string_view, Kind> kinds = {
        {"dynamic_shared_pointer", Kind::DynamicShared},
        {"hidden_block_count_x", Kind::BlockCountX},
        {"hidden_block_count_y", Kind::BlockCountY},
        {"hidden_block_count_z", Kind::BlockCountZ},
        {"hidden_group_size_x", Kind::GroupSizeX},
        {"hidden_group_size_y", Kind::GroupSizeY},
        {"hidden_group_size_z", Kind::GroupSizeZ},
        {"hidden_remainder_x", Kind::RemainderX},
        {"hidden_remainder_y", Kind::RemainderY},
        {"hidden_remainder_z", Kind::RemainderZ},
        {"hidden_global_offset_x", Kind::GlobalOffsetX},
        {"hidden_global_offset_y", Kind::GlobalOffsetY},
        {"hidden_global_offset_z", Kind::GlobalOffsetZ},
        {"hidden_grid_dims", Kind::GridDims},
        {"hidden_printf_buffer", Kind::PrintfBuffer},
        {"hidden_hostcall_buffer", Kind::HostcallBuffer},
        {"hidden_multigrid_sync_arg", Kind::MultigridSync},
        {"hidden_heap_v1", Kind::HeapV1},
        {"hidden_dynamic_lds_size", Kind::DynamicLdsSize},
        {"hidden_default_queue", Kind::DefaultQueue},
        {"hidden_completion_action", Kind::CompletionAction},
        {"hidden_private_base", Kind::PrivateBase},
        {"hidden_shared_base", Kind::SharedBase},
        {"hidden_queue_ptr", Kind::QueuePtr},
        {"hidden_none", Kind::Unused},
    };
    auto found = kinds.find(name);
    if (found != kinds.end()) return found->second;
    if (name.starts_with("hidden_")) refuse(std::string(name).c_str(), "unknown hidden kernel argument");
    return Kind::Value;
}

std::uint32_t number(const msgpack::Value& map, std::string_view key, std::uint32_t otherwise = 0) {
    const msgpack::Value& value = map[key];
    return value.kind == msgpack::Value::Kind::Nil ? otherwise : static_cast<std::uint32_t>(value.integer);
}

KernelMetadata read_kernel(const msgpack::Value& kernel) {
    KernelMetadata made;
    made.name = kernel[".name"].text;
    made.symbol = kernel[".symbol"].text;
    made.kernarg_size = number(kernel, ".kernarg_segment_size");
    made.kernarg_align = std::max(number(kernel, ".kernarg_segment_align", 8), 8u);
    made.group_size = number(kernel, ".group_segment_fixed_size");
    made.private_size = number(kernel, ".private_segment_fixed_size");
    made.sgprs = number(kernel, ".sgpr_count");
    made.vgprs = number(kernel, ".vgpr_count");
    made.agprs = number(kernel, ".agpr_count");
    made.max_flat_workgroup_size = number(kernel, ".max_flat_workgroup_size", 1024);
    made.wavefront_size = number(kernel, ".wavefront_size", 64);
    made.dynamic_stack = number(kernel, ".uses_dynamic_stack") != 0;
    for (const msgpack::Value& argument : kernel[".args"].items) {
        KernelArgument a;
        a.kind = argument_kind(argument[".value_kind"].text);
        a.offset = number(argument, ".offset");
        a.size = number(argument, ".size");
        require(in_range(a.offset, a.size, made.kernarg_size), hipErrorInvalidImage);
        made.arguments.push_back(a);
    }
    auto is_explicit = [](const KernelArgument& a) {
        return a.kind == KernelArgument::Kind::Value || a.kind == KernelArgument::Kind::DynamicShared;
    };
    std::stable_partition(made.arguments.begin(), made.arguments.end(), is_explicit);
    made.explicit_arguments =
        static_cast<std::uint32_t>(std::count_if(made.arguments.begin(), made.arguments.end(), is_explicit));
    return made;
}

}  // namespace

bool KernelMetadata::uses(KernelArgument::Kind kind) const {
    return std::any_of(arguments.begin(), arguments.end(), [&](const KernelArgument& a) { return a.kind == kind; });
}

std::size_t elf_size(const void* image, std::size_t available) {
    Elf64_Ehdr h;
    std::memcpy(&h, image, sizeof h);
    require(std::memcmp(h.e_ident, ELFMAG, SELFMAG) == 0 && h.e_ident[EI_CLASS] == ELFCLASS64, hipErrorInvalidImage);
    const auto* base = static_cast<const std::uint8_t*>(image);
    require(in_range(h.e_phoff, std::size_t{h.e_phnum} * h.e_phentsize, available), hipErrorInvalidImage);
    std::size_t end = std::max<std::size_t>(h.e_shoff + std::size_t{h.e_shnum} * h.e_shentsize,
                                            h.e_phoff + std::size_t{h.e_phnum} * h.e_phentsize);
    for (unsigned i = 0; i < h.e_phnum; ++i) {
        Elf64_Phdr p;
        std::memcpy(&p, base + h.e_phoff + std::size_t{i} * h.e_phentsize, sizeof p);
        if (p.p_type == PT_LOAD || p.p_type == PT_NOTE) end = std::max<std::size_t>(end, p.p_offset + p.p_filesz);
    }
    return end;
}

std::shared_ptr<const CodeObject> read_code_object(std::span<const std::uint8_t> bytes) {
    auto made = std::make_shared<CodeObject>();
    made->elf.assign(bytes.begin(), bytes.end());
    const std::span<const std::uint8_t> elf(made->elf);
    const Elf64_Ehdr h = header(elf);
    std::span<const std::uint8_t> note;
    for (unsigned i = 0; i < h.e_phnum && note.empty(); ++i) {
        auto p = read_at<Elf64_Phdr>(elf, h.e_phoff + std::size_t{i} * h.e_phentsize);
        if (p.p_type != PT_NOTE) continue;
        require(in_range(p.p_offset, p.p_filesz, elf.size()), hipErrorInvalidImage);
        note = metadata_note(elf.subspan(p.p_offset, p.p_filesz));
    }
    if (note.empty()) return made;  // no kernels: a code object may hold variables only
    msgpack::Value root;
    try {
        root = msgpack::parse(note);
    } catch (const std::exception&) {
        fail(hipErrorInvalidImage);
    }
    std::string_view target = root["amdhsa.target"].text;
    if (auto processor = target.find("--"); processor != target.npos) made->target = target.substr(processor + 2);
    for (const msgpack::Value& kernel : root["amdhsa.kernels"].items) made->kernels.push_back(read_kernel(kernel));
    for (const msgpack::Value& format : root["amdhsa.printf"].items) made->printf_formats.push_back(format.text);
    return made;
}

}  // namespace vrocm::hip
