#include "capture/bookkeeping/ranges.h"

#include <algorithm>
#include <iterator>

namespace rpl::capture {

namespace {

constexpr std::uint64_t kHostPage = 4096;

std::uint64_t address(const void* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
}

template <class Map>
auto values(const Map& map) {
    std::vector<typename Map::mapped_type> list;
    list.reserve(map.size());
    for (const auto& [key, value] : map) list.push_back(value);
    return list;
}

}  // namespace

Bookkeeping& bookkeeping() {
    static auto* instance = new Bookkeeping;
    return *instance;
}

void Bookkeeping::allocated(void* base, std::uint64_t size) {
    std::lock_guard lock(mutex_);
    allocations_[address(base)] = {address(base), size};
}

std::uint64_t Bookkeeping::freed(void* base) {
    std::lock_guard lock(mutex_);
    const auto known = allocations_.extract(address(base));
    return known.empty() ? 0 : known.mapped().size;
}

namespace {

template <class Map>
bool mark_arguments(Map& map, std::uint64_t at) {
    auto found = map.upper_bound(at);
    if (found == map.begin()) return false;
    auto& range = std::prev(found)->second;
    if (at - range.base >= range.size) return false;
    range.arguments = true;
    return true;
}

}  // namespace

void Bookkeeping::arguments_at(const void* pointer) {
    std::lock_guard lock(mutex_);
    const std::uint64_t at = address(pointer);
    if (!mark_arguments(allocations_, at)) mark_arguments(mappings_, at);
}

void Bookkeeping::locked(LockedRange range) {
    std::lock_guard lock(mutex_);
    const std::uint64_t host = range.host;
    locked_.emplace(host, std::move(range));
}

void Bookkeeping::unlocked(void* host) {
    std::lock_guard lock(mutex_);
    const auto [first, last] = locked_.equal_range(address(host));
    if (first != last) locked_.erase(std::prev(last));
}

// ---- virtual memory ----

void Bookkeeping::reserved(void* base, std::uint64_t size) {
    std::lock_guard lock(mutex_);
    reservations_[address(base)] = {address(base), size};
}

void Bookkeeping::unreserved(void* base) {
    std::lock_guard lock(mutex_);
    reservations_.erase(address(base));
}

void Bookkeeping::handle_made(hsa_amd_vmem_alloc_handle_t handle, std::uint64_t size, hsa_amd_memory_pool_t pool,
                              bool pinned) {
    std::lock_guard lock(mutex_);
    handles_[handle.handle] = {std::make_shared<PhysicalMemory>(PhysicalMemory{next_id_++, size, pool, pinned, false})};
}

void Bookkeeping::handle_imported(hsa_amd_vmem_alloc_handle_t handle) {
    std::lock_guard lock(mutex_);
    handles_[handle.handle] = {std::make_shared<PhysicalMemory>(PhysicalMemory{next_id_++, 0, {0}, false, true})};
}

void Bookkeeping::handle_retained(hsa_amd_vmem_alloc_handle_t handle, void* mapped) {
    std::lock_guard lock(mutex_);
    if (const auto known = handles_.find(handle.handle); known != handles_.end()) {
        ++known->second.references;
        return;
    }
    // Released before, alive through its mapping.
    auto mapping = mappings_.upper_bound(address(mapped));
    if (mapping == mappings_.begin()) return;
    handles_[handle.handle] = {std::const_pointer_cast<PhysicalMemory>(std::prev(mapping)->second.memory)};
}

void Bookkeeping::handle_released(hsa_amd_vmem_alloc_handle_t handle) {
    std::lock_guard lock(mutex_);
    const auto known = handles_.find(handle.handle);
    if (known != handles_.end() && --known->second.references == 0) handles_.erase(known);
}

void Bookkeeping::mapped(void* base, std::uint64_t size, std::uint64_t offset, hsa_amd_vmem_alloc_handle_t handle) {
    std::lock_guard lock(mutex_);
    const auto known = handles_.find(handle.handle);
    auto memory = known != handles_.end()
                      ? known->second.memory
                      : std::make_shared<PhysicalMemory>(PhysicalMemory{next_id_++, 0, {0}, false, true});
    mappings_[address(base)] = {address(base), size, offset, std::move(memory), {}};
}

void Bookkeeping::unmapped(void* base) {
    std::lock_guard lock(mutex_);
    mappings_.erase(address(base));
}

void Bookkeeping::access_set(void* base, std::uint64_t size, const hsa_amd_memory_access_desc_t* list,
                             std::size_t count) {
    std::lock_guard lock(mutex_);
    const std::uint64_t end = address(base) + size;
    for (auto at = mappings_.lower_bound(address(base)); at != mappings_.end() && at->first < end; ++at)
        for (std::size_t i = 0; i < count; ++i) at->second.access[list[i].agent_handle.handle] = list[i].permissions;
}

// ---- shared virtual memory ----

void Bookkeeping::cut_svm(std::uint64_t at) {
    const auto next = svm_.upper_bound(at);
    if (next == svm_.begin()) return;
    SvmRange& range = std::prev(next)->second;
    if (range.base == at || range.end <= at) return;
    SvmRange tail = range;
    tail.base = at;
    range.end = at;
    svm_[at] = std::move(tail);
}

void Bookkeeping::svm_set(void* base, std::uint64_t size, const hsa_amd_svm_attribute_pair_t* list, std::size_t count) {
    const std::uint64_t begin = address(base) / kHostPage * kHostPage;
    const std::uint64_t end = (address(base) + size + kHostPage - 1) / kHostPage * kHostPage;
    std::lock_guard lock(mutex_);
    cut_svm(begin);
    cut_svm(end);
    for (std::uint64_t at = begin; at < end;) {
        auto range = svm_.lower_bound(at);
        if (range == svm_.end() || range->first > at) {
            const std::uint64_t gap_end = range == svm_.end() ? end : std::min(end, range->first);
            range = svm_.emplace(at, SvmRange{at, gap_end, {}, false}).first;
        }
        for (std::size_t i = 0; i < count; ++i) {
            SvmRange& r = range->second;
            switch (list[i].attribute) {
                case HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE:
                case HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE:
                    r.agents.insert(list[i].value);
                    break;
                case HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS:
                    r.agents.erase(list[i].value);
                    break;
                case HSA_AMD_SVM_ATTRIB_READ_ONLY:
                    r.read_only = list[i].value != 0;
                    break;
                default:
                    break;
            }
        }
        at = range->second.end;
    }
}

// ---- memory of other processes ----

void Bookkeeping::attached(void* base, std::uint64_t size) {
    std::lock_guard lock(mutex_);
    foreign_[address(base)] = {address(base), size};
}

void Bookkeeping::detached(void* base) {
    std::lock_guard lock(mutex_);
    foreign_.erase(address(base));
}

// ---- what is known ----

std::vector<AllocatedRange> Bookkeeping::allocations() const {
    std::lock_guard lock(mutex_);
    return values(allocations_);
}

std::vector<LockedRange> Bookkeeping::locked_ranges() const {
    std::lock_guard lock(mutex_);
    return values(locked_);
}

std::vector<Reservation> Bookkeeping::reservations() const {
    std::lock_guard lock(mutex_);
    return values(reservations_);
}

std::vector<Mapping> Bookkeeping::mappings() const {
    std::lock_guard lock(mutex_);
    return values(mappings_);
}

std::vector<SvmRange> Bookkeeping::svm_ranges() const {
    std::lock_guard lock(mutex_);
    return values(svm_);
}

std::vector<ForeignRange> Bookkeeping::foreign_ranges() const {
    std::lock_guard lock(mutex_);
    return values(foreign_);
}

}  // namespace rpl::capture
