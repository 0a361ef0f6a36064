#include "replay/code/kernel_arguments.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "replay/failure.h"

namespace rpl::replay {

namespace {

using vrocm::codeobj::KernelArgument;
using vrocm::codeobj::KernelMetadata;

// Kinds that belong to the process: what they are here. Nothing for the others.
std::optional<std::uint64_t> value_in_this_process(const std::string& kind, std::uint64_t queue) {
    if (kind == "hidden_queue_ptr") return queue;
    // Queues and events of device-side enqueue, which no compiler for these GPUs uses any more.
    if (kind == "hidden_default_queue" || kind == "hidden_completion_action") return 0;
    return std::nullopt;
}

// Kinds that follow from the geometry (LLVM AMDGPUUsage, "Code Object V5 Metadata").
std::optional<std::uint64_t> value_from_geometry(const std::string& kind, const Capture& c) {
    const char axis = kind.empty() ? ' ' : kind.back();
    const int i = axis == 'x' ? 0 : axis == 'y' ? 1 : axis == 'z' ? 2 : -1;
    if (i >= 0 && kind.starts_with("hidden_block_count_")) return c.grid[i] / c.workgroup[i];
    if (i >= 0 && kind.starts_with("hidden_group_size_")) return c.workgroup[i];
    if (i >= 0 && kind.starts_with("hidden_remainder_")) return c.grid[i] % c.workgroup[i];
    if (i >= 0 && kind.starts_with("hidden_global_offset_")) return 0;
    if (kind == "hidden_grid_dims") return c.dimensions;
    if (kind == "hidden_dynamic_lds_size") return c.dynamic_group_size;
    if (kind == "hidden_none") return 0;
    return std::nullopt;
}

void put(std::vector<std::uint8_t>& bytes, const KernelArgument& argument, std::uint64_t value) {
    const std::size_t size = std::min<std::size_t>(argument.size, sizeof value);
    if (argument.offset + size <= bytes.size()) std::memcpy(bytes.data() + argument.offset, &value, size);
}

std::string listing(const KernelMetadata& kernel) {
    std::string text;
    for (const KernelArgument& a : kernel.arguments) {
        if (a.is_hidden()) continue;
        if (!text.empty()) text += ", ";
        text += a.value_kind + (a.name.empty() ? "" : " " + a.name) + " (" + std::to_string(a.size) + " bytes at " +
                std::to_string(a.offset) + ")";
    }
    return text.empty() ? "no arguments" : text;
}

void check_signature(const Capture& capture, const KernelMetadata& variant, const std::string& path) {
    const auto explicit_ones = [](const KernelMetadata& kernel) {
        std::vector<KernelArgument> arguments;
        std::copy_if(kernel.arguments.begin(), kernel.arguments.end(), std::back_inserter(arguments),
                     [](const KernelArgument& a) { return !a.is_hidden(); });
        return arguments;
    };
    const auto captured = explicit_ones(capture.metadata()), given = explicit_ones(variant);
    const bool agree = std::equal(captured.begin(), captured.end(), given.begin(), given.end(),
                                  [](const KernelArgument& a, const KernelArgument& b) {
                                      return a.offset == b.offset && a.size == b.size && a.value_kind == b.value_kind;
                                  });
    if (agree) return;
    throw Failure{ExitCode::BadInput, "signature",
                  "kernel " + capture.kernel + " takes other arguments in " + path +
                      ". Captured: " + listing(capture.metadata()) + ". There: " + listing(variant),
                  "the captured arguments fit only a kernel with the same parameters in the same order; keep the "
                  "signature, or capture the program that was built from the new source"};
}

// Memory that the host serves while the kernel runs; the captured process had it or not.
const std::set<std::string> kServedByHost{"hidden_hostcall_buffer", "hidden_printf_buffer", "hidden_heap_v1",
                                          "hidden_multigrid_sync_arg"};

}  // namespace

KernelArguments rebind(const Capture& capture, std::uint64_t queue) {
    KernelArguments result{capture.kernarg, {}, {}};
    for (const KernelArgument& argument : capture.metadata().arguments) {
        const auto value = value_in_this_process(argument.value_kind, queue);
        if (!value) continue;
        put(result.bytes, argument, *value);
        result.rebound.push_back(argument.value_kind);
    }
    return result;
}

KernelArguments rebind_for_variant(const Capture& capture, const KernelMetadata& variant, const std::string& path,
                                   std::uint64_t queue) {
    check_signature(capture, variant, path);
    const KernelMetadata& original = capture.metadata();
    KernelArguments result;
    result.bytes.assign(std::max<std::size_t>(variant.kernarg_size, 0), 0);
    for (const KernelArgument& a : variant.arguments) {
        if (!a.lies_in(result.bytes.size()) || (!a.is_hidden() && !a.lies_in(capture.kernarg.size())))
            throw Failure{ExitCode::BadInput, "code object",
                          path + ": an argument of " + capture.kernel + " lies outside its kernarg segment",
                          "build the code object again"};
        if (!a.is_hidden()) {
            std::memcpy(result.bytes.data() + a.offset, capture.kernarg.data() + a.offset, a.size);
            continue;
        }
        const auto same = std::find_if(original.arguments.begin(), original.arguments.end(),
                                       [&](const KernelArgument& o) { return o.value_kind == a.value_kind; });
        if (const auto value = value_in_this_process(a.value_kind, queue)) {
            put(result.bytes, a, *value);
            result.rebound.push_back(a.value_kind);
        } else if (same != original.arguments.end() && same->size == a.size && same->lies_in(capture.kernarg.size())) {
            std::memcpy(result.bytes.data() + a.offset, capture.kernarg.data() + same->offset, a.size);
        } else if (const auto from_geometry = value_from_geometry(a.value_kind, capture)) {
            put(result.bytes, a, *from_geometry);
            result.rebound.push_back(a.value_kind);
        } else if (kServedByHost.contains(a.value_kind)) {
            result.notes.push_back(a.value_kind + " is null: the captured kernel has no such argument");
        } else {
            throw Failure{ExitCode::Refused, "hidden argument",
                          path + ": " + capture.kernel + " takes the hidden argument " + a.value_kind +
                              ", which the capture has no value for",
                          "build the variant so that it does not use this (device printf, malloc, cooperative groups "
                          "of several GPUs), or capture a program that does"};
        }
    }
    return result;
}

const KernelMetadata& same_kernel(const Capture& capture, const vrocm::codeobj::CodeObject& code,
                                  const std::string& path) {
    std::string names;
    for (const KernelMetadata& kernel : code.kernels) {
        if (kernel.name == capture.kernel) return kernel;
        names += (names.empty() ? "" : ", ") + kernel.name;
    }
    throw Failure{ExitCode::BadInput, "code object",
                  path + " does not have kernel " + capture.kernel + "; it has " + (names.empty() ? "none" : names),
                  "a variant keeps the (mangled) name of the captured kernel: same namespace, parameters and template "
                  "arguments"};
}

}  // namespace rpl::replay
