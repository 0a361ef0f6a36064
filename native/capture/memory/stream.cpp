#include "capture/memory/stream.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "capture/bookkeeping/agents.h"
#include "capture/calls/original.h"
#include "capture/threads.h"

namespace rpl::capture {

namespace {

// What a thread reads at once: large enough for the device's copy engines, small enough for the processor's caches.
constexpr std::size_t kBlock = 16 * snapshot::kChunk;
constexpr unsigned kMostWorkers = 4;

// For memory that the application may have given back: the system copies and says no where nothing is mapped, where a
// plain access would end the process. Containers may forbid the first way; the second works for a process itself.
ssize_t read_some(std::uint64_t address, std::uint8_t* to, std::size_t size) {
    iovec here{to, size}, there{reinterpret_cast<void*>(address), size};
    const ssize_t n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (n >= 0 || (errno != EPERM && errno != ENOSYS)) return n;
    static const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    return pread(memory, to, size, static_cast<off_t>(address));
}

bool read_host(std::uint64_t address, std::uint8_t* to, std::size_t size) {
    while (size) {
        const ssize_t n = read_some(address, to, size);
        if (n <= 0) return false;
        address += static_cast<std::uint64_t>(n);
        to += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

// Where one thread has what it reads.
struct Lane {
    std::uint8_t* block = nullptr;  // the device can write there
    hsa_signal_t copied{0};
};

}  // namespace

struct MemoryStream::State {
    explicit State(hsa_agent_t agent);
    ~State();
    void serve(const Lane& lane);
    void take_blocks(const Lane& lane);
    bool read_memory(const Region& region, std::uint64_t offset, const Lane& lane, std::size_t size) const;
    bool copy(std::uint64_t from, const Lane& lane, std::size_t size) const;

    const hsa_agent_t agent, host;
    std::vector<Lane> lanes;  // one for each worker, and one for the thread that asks
    std::vector<std::thread> workers;

    // The pass that is going on.
    const Region* region = nullptr;
    const Work* work = nullptr;
    std::atomic<std::uint64_t> next{0};  // offset of the next block
    std::atomic<bool> unreadable{false};

    std::mutex mutex;
    std::condition_variable changed;
    std::uint64_t number = 0;  // of the pass
    std::size_t busy = 0;
    std::exception_ptr problem;
    bool ending = false;
};

MemoryStream::State::State(hsa_agent_t agent)
    : agent(agent), host(Agents::get().pool(Agents::get().host_pool()).owner) {
    const unsigned count = std::clamp(std::thread::hardware_concurrency(), 1u, kMostWorkers);
    for (unsigned i = 0; i < count; ++i) {
        void* memory = nullptr;
        original().check(original().amd.hsa_amd_memory_pool_allocate_fn(Agents::get().host_pool(), kBlock, 0, &memory),
                         "hsa_amd_memory_pool_allocate");
        lanes.push_back({static_cast<std::uint8_t*>(memory), make_signal(0)});
        original().check(original().amd.hsa_amd_agents_allow_access_fn(1, &agent, nullptr, memory),
                         "hsa_amd_agents_allow_access");
        if (!lanes.back().copied.handle) throw CaptureError("there is no signal left for copies");
    }
    for (unsigned i = 1; i < count; ++i) workers.push_back(quiet_thread([this, lane = lanes[i]] { serve(lane); }));
}

MemoryStream::State::~State() {
    {
        std::lock_guard lock(mutex);
        ending = true;
    }
    changed.notify_all();
    for (std::thread& worker : workers) worker.join();
    for (const Lane& lane : lanes) {
        original().amd.hsa_amd_memory_pool_free_fn(lane.block);
        original().core.hsa_signal_destroy_fn(lane.copied);
    }
}

bool MemoryStream::State::read_memory(const Region& region, std::uint64_t offset, const Lane& lane,
                                      std::size_t size) const {
    const std::uint64_t from = region.read_from + offset;
    if (region.may_be_unmapped) return read_host(from, lane.block, size);
    if (!region.host_memory) return copy(from, lane, size);
    std::memcpy(lane.block, reinterpret_cast<const void*>(from), size);
    return true;
}

// Both agents are named: hsa_memory_copy would find out for itself, and ROCr up to 7.0 takes mapped virtual memory for
// the host's, which may not touch it.
bool MemoryStream::State::copy(std::uint64_t from, const Lane& lane, std::size_t size) const {
    const auto& core = original().core;
    core.hsa_signal_store_screlease_fn(lane.copied, 1);
    if (original().amd.hsa_amd_memory_async_copy_fn(lane.block, host, reinterpret_cast<const void*>(from), agent, size,
                                                    0, nullptr, lane.copied) != HSA_STATUS_SUCCESS)
        return false;
    return core.hsa_signal_wait_scacquire_fn(lane.copied, HSA_SIGNAL_CONDITION_LT, 1, ~std::uint64_t{0},
                                             HSA_WAIT_STATE_BLOCKED) == 0;
}

void MemoryStream::State::take_blocks(const Lane& lane) try {
    std::uint8_t* const block = lane.block;
    for (;;) {
        const std::uint64_t offset = next.fetch_add(kBlock);
        if (offset >= region->size || unreadable) return;
        const std::size_t size = std::min<std::uint64_t>(kBlock, region->size - offset);
        const std::size_t chunks = (size + snapshot::kChunk - 1) / snapshot::kChunk;
        if (!read_memory(*region, offset, lane, size)) {
            unreadable = true;
            return;
        }
        std::memset(block + size, 0, chunks * snapshot::kChunk - size);
        for (std::size_t i = 0; i < chunks; ++i)
            (*work)(offset / snapshot::kChunk + i, Chunk(block + i * snapshot::kChunk, snapshot::kChunk));
    }
} catch (...) {
    next = ~std::uint64_t{0} / 2;  // nobody takes another
    std::lock_guard lock(mutex);
    if (!problem) problem = std::current_exception();
}

void MemoryStream::State::serve(const Lane& lane) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    for (;;) {
        changed.wait(lock, [&] { return ending || number != seen; });
        if (ending) return;
        seen = number;
        lock.unlock();
        take_blocks(lane);
        lock.lock();
        if (--busy == 0) changed.notify_all();
    }
}

MemoryStream::MemoryStream(hsa_agent_t agent) : state_(std::make_unique<State>(agent)) {}

MemoryStream::~MemoryStream() = default;

bool MemoryStream::pass(const Region& region, const Work& work) {
    State& s = *state_;
    s.region = &region;
    s.work = &work;
    s.next = 0;
    s.unreadable = false;
    s.problem = nullptr;
    const bool alone = region.size <= kBlock;  // not worth waking anybody
    if (!alone) {
        std::lock_guard lock(s.mutex);
        ++s.number;
        s.busy = s.workers.size();
        s.changed.notify_all();
    }
    s.take_blocks(s.lanes.front());
    std::unique_lock lock(s.mutex);
    s.changed.wait(lock, [&] { return s.busy == 0; });
    if (s.problem) std::rethrow_exception(std::exchange(s.problem, nullptr));
    return !s.unreadable;
}

bool MemoryStream::read(const Region& region, std::uint64_t address, std::span<std::uint8_t> bytes) {
    const Lane& lane = state_->lanes.front();
    for (std::size_t done = 0; done < bytes.size();) {
        const std::size_t size = std::min(kBlock, bytes.size() - done);
        if (!state_->read_memory(region, address - region.base + done, lane, size)) return false;
        std::memcpy(bytes.data() + done, lane.block, size);
        done += size;
    }
    return true;
}

}  // namespace rpl::capture
