#include "hsa/memory/svm.h"

#include <algorithm>
#include <iterator>

#include "hsa/runtime.h"

namespace vrocm::hsa {

namespace {

constexpr std::uint64_t kDefaultGranularity = 9;  // log2 of pages: 2 MB, as the kernel driver starts with

bool gives_access(std::uint64_t attribute) {
    return attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE ||
           attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE;
}

bool is_access(std::uint64_t attribute) {
    return gives_access(attribute) || attribute == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
}

hsa_status_t check(const hsa_amd_svm_attribute_pair_t& pair) {
    if (pair.attribute == HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION || pair.attribute == HSA_AMD_SVM_ATTRIB_ACCESS_QUERY)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (pair.attribute > HSA_AMD_SVM_ATTRIB_GPU_EXEC && !is_access(pair.attribute))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (pair.attribute == HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG && pair.value > HSA_AMD_SVM_GLOBAL_FLAG_COARSE_GRAINED)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const bool names_agent =
        is_access(pair.attribute) || (pair.attribute == HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION && pair.value != 0);
    if (names_agent && !Runtime::get()->agent({pair.value})) return HSA_STATUS_ERROR_INVALID_AGENT;
    return HSA_STATUS_SUCCESS;
}

}  // namespace

void SvmAttributes::cut(std::uint64_t at) {
    const auto it = ranges_.upper_bound(at);
    if (it == ranges_.begin()) return;
    auto& [begin, range] = *std::prev(it);
    if (begin == at || range.end <= at) return;
    Range tail = range;
    tail.host_range = 0;
    range.end = at;
    expose(begin, range);
    expose(at, ranges_[at] = std::move(tail));
}

// Calls f for the attributes of every part of the range, known or new.
template <typename F>
void SvmAttributes::change(std::uint64_t begin, std::uint64_t end, F&& f) {
    cut(begin);
    cut(end);
    for (std::uint64_t at = begin; at < end;) {
        auto it = ranges_.lower_bound(at);
        if (it == ranges_.end() || it->first > at) {
            const std::uint64_t gap_end = it == ranges_.end() ? end : std::min(end, it->first);
            Range fresh;
            fresh.end = gap_end;
            fresh.attributes.values[HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY] = kDefaultGranularity;
            it = ranges_.emplace(at, std::move(fresh)).first;
        }
        f(it->second.attributes);
        expose(it->first, it->second);
        at = it->second.end;
    }
}

// Tells the simulator whether kernels may touch the range.
void SvmAttributes::expose(std::uint64_t begin, Range& range) {
    Memory& memory = Runtime::get()->memory;
    if (range.host_range) memory.host_ranges().remove(range.host_range);
    range.host_range = 0;
    bool access = false;
    for (const auto& [agent, attribute] : range.attributes.access)
        access |= gives_access(attribute) && Runtime::get()->agent({agent})->is_gpu();
    if (!access || memory.covers(reinterpret_cast<void*>(begin), 1)) return;
    range.host_range =
        memory.host_ranges().add(begin, range.end, !range.attributes.values[HSA_AMD_SVM_ATTRIB_READ_ONLY]);
}

hsa_status_t SvmAttributes::set(std::uint64_t begin, std::uint64_t size, const hsa_amd_svm_attribute_pair_t* list,
                                std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (const hsa_status_t status = check(list[i]); status != HSA_STATUS_SUCCESS) return status;
    std::lock_guard lock(mutex_);
    change(page_down(begin), page_up(begin + size), [&](Attributes& attributes) {
        for (std::size_t i = 0; i < count; ++i) {
            if (is_access(list[i].attribute))
                attributes.access[list[i].value] = list[i].attribute;
            else
                attributes.values[list[i].attribute] = list[i].value;
        }
    });
    return HSA_STATUS_SUCCESS;
}

hsa_status_t SvmAttributes::get(std::uint64_t begin, std::uint64_t size, hsa_amd_svm_attribute_pair_t* list,
                                std::size_t count) {
    std::lock_guard lock(mutex_);
    const std::uint64_t end = page_up(begin + size);
    begin = page_down(begin);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t attribute = list[i].attribute, agent = list[i].value;
        const bool query = attribute == HSA_AMD_SVM_ATTRIB_ACCESS_QUERY;
        if (is_access(attribute) || (attribute > HSA_AMD_SVM_ATTRIB_GPU_EXEC && !query))
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
        if (query && !Runtime::get()->agent({agent})) return HSA_STATUS_ERROR_INVALID_AGENT;
        const Attributes defaults = [] {
            Attributes a;
            a.values[HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY] = kDefaultGranularity;
            return a;
        }();
        const auto value_of = [&](const Attributes& a) -> std::uint64_t {
            if (!query) return a.values[attribute];
            const auto it = a.access.find(agent);
            if (it == a.access.end()) return HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
            return it->second;
        };
        bool first = true, uniform = true;
        std::uint64_t value = 0;
        for (std::uint64_t at = begin; at < end;) {
            const auto next = ranges_.upper_bound(at);
            const bool inside = next != ranges_.begin() && std::prev(next)->second.end > at;
            const std::uint64_t here = value_of(inside ? std::prev(next)->second.attributes : defaults);
            uniform &= first || here == value;
            value = first ? here : value;
            first = false;
            at = inside ? std::prev(next)->second.end : next == ranges_.end() ? end : next->first;
        }
        if (query) {
            list[i].attribute = uniform ? value : static_cast<std::uint64_t>(HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
        } else if (uniform) {
            list[i].value = value;
        } else {
            list[i].value = 0;
            if (attribute == HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG) list[i].value = HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE;
        }
    }
    return HSA_STATUS_SUCCESS;
}

void SvmAttributes::prefetched(std::uint64_t begin, std::uint64_t size, hsa_agent_t agent) {
    std::lock_guard lock(mutex_);
    change(page_down(begin), page_up(begin + size),
           [agent](Attributes& a) { a.values[HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION] = agent.handle; });
}

}  // namespace vrocm::hsa
