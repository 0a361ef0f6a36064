#include "hip/module/code_object.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "codeobj/elf.h"
#include "codeobj/target.h"
#include "hip/error.h"
#include "msgpack/msgpack.h"

namespace vrocm::hip {

namespace {

// LLVM AMDGPUUsage, "Code Object V3 and later Note Records".
constexpr unsigned kNoteMetadata = 32;
// Of every processor there is: AMDGPUUsage, ".max_flat_workgroup_size" and ".wavefront_size".
constexpr std::uint32_t kLargestWorkgroup = 1024;

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
    if (value.kind == msgpack::Value::Kind::Nil) return otherwise;
    require(std::in_range<std::uint32_t>(value.integer), hipErrorInvalidImage);
    return static_cast<std::uint32_t>(value.integer);
}

KernelMetadata read_kernel(const msgpack::Value& kernel) {
    KernelMetadata made;
    made.name = kernel[".name"].text;
    made.symbol = kernel[".symbol"].text;
    made.kernarg_size = number(kernel, ".kernarg_segment_size");
    made.group_size = number(kernel, ".group_segment_fixed_size");
    made.private_size = number(kernel, ".private_segment_fixed_size");
    made.sgprs = number(kernel, ".sgpr_count");
    made.vgprs = number(kernel, ".vgpr_count");
    made.agprs = number(kernel, ".agpr_count");
    made.max_flat_workgroup_size = number(kernel, ".max_flat_workgroup_size", 1024);
    made.wavefront_size = number(kernel, ".wavefront_size", 64);
    require(made.wavefront_size == 32 || made.wavefront_size == 64, hipErrorInvalidImage);
    require(made.max_flat_workgroup_size >= 1 && made.max_flat_workgroup_size <= kLargestWorkgroup,
            hipErrorInvalidImage);
    made.dynamic_stack = number(kernel, ".uses_dynamic_stack") != 0;
    for (const msgpack::Value& argument : kernel[".args"].items) {
        KernelArgument a;
        a.kind = argument_kind(argument[".value_kind"].text);
        a.offset = number(argument, ".offset");
        a.size = number(argument, ".size");
        require(a.offset <= made.kernarg_size && a.size <= made.kernarg_size - a.offset, hipErrorInvalidImage);
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

std::shared_ptr<const CodeObject> read_code_object(std::vector<std::uint8_t> bytes) {
    auto made = std::make_shared<CodeObject>();
    made->elf = std::move(bytes);
    const codeobj::Elf elf(made->elf);
    require(elf.valid() && elf.header().e_machine == codeobj::kMachine, hipErrorInvalidImage);
    made->target = codeobj::target_of(elf.header());
    const codeobj::Bytes note = elf.note("AMDGPU", kNoteMetadata);
    if (note.empty()) return made;  // no kernels: a code object may hold variables only
    msgpack::Value root;
    try {
        root = msgpack::parse(note);
    } catch (const std::runtime_error&) {
        fail(hipErrorInvalidImage);
    }
    for (const msgpack::Value& kernel : root["amdhsa.kernels"].items) made->kernels.push_back(read_kernel(kernel));
    for (const msgpack::Value& format : root["amdhsa.printf"].items) made->printf_formats.push_back(format.text);
    return made;
}

}  // namespace vrocm::hip
