#include "hip/device/device.h"

#include <algorithm>
#include <cstring>

#include "hip/device/fault.h"
#include "hip/error.h"
#include "hip/memory/allocation.h"
#include "hip/memory/mem_pool.h"
#include "hip/stream/completion.h"
#include "hip/stream/stream.h"

namespace vrocm::hip {

namespace {

constexpr std::uint32_t kQueuePackets = 4096;
constexpr std::size_t kMaxQueues = 32;  // hardware has fewer still; more only cost memory

struct PoolSearch {
    hsa_amd_memory_pool_t coarse{}, fine{}, kernarg{};
};

hsa_status_t note_pool(hsa_amd_memory_pool_t pool, void* data) {
    auto& found = *static_cast<PoolSearch*>(data);
    hsa_amd_segment_t segment{};
    std::uint32_t flags = 0;
    bool usable = false;
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
    if (segment != HSA_AMD_SEGMENT_GLOBAL) return HSA_STATUS_SUCCESS;
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &usable);
    if (!usable) return HSA_STATUS_SUCCESS;
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
        found.kernarg = pool;
    else if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED)
        found.coarse = pool;
    else if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)
        found.fine = pool;
    return HSA_STATUS_SUCCESS;
}

PoolSearch pools_of(hsa_agent_t agent) {
    PoolSearch found;
    require_hsa(hsa_amd_agent_iterate_memory_pools(agent, note_pool, &found));
    return found;
}

hsa_status_t note_isa(hsa_isa_t isa, void* data) {
    *static_cast<hsa_isa_t*>(data) = isa;
    return HSA_STATUS_INFO_BREAK;  // the first is the most specific
}

}  // namespace

Device::Device(int id, hsa_agent_t agent, hsa_agent_t host) : id_(id), agent_(agent) {
    find_pools(host);
    read_target();
    properties_ = query_properties(agent_, device_pool_, target_);
    default_pool_ = std::make_unique<StreamOrderedPool>(*this);
    null_stream_ = std::make_unique<Stream>(*this, Stream::Kind::Null, hipStreamDefault, 0);
}

Device::~Device() = default;

void Device::find_pools(hsa_agent_t host) {
    const PoolSearch mine = pools_of(agent_), hosts = pools_of(host);
    device_pool_ = mine.coarse.handle ? mine.coarse : mine.fine;
    host_pool_ = hosts.fine.handle ? hosts.fine : hosts.coarse;
    kernarg_pool_ = hosts.kernarg.handle ? hosts.kernarg : host_pool_;
    require(device_pool_.handle && host_pool_.handle, hipErrorNotInitialized);
}

void Device::read_target() {
    hsa_isa_t isa{};
    require_hsa(hsa_agent_iterate_isas(agent_, note_isa, &isa));
    std::uint32_t length = 0;
    require_hsa(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length));
    std::string name(length + 1, '\0');
    require_hsa(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name.data()));
    name.resize(std::strlen(name.c_str()));
    const auto at = name.rfind("--");  // "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"
    target_ = at == name.npos ? name : name.substr(at + 2);
}

std::size_t Device::free_memory() const {
    std::uint64_t available = 0;
    require_hsa(hsa_agent_get_info(agent_, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_MEMORY_AVAIL), &available));
    return available;
}

void Device::add_stream(Stream* stream) {
    std::lock_guard lock(submission_);
    streams_.push_back(stream);
}

void Device::remove_stream(Stream* stream) {
    std::lock_guard lock(submission_);
    std::erase(streams_, stream);
}

void Device::synchronize() {
    std::vector<CompletionPtr> pending;
    {
        std::lock_guard lock(submission_);
        for (Stream* stream : streams_) stream->append_pending(pending);
    }
    for (const CompletionPtr& completion : pending) completion->wait();
    std::lock_guard lock(submission_);
    for (Stream* stream : streams_) stream->flush_printf();
}

hsa_queue_t* Device::make_queue(int priority) const {
    hsa_queue_t* queue = nullptr;
    const hsa_status_t status = hsa_queue_create(agent_, kQueuePackets, HSA_QUEUE_TYPE_MULTI, on_queue_error, nullptr,
                                                 UINT32_MAX, UINT32_MAX, &queue);
    if (status == HSA_STATUS_ERROR_OUT_OF_RESOURCES) return nullptr;
    require_hsa(status);
    hsa_amd_profiling_set_profiler_enabled(queue, 1);  // events need the times of dispatches
    if (priority != 0)
        hsa_amd_queue_set_priority(queue, priority < 0 ? HSA_AMD_QUEUE_PRIORITY_HIGH : HSA_AMD_QUEUE_PRIORITY_LOW);
    return queue;
}

DeviceQueue& Device::take_queue(int priority) {
    DeviceQueue* least_used = nullptr;
    for (DeviceQueue& queue : queues_)
        if (queue.priority == priority && (!least_used || queue.users < least_used->users)) least_used = &queue;
    if (!least_used || (least_used->users > 0 && queues_.size() < kMaxQueues)) {
        if (hsa_queue_t* made = make_queue(priority)) return queues_.emplace_back(*this, made, priority);
        // None of this priority and no more to be had: any will do.
        for (DeviceQueue& queue : queues_)
            if (!least_used || queue.users < least_used->users) least_used = &queue;
        require(least_used != nullptr, hipErrorOutOfMemory);
    }
    ++least_used->users;
    return *least_used;
}

vrocm_heap* Device::heap() {
    std::lock_guard lock(heap_mutex_);
    if (heap_) return heap_;
    // HIP's device heap grows by asking the host; this one has a fixed size, so never less than 256 MiB
    // (untouched pages cost nothing).
    const std::size_t size = std::max<std::size_t>(heap_limit.load(), std::size_t{256} << 20);
    void *block = nullptr, *memory = nullptr;
    require_hsa(hsa_amd_memory_pool_allocate(device_pool_, sizeof(vrocm_heap), 0, &block));
    require_hsa(hsa_amd_memory_pool_allocate(device_pool_, size, 0, &memory));
    std::memset(block, 0, sizeof(vrocm_heap));
    heap_ = static_cast<vrocm_heap*>(block);
    heap_->base = reinterpret_cast<std::uint64_t>(memory);
    heap_->size = size;
    return heap_;
}

StreamOrderedPool& Device::current_pool() {
    StreamOrderedPool* pool = current_pool_.load();
    return pool ? *pool : *default_pool_;
}

void Device::set_current_pool(StreamOrderedPool* pool) {
    current_pool_.store(pool);
}

void reset_device(Device& device) {
    device.synchronize();
    free_allocations_of(device.id());
    std::lock_guard lock(device.submission());
    device.peers.clear();
    device.flags = 0;
    device.cache_config = hipFuncCachePreferNone;
    device.set_current_pool(nullptr);
}

}  // namespace vrocm::hip
