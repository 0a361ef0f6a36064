#include "capture/memory/inventory.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "capture/bookkeeping/agents.h"
#include "capture/calls/original.h"
#include "snapshot/capture_keys.h"

namespace rpl::capture {

namespace {

using snapshot::keys::RegionKind;

// The addresses of this process at which something is mapped that can be read.
class MappedRanges {
  public:
    using Range = std::pair<std::uint64_t, std::uint64_t>;  // begin, end

    static MappedRanges now();
    // The parts of [begin, end) that are mapped, in order.
    std::vector<Range> within(std::uint64_t begin, std::uint64_t end) const;

  private:
    std::vector<Range> ranges_;  // in order, neighbours joined
};

MappedRanges MappedRanges::now() {
    MappedRanges made;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long long begin = 0, end = 0;
        char readable = '-';
        if (std::sscanf(line.c_str(), "%llx-%llx %c", &begin, &end, &readable) != 3 || readable != 'r') continue;
        if (!made.ranges_.empty() && made.ranges_.back().second == begin)
            made.ranges_.back().second = end;
        else
            made.ranges_.emplace_back(begin, end);
    }
    return made;
}

std::vector<MappedRanges::Range> MappedRanges::within(std::uint64_t begin, std::uint64_t end) const {
    std::vector<Range> parts;
    auto at = std::upper_bound(ranges_.begin(), ranges_.end(), begin,
                               [](std::uint64_t address, const Range& range) { return address < range.second; });
    for (; at != ranges_.end() && at->first < end; ++at)
        parts.emplace_back(std::max(begin, at->first), std::min(end, at->second));
    return parts;
}

struct PointerFacts {
    hsa_agent_t owner{0};
    std::uint32_t flags = 0;
    bool known = false, accessible = false;
};

PointerFacts facts_of(std::uint64_t address, hsa_agent_t agent) {
    hsa_amd_pointer_info_t info{};
    info.size = sizeof info;
    std::uint32_t count = 0;
    hsa_agent_t* list = nullptr;
    const hsa_status_t status =
        original().amd.hsa_amd_pointer_info_fn(reinterpret_cast<void*>(address), &info, std::malloc, &count, &list);
    PointerFacts facts;
    if (status == HSA_STATUS_SUCCESS && info.type != HSA_EXT_POINTER_TYPE_UNKNOWN) {
        facts.known = true;
        facts.owner = info.agentOwner;
        facts.flags = info.global_flags;
        // The owner needs no leave, and kernel arguments are for every GPU.
        facts.accessible = info.agentOwner.handle == agent.handle ||
                           (info.global_flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT);
        for (std::uint32_t i = 0; i < count; ++i) facts.accessible |= list[i].handle == agent.handle;
    }
    std::free(list);
    return facts;
}

class Builder {
  public:
    Builder(hsa_agent_t agent, const ObservedCode& code) : agent_(agent), code_(code) {}

    Inventory build() {
        add_allocations();
        add_mappings();
        add_globals();
        add_host_ranges();
        add_foreign();
        std::sort(made_.regions.begin(), made_.regions.end(),
                  [](const Region& a, const Region& b) { return a.base < b.base; });
        share_handles();
        made_.reservations = bookkeeping().reservations();
        return std::move(made_);
    }

  private:
    void unreachable(std::uint64_t base, std::uint64_t size, const char* what, std::string name, const char* reason,
                     bool within_reach = false) {
        made_.unreachable.push_back({.base = base,
                                     .size = size,
                                     .what = what,
                                     .name = std::move(name),
                                     .reason = reason,
                                     .within_reach = within_reach});
    }

    static std::string gpu_name(hsa_agent_t agent) {
        const auto index = Agents::get().index_of(agent);
        return index ? "GPU " + std::to_string(*index) : "the host";
    }

