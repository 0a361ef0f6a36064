#include "sim/memory/address_space.h"

#include <algorithm>

namespace vrocm::sim {

AddressSpace& AddressSpace::process() {
    // Never destroyed: threads of the runtime may outlive static destructors.
    static AddressSpace* space = new AddressSpace;
    return *space;
}

void AddressSpace::add(Allocation allocation) {
    std::lock_guard lock(mutex_);
    for (auto it = freed_.lower_bound(allocation.base); it != freed_.end() && it->first < allocation.end();)
        it = freed_.erase(it);
    allocations_[allocation.base] = std::move(allocation);
    ranges_.reset();
    version_.fetch_add(1, std::memory_order_release);
}

bool AddressSpace::remove(std::uint64_t base) {
    std::lock_guard lock(mutex_);
    const auto it = allocations_.find(base);
    if (it == allocations_.end()) return false;
    if (remembers_freed_) freed_[base] = std::move(it->second);
    allocations_.erase(it);
    ranges_.reset();
    version_.fetch_add(1, std::memory_order_release);
    return true;
}

void AddressSpace::remember_freed() {
    std::lock_guard lock(mutex_);
    remembers_freed_ = true;
}

std::optional<Allocation> AddressSpace::freed(std::uint64_t address) const {
    std::lock_guard lock(mutex_);
    auto it = freed_.upper_bound(address);
    if (it == freed_.begin()) return std::nullopt;
    --it;
    return address - it->first < it->second.size ? std::optional(it->second) : std::nullopt;
}

std::optional<Allocation> AddressSpace::find(std::uint64_t address) const {
    std::lock_guard lock(mutex_);
    auto it = allocations_.upper_bound(address);
    if (it == allocations_.begin()) return std::nullopt;
    --it;
    if (address - it->second.base >= it->second.accessible) return std::nullopt;
    return it->second;
}

static bool runtimes_own(const Allocation& allocation) {
    return allocation.kind == "code" || allocation.kind == "queue" || allocation.kind == "signals";
}

std::optional<Allocation> AddressSpace::nearest(std::uint64_t address) const {
    std::lock_guard lock(mutex_);
    const Allocation* best = nullptr;
    std::uint64_t best_distance = 0;
    for (const auto& [base, allocation] : allocations_) {
        const std::uint64_t distance = address < base               ? base - address
                                       : address < allocation.end() ? 0
                                                                    : address - allocation.end();
        // An index that went wrong started in a buffer; the runtime's own memory is named when there is nothing else.
        const bool own = runtimes_own(allocation);
        const bool better = !best || (own == runtimes_own(*best) ? distance < best_distance : !own);
        if (!better) continue;
        best = &allocation;
        best_distance = distance;
    }
    return best ? std::optional(*best) : std::nullopt;
}

std::shared_ptr<const AddressSpace::Ranges> AddressSpace::ranges(std::uint64_t& version) const {
    std::lock_guard lock(mutex_);
    version = version_.load(std::memory_order_acquire);
    if (ranges_) return ranges_;
    auto made = std::make_shared<Ranges>();
    made->reserve(allocations_.size());
    const auto append = [&made](const Range& range) {
        if (range.begin >= range.end) return;
        if (!made->empty()) {
            Range& last = made->back();
            if (last.end == range.begin && last.readable == range.readable && last.writable == range.writable &&
                last.shift == range.shift) {
                last.end = range.end;
                return;
            }
            if (last.end > range.begin) last.end = range.begin;  // overlapping registrations: the later base decides
        }
        made->push_back(range);
    };
    const auto append_rest_of_block = [&](std::uint64_t begin, std::uint64_t end) {
        append({.begin = made->empty() ? begin : std::max(begin, made->back().end), .end = end, .readable = true});
    };
    std::uint64_t block_end = 0;
    for (const auto& [base, a] : allocations_) {
        if (a.accessible == 0) continue;
        append_rest_of_block(0, std::min(block_end, base));
        append_rest_of_block(a.block_begin, a.block_end ? base : 0);
        append({base, a.end(), a.device_readable, a.device_writable, a.shift});
        block_end = a.block_end;
    }
    append_rest_of_block(0, block_end);
    ranges_ = made;
    return ranges_;
}

std::uint8_t* RangeCache::refill(AddressSpace& space, std::uint64_t address, std::uint64_t bytes, bool write) {
    if (!ranges_ || space.version() != version_) {
        ranges_ = space.ranges(version_);
        std::fill(std::begin(entries_), std::end(entries_), Entry{});
    }
    auto it = std::upper_bound(ranges_->begin(), ranges_->end(), address,
                               [](std::uint64_t a, const Entry& e) { return a < e.begin; });
    if (it == ranges_->begin()) return nullptr;
    --it;
    Entry found = *it;
    if (!(write ? found.writable : found.readable)) return nullptr;
    if (!write && address + bytes > found.end) found = readable_from(*ranges_, it);
    if (bytes > found.end - found.begin || address - found.begin > found.end - found.begin - bytes) return nullptr;
    entries_[victim_++ % kEntries] = found;
    return place(found, address);
}

RangeCache::Entry RangeCache::readable_from(const AddressSpace::Ranges& ranges,
                                            AddressSpace::Ranges::const_iterator first) {
    Entry all = *first;
    all.writable = false;
    for (auto next = first + 1; next != ranges.end(); ++next) {
        if (next->begin != all.end || !next->readable || next->shift != all.shift) break;
        all.end = next->end;
    }
    return all;
}

RangeCache& thread_ranges() {
    thread_local RangeCache cache;
    return cache;
}

}  // namespace vrocm::sim
