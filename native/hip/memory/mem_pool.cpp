#include "hip/memory/mem_pool.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "abi/hsa/hsa_ext_amd.h"
#include "abi/vrocm/check.h"
#include "hip/device/device.h"
#include "hip/error.h"
#include "hip/memory/allocation.h"
#include "hip/runtime.h"
#include "hip/stream/stream.h"

namespace vrocm::hip {

namespace {

// Sizes are rounded so that blocks can be used again for requests of about the same size. While the program is checked
// nothing is used again: memory ends where the program thinks it does, and is gone when it is freed.
std::size_t rounded(std::size_t size) {
    constexpr std::size_t granule = 512;
    if (vrocm_check_wanted()) return size;
    return (size + granule - 1) / granule * granule;
}

}  // namespace

bool StreamOrderedPool::Free::ready() const {
    return std::all_of(after.begin(), after.end(), [](const CompletionPtr& c) { return c->known_done(); });
}

StreamOrderedPool::~StreamOrderedPool() {
    release_beyond(0);
}

void* StreamOrderedPool::allocate(std::size_t size, Stream& stream) {
    const std::size_t wanted = rounded(size);
    std::lock_guard lock(mutex_);
    auto usable = [&](const Free& block) {
        // The stream that freed it comes to the new use after the old one anyway.
        return !vrocm_check_wanted() && block.size == wanted && (block.stream == stream.id() || block.ready());
    };
    HipAllocation made;
    if (auto found = std::find_if(free_.begin(), free_.end(), usable); found != free_.end()) {
        made.base = static_cast<std::uint8_t*>(found->pointer);
        free_.erase(found);
    } else {
        require(max_size == 0 || reserved_ + wanted <= max_size, hipErrorOutOfMemory);
        made.base = static_cast<std::uint8_t*>(allocate_device(device_, wanted, HipAllocation::Kind::Device));
        reserved_ += wanted;
        reserved_high_ = std::max(reserved_high_, reserved_);
    }
    made.size = size;
    made.device = device_.id();
    made.pool = this;
    add_allocation(made);
    used_ += wanted;
    used_high_ = std::max(used_high_, used_);
    return made.base;
}

void StreamOrderedPool::free_after(void* pointer, Stream& stream) {
    if (vrocm_check_wanted()) {
        stream.synchronize();
        return free_now(pointer);
    }
    give_back(pointer, stream.pending(), stream.id());
}

void StreamOrderedPool::free_now(void* pointer) {
    give_back(pointer, {}, 0);
}

void StreamOrderedPool::give_back(void* pointer, std::vector<CompletionPtr> after, std::uint64_t stream) {
    auto allocation = find_allocation(pointer);
    require(allocation && allocation->base == pointer && allocation->pool == this);
    require(remove_allocation(pointer) != nullptr);
    const std::size_t size = rounded(allocation->size);
    std::lock_guard lock(mutex_);
    used_ -= size;
    free_.push_back({pointer, size, std::move(after), stream});
    release_beyond(vrocm_check_wanted() ? 0 : threshold_);
}

void StreamOrderedPool::trim(std::size_t keep) {
    std::lock_guard lock(mutex_);
    release_beyond(keep);
}

void StreamOrderedPool::release_beyond(std::size_t keep) {
    for (auto block = free_.begin(); block != free_.end() && reserved_ > keep;) {
        if (!block->ready()) {
            ++block;
            continue;
        }
        hsa_amd_memory_pool_free(block->pointer);
        reserved_ -= block->size;
        block = free_.erase(block);
    }
}

void StreamOrderedPool::set(hipMemPoolAttr attribute, const void* value) {
    std::lock_guard lock(mutex_);
    std::uint64_t wide = 0;
    switch (attribute) {
        case hipMemPoolReuseFollowEventDependencies:
            std::memcpy(&follow_events_, value, sizeof(int));
            return;
        case hipMemPoolReuseAllowOpportunistic:
            std::memcpy(&opportunistic_, value, sizeof(int));
            return;
        case hipMemPoolReuseAllowInternalDependencies:
            std::memcpy(&internal_dependencies_, value, sizeof(int));
            return;
        case hipMemPoolAttrReleaseThreshold:
            std::memcpy(&threshold_, value, sizeof threshold_);
            return;
        case hipMemPoolAttrReservedMemHigh:
            std::memcpy(&wide, value, sizeof wide);
            require(wide == 0);  // a high-water mark can only be reset
            reserved_high_ = reserved_;
            return;
        case hipMemPoolAttrUsedMemHigh:
            std::memcpy(&wide, value, sizeof wide);
            require(wide == 0);
            used_high_ = used_;
            return;
        default:
            fail(hipErrorInvalidValue);
    }
}

void StreamOrderedPool::get(hipMemPoolAttr attribute, void* value) {
    std::lock_guard lock(mutex_);
    auto give = [&](auto number) { std::memcpy(value, &number, sizeof number); };
    switch (attribute) {
        case hipMemPoolReuseFollowEventDependencies:
            return give(follow_events_);
        case hipMemPoolReuseAllowOpportunistic:
            return give(opportunistic_);
        case hipMemPoolReuseAllowInternalDependencies:
            return give(internal_dependencies_);
        case hipMemPoolAttrReleaseThreshold:
            return give(threshold_);
        case hipMemPoolAttrReservedMemCurrent:
            return give(std::uint64_t{reserved_});
        case hipMemPoolAttrReservedMemHigh:
            return give(std::uint64_t{reserved_high_});
        case hipMemPoolAttrUsedMemCurrent:
            return give(std::uint64_t{used_});
        case hipMemPoolAttrUsedMemHigh:
            return give(std::uint64_t{used_high_});
        default:
            fail(hipErrorInvalidValue);
    }
}

namespace {

struct LivePools {
    std::mutex mutex;
    std::unordered_map<const StreamOrderedPool*, std::unique_ptr<StreamOrderedPool>> created;
};
LivePools& live_pools() {
    static LivePools* instance = new LivePools;
    return *instance;
}

}  // namespace

StreamOrderedPool& to_pool(hipMemPool_t handle) {
    auto* pool = reinterpret_cast<StreamOrderedPool*>(handle);
    for (const auto& device : HipRuntime::get().devices())
        if (&device->default_pool() == pool) return *pool;
    std::lock_guard lock(live_pools().mutex);
    require(pool && live_pools().created.count(pool) != 0);
    return *pool;
}

hipMemPool_t pool_handle(StreamOrderedPool& pool) {
    return reinterpret_cast<hipMemPool_t>(&pool);
}

hipMemPool_t create_pool(Device& device, std::size_t max_size) {
    auto made = std::make_unique<StreamOrderedPool>(device);
    made->max_size = max_size;
    StreamOrderedPool* raw = made.get();
    std::lock_guard lock(live_pools().mutex);
    live_pools().created.emplace(raw, std::move(made));
    return pool_handle(*raw);
}

void destroy_pool(hipMemPool_t handle) {
    StreamOrderedPool& pool = to_pool(handle);
    require(&pool != &pool.device().default_pool());
    pool.device().synchronize();
    if (&pool.device().current_pool() == &pool) pool.device().set_current_pool(nullptr);
    std::lock_guard lock(live_pools().mutex);
    live_pools().created.erase(&pool);
}

}  // namespace vrocm::hip