    void add_allocations() {
        for (const AllocatedRange& allocation : bookkeeping().allocations()) {
            const PointerFacts facts = facts_of(allocation.base, agent_);
            if (!facts.known) continue;  // given back behind our back
            const auto gpu = Agents::get().index_of(facts.owner);
            if (gpu && facts.owner.handle != agent_.handle) {
                unreachable(allocation.base, allocation.size, "peer memory", "memory of " + gpu_name(facts.owner),
                            facts.accessible ? "it lies on another GPU" : "it lies on another GPU and is not shared",
                            facts.accessible);
                continue;
            }
            if (!facts.accessible) {
                unreachable(allocation.base, allocation.size, "host memory", "host allocation",
                            "the GPU was given no access to it");
                continue;
            }
            Region region;
            region.base = region.read_from = allocation.base;
            region.size = allocation.size;
            region.kind = gpu ? RegionKind::device : RegionKind::host;
            region.pool = pool_name(facts.flags);
            region.gpu = gpu;
            region.host_memory = !gpu;
            // The pool tells as little as the place: HIP has arguments in memory of the GPU, too.
            region.arguments = region.foreign_arguments =
                allocation.arguments || (facts.flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT);
            made_.regions.push_back(std::move(region));
        }
    }

    void add_mappings() {
        for (const Mapping& mapping : bookkeeping().mappings()) {
            const PhysicalMemory& memory = *mapping.memory;
            const PoolFacts pool = Agents::get().pool(memory.pool);
            const auto gpu = Agents::get().index_of(pool.owner);
            const auto access = mapping.access.find(agent_.handle);
            const hsa_access_permission_t permission =
                access == mapping.access.end() ? HSA_ACCESS_PERMISSION_NONE : access->second;
            if (memory.imported) {
                unreachable(mapping.base, mapping.size, "ipc memory", "imported handle",
                            "another process made the memory", permission != HSA_ACCESS_PERMISSION_NONE);
                continue;
            }
            if (gpu && pool.owner.handle != agent_.handle) {
                unreachable(mapping.base, mapping.size, "peer memory", "mapping of memory of " + gpu_name(pool.owner),
                            "it lies on another GPU", permission != HSA_ACCESS_PERMISSION_NONE);
                continue;
            }
            if (permission == HSA_ACCESS_PERMISSION_NONE) {
                unreachable(mapping.base, mapping.size, "region", "mapping", "the GPU was given no access to it");
                continue;
            }
            Region region;
            region.base = region.read_from = mapping.base;
            region.size = mapping.size;
            region.kind = RegionKind::vmem;
            region.pool = pool_name(pool.flags);
            region.gpu = gpu;
            region.read_only = permission == HSA_ACCESS_PERMISSION_RO;
            region.handle = memory.id;
            region.handle_offset = mapping.offset;
            region.arguments = region.foreign_arguments = mapping.arguments;
            made_.regions.push_back(std::move(region));
            const auto same = [&](const auto& handle) { return handle->id == memory.id; };
            if (std::none_of(made_.handles.begin(), made_.handles.end(), same)) made_.handles.push_back(mapping.memory);
        }
    }

    // Data of the code object: constants and variables. The code itself comes from the file.
    void add_globals() {
        for (const Elf64_Phdr& segment : code_.object.segments) {
            if ((segment.p_flags & PF_X) || segment.p_memsz == 0) continue;
            Region region;
            region.base = region.read_from = segment.p_vaddr + static_cast<std::uint64_t>(code_.delta);
            region.size = segment.p_memsz;
            region.kind = RegionKind::globals;
            region.gpu = Agents::get().index_of(code_.agent);
            region.read_only = !(segment.p_flags & PF_W);
            made_.regions.push_back(std::move(region));
        }
        for (const auto& other : code_objects().all()) {
            if (other->base == code_.base) continue;
            const bool here = other->agent.handle == agent_.handle;
            unreachable(other->base, other->size, "code object", other->uri,
                        here ? "it is not the code object of this kernel" : "it is loaded on another GPU", here);
        }
    }

