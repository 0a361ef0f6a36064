#include <algorithm>
#include <cstring>

#include "capture/calls/original.h"
#include "capture/documents/documents.h"
#include "snapshot/capture_keys.h"

namespace rpl::capture {

using snapshot::Json;
using vrocm::codeobj::KernelArgument;

namespace {

std::string hexadecimal(std::span<const std::uint8_t> bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : bytes) {
        text.push_back(kDigits[byte >> 4]);
        text.push_back(kDigits[byte & 15]);
    }
    return text;
}

Json text_or_null(const std::string& text) {
    return text.empty() ? Json() : Json(text);
}

// Whether the value is an address of memory that the kernel uses.
bool is_pointer(const KernelArgument& argument) {
    constexpr std::string_view kHidden[] = {"hidden_heap_v1", "hidden_printf_buffer", "hidden_multigrid_sync_arg",
                                            "hidden_hostcall_buffer"};
    return argument.size == 8 &&
           (argument.value_kind == "global_buffer" ||
            std::find(std::begin(kHidden), std::end(kHidden), argument.value_kind) != std::end(kHidden));
}

bool is_rebound(const std::string& kind) {
    return kind == "hidden_queue_ptr" || kind == "hidden_default_queue" || kind == "hidden_completion_action";
}

bool is_image(const std::string& kind) {
    return kind == "image" || kind == "sampler" || kind == "pipe" || kind == "queue";
}

// The host takes part in these while the kernel runs, or their state is the runtime's.
void judge_hidden_pointer(const KernelArgument& argument, std::uint64_t value, const Region* region, VerdictItem item,
                          Verdict& verdict) {
    const bool captured = region != nullptr;
    if (argument.value_kind == "hidden_hostcall_buffer") {
        item.outcome = Outcome::Refused;
        item.reason = "the host has to answer the kernel's calls (hostcall)";
    } else if (argument.value_kind == "hidden_heap_v1") {
        item.outcome = captured ? Outcome::Captured : Outcome::Refused;
        item.reason = captured ? "the heap as it is; making it larger needs the host"
                               : "the device heap lies in memory that is not captured";
    } else if (argument.value_kind == "hidden_printf_buffer") {
        item.outcome = captured ? Outcome::Captured : Outcome::Refused;
        item.reason = captured ? "what a replay prints is not shown" : "the buffer lies in memory that is not captured";
    } else {
        item.outcome = captured ? Outcome::Captured : Outcome::Refused;
        item.reason = captured ? "" : "it points to memory that is not captured";
    }
    item.address = value;
    verdict.add(std::move(item));
}

void judge(const KernelArgument& argument, std::uint64_t value, const Inventory& inventory, const Region* region,
           Verdict& verdict) {
    const bool hidden = argument.is_hidden();
    VerdictItem item{.what = hidden ? "hidden argument" : "argument",
                     .name = argument.name.empty() ? argument.value_kind : argument.name};
    if (is_image(argument.value_kind)) {
        item.what = "image";
        item.outcome = Outcome::Refused;
        item.reason = "arguments of kind " + argument.value_kind + " cannot be restored";
        return verdict.add(std::move(item));
    }
    if (is_rebound(argument.value_kind)) {
        item.outcome = Outcome::Rebound;
        item.reason = "the replaying process has its own";
        return verdict.add(std::move(item));
    }
    if (!is_pointer(argument) || value == 0) return;
    if (hidden) return judge_hidden_pointer(argument, value, region, std::move(item), verdict);
    if (region) return;
    item.address = value;
    for (const Unreachable& range : inventory.unreachable)
        if (range.contains(value) && range.within_reach) return;  // the verdict on that memory says it
    bool reaches_all = false;                                     // also what malloc gave
    original().core.hsa_system_get_info_fn(
        static_cast<hsa_system_info_t>(HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT), &reaches_all);
    item.outcome = reaches_all ? Outcome::Refused : Outcome::LeftOut;
    item.reason = "it points to memory that the runtime does not know";
    if (reaches_all) item.reason += ", and on this system the GPU reaches any memory of the process";
    verdict.add(std::move(item));
}

}  // namespace

Json describe_arguments(const Kernel& kernel, std::span<const std::uint8_t> kernarg, const Inventory& inventory,
                        Verdict& verdict) {
    using K = snapshot::keys::CapturedArgument;
    Json list = Json::array();
    if (!kernel.metadata) return list;
    int index = 0;
    for (const KernelArgument& argument : kernel.metadata->arguments) {
        const auto bytes =
            argument.lies_in(kernarg.size()) ? kernarg.subspan(argument.offset, argument.size) : kernarg.first(0);
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data(), std::min<std::size_t>(bytes.size(), sizeof value));
        const Region* region = is_pointer(argument) && value ? inventory.find(value) : nullptr;
        judge(argument, value, inventory, region, verdict);
        list.add(Json::object()
                     .set(K::index, index++)
                     .set(K::name, text_or_null(argument.name))
                     .set(K::offset, argument.offset)
                     .set(K::size, argument.size)
                     .set(K::value_kind, argument.value_kind)
                     .set(K::address_space, text_or_null(argument.address_space))
                     .set(K::access, text_or_null(argument.access))
                     .set(K::value, hexadecimal(bytes))
                     .set(K::region, region ? Json::address(region->base) : Json())
                     .set(K::region_offset, region ? Json(value - region->base) : Json()));
    }
    return list;
}

}  // namespace rpl::capture
