#include "codeobj/kernel_metadata.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "codeobj/msgpack.h"

namespace vrocm::codeobj {

namespace {

using msgpack::Value;

// LLVM AMDGPUUsage, "Code Object V3 and later Note Records".
constexpr std::uint32_t kMetadataNote = 32;

KernelArgument::Kind kind_of(std::string_view name) {
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
    const auto found = kinds.find(name);
    if (found != kinds.end()) return found->second;
    return name.starts_with("hidden_") ? Kind::UnknownHidden : Kind::Value;
}

std::uint32_t number(const Value& map, std::string_view key, std::uint32_t otherwise = 0) {
    const Value& value = map[key];
    if (value.kind == Value::Kind::Nil) return otherwise;
    if (!std::in_range<std::uint32_t>(value.integer)) throw std::runtime_error("a size that cannot be");
    return static_cast<std::uint32_t>(value.integer);
}

std::string text(const Value& map, std::string_view key) {
    return std::string(map[key].text);
}

KernelArgument argument_of(const Value& value) {
    const std::string_view access = value[".access"].text, actual = value[".actual_access"].text;
    return {.kind = kind_of(value[".value_kind"].text),
            .offset = number(value, ".offset"),
            .size = number(value, ".size"),
            .name = text(value, ".name"),
            .type_name = text(value, ".type_name"),
            .value_kind = text(value, ".value_kind"),
            .address_space = text(value, ".address_space"),
            .access = std::string(access.empty() ? actual : access)};
}

KernelMetadata kernel_of(const Value& value) {
    KernelMetadata kernel{.name = text(value, ".name"),
                          .symbol = text(value, ".symbol"),
                          .kernarg_size = number(value, ".kernarg_segment_size"),
                          .group_size = number(value, ".group_segment_fixed_size"),
                          .private_size = number(value, ".private_segment_fixed_size"),
                          .sgprs = number(value, ".sgpr_count"),
                          .vgprs = number(value, ".vgpr_count"),
                          .agprs = number(value, ".agpr_count"),
                          .max_flat_workgroup_size = number(value, ".max_flat_workgroup_size", 1024),
                          .wavefront_size = number(value, ".wavefront_size", 64),
                          .dynamic_stack = number(value, ".uses_dynamic_stack") != 0};
    for (const Value& argument : value[".args"].items) kernel.arguments.push_back(argument_of(argument));
    return kernel;
}

}  // namespace

bool KernelMetadata::uses(KernelArgument::Kind kind) const {
    return std::any_of(arguments.begin(), arguments.end(), [&](const KernelArgument& a) { return a.kind == kind; });
}

std::optional<Metadata> read_metadata(const Elf& elf) {
    const Bytes note = elf.note("AMDGPU", kMetadataNote);
    if (note.empty()) return {};
    const Value root = msgpack::parse(note);
    Metadata read;
    for (const Value& kernel : root["amdhsa.kernels"].items) read.kernels.push_back(kernel_of(kernel));
    for (const Value& format : root["amdhsa.printf"].items) read.printf_formats.emplace_back(format.text);
    return read;
}

}  // namespace vrocm::codeobj