    // Ranges of the application's own memory may overlap: each byte is captured once, the smaller name first.
    void add_host_ranges() {
        for (const LockedRange& range : bookkeeping().locked_ranges()) {
            const auto all = range.agents.empty();
            if (!all && std::find(range.agents.begin(), range.agents.end(), agent_.handle) == range.agents.end()) {
                unreachable(range.agent_address, range.size, "host memory", "locked memory",
                            "the GPU was given no access to it");
                continue;
            }
            Region region;
            region.base = range.agent_address;
            region.read_from = range.host;
            region.size = range.size;
            region.kind = RegionKind::locked;
            add_host_range(region);
        }
        for (const SvmRange& range : bookkeeping().svm_ranges()) {
            if (!range.agents.contains(agent_.handle)) continue;
            Region region;
            region.base = region.read_from = range.base;
            region.size = range.end - range.base;
            region.kind = RegionKind::managed;
            region.read_only = range.read_only;
            add_host_range(region);
        }
    }

    // The application may have given parts of its memory back without a word.
    void add_host_range(const Region& whole) {
        std::uint64_t at = whole.read_from;
        const std::uint64_t end = whole.read_from + whole.size;
        const auto gone = [&](std::uint64_t until) {
            if (at < until)
                unreachable(whole.base + (at - whole.read_from), until - at, "host memory", whole.kind,
                            "the application has given it back to the system");
        };
        for (const auto& [begin, stop] : mapped_.within(at, end)) {
            gone(begin);
            add_beside_others(part_of(whole, whole.base + (begin - whole.read_from), stop - begin));
            at = stop;
        }
        gone(end);
    }

    static Region part_of(const Region& whole, std::uint64_t base, std::uint64_t size) {
        Region part = whole;
        part.base = base;
        part.size = size;
        part.read_from = whole.read_from + (base - whole.base);
        part.host_memory = part.may_be_unmapped = true;
        return part;
    }

    // What is left of `region` beside the regions that are there already.
    void add_beside_others(const Region& region) {
        std::vector<MappedRanges::Range> taken;
        for (const Region& other : made_.regions)
            if (other.base < region.end() && region.base < other.end()) taken.emplace_back(other.base, other.end());
        std::sort(taken.begin(), taken.end());
        taken.emplace_back(region.end(), region.end());
        std::uint64_t at = region.base;
        for (const auto& [begin, end] : taken) {
            if (at < begin) made_.regions.push_back(part_of(region, at, begin - at));
            at = std::max(at, end);
        }
    }

    void add_foreign() {
        for (const ForeignRange& range : bookkeeping().foreign_ranges())
            unreachable(range.base, range.size, "ipc memory", "attached memory", "it belongs to another process", true);
    }

    // One handle mapped several times is read once, if a mapping has all of it that another has. What lies at another
    // offset is read for itself: runtimes do not agree on what memory it is.
    void share_handles() {
        std::map<std::uint64_t, std::vector<const Region*>> stored;
        for (Region& region : made_.regions) {
            if (!region.handle) continue;
            auto& before = stored[*region.handle];
            const auto covers = [&](const Region* other) {
                return other->handle_offset == region.handle_offset && region.size <= other->size;
            };
            region.stored = std::none_of(before.begin(), before.end(), covers);
            if (region.stored) before.push_back(&region);
        }
    }

    hsa_agent_t agent_;
    const ObservedCode& code_;
    const MappedRanges mapped_ = MappedRanges::now();
    Inventory made_;
};

}  // namespace

Inventory Inventory::of(hsa_agent_t agent, const ObservedCode& code) {
    return Builder(agent, code).build();
}

const Region* Inventory::find(std::uint64_t address) const {
    auto next = std::upper_bound(regions.begin(), regions.end(), address,
                                 [](std::uint64_t a, const Region& region) { return a < region.base; });
    if (next == regions.begin()) return nullptr;
    const Region& region = *std::prev(next);
    return region.contains(address) ? &region : nullptr;
}

void Inventory::follow(std::span<const std::uint8_t> kernarg) {
    for (std::size_t at = 0; at + 8 <= kernarg.size(); at += 4) {  // pointers in packed structures too
        std::uint64_t word;
        std::memcpy(&word, kernarg.data() + at, sizeof word);
        if (const Region* region = find(word))
            regions[static_cast<std::size_t>(region - regions.data())].foreign_arguments = false;
        for (Unreachable& range : unreachable) range.pointed_at |= range.contains(word);
    }
}

}  // namespace rpl::capture
