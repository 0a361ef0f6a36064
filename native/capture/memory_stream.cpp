#include "capture/memory_stream.h"

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

#include "capture/agents.h"
#include "capture/original.h"
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

bool read_memory(const Region& region, std::uint64_t offset, std::uint8_t* to, std::size_t size) {
    const std::uint64_t from = region.read_from + offset;
    if (region.may_be_unmapped) return read_host(from, to, size);
    if (region.host_memory) {
        std::memcpy(to, reinterpret_cast<const void*>(from), size);
        return true;
    }
    return original().core.hsa_memory_copy_fn(to, reinterpret_cast<const void*>(from), size) == HSA_STATUS_SUCCESS;
}

}  // namespace

struct MemoryStream::State {
    explicit State(hsa_agent_t agent);
    ~State();
    void serve(std::uint8_t* block);
    void take_blocks(std::uint8_t* block);

    std::vector<std::uint8_t*> staging;  // one block for each worker, and one for the thread that asks
    bool staging_of_runtime = false;
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

// Staging from the runtime's pool, where the device can write without further ado; from the heap if there is none.
MemoryStream::State::State(hsa_agent_t agent) {
    const unsigned count = std::clamp(std::thread::hardware_concurrency(), 1u, kMostWorkers);
    const hsa_amd_memory_pool_t pool = Agents::get().host_pool();
    staging_of_runtime = pool.handle != 0;
    for (unsigned i = 0; i < count; ++i) {
        void* memory = nullptr;
        if (staging_of_runtime) {
            original().check(original().amd.hsa_amd_memory_pool_allocate_fn(pool, kBlock, 0, &memory),
                             "hsa_amd_memory_pool_allocate");
            original().amd.hsa_amd_agents_allow_access_fn(1, &agent, nullptr, memory);
        } else {
            memory = ::operator new(kBlock);
        }
        staging.push_back(static_cast<std::uint8_t*>(memory));
    }
    for (unsigned i = 1; i < count; ++i) workers.push_back(quiet_thread([this, block = staging[i]] { serve(block); }));
}

MemoryStream::State::~State() {
    {
        std::lock_guard lock(mutex);
        ending = true;
    }
    changed.notify_all();
    for (std::thread& worker : workers) worker.join();
    for (std::uint8_t* memory : staging) {
        if (staging_of_runtime)
            original().amd.hsa_amd_memory_pool_free_fn(memory);
        else
            ::operator delete(memory);
    }
}

void MemoryStream::State::take_blocks(std::uint8_t* block) try {
    for (;;) {
        const std::uint64_t offset = next.fetch_add(kBlock);
        if (offset >= region->size || unreadable) return;
        const std::size_t size = std::min<std::uint64_t>(kBlock, region->size - offset);
        const std::size_t chunks = (size + snapshot::kChunk - 1) / snapshot::kChunk;
        if (!read_memory(*region, offset, block, size)) {
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

void MemoryStream::State::serve(std::uint8_t* block) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    for (;;) {
        changed.wait(lock, [&] { return ending || number != seen; });
        if (ending) return;
        seen = number;
        lock.unlock();
        take_blocks(block);
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
    s.take_blocks(s.staging.front());
    std::unique_lock lock(s.mutex);
    s.changed.wait(lock, [&] { return s.busy == 0; });
    if (s.problem) std::rethrow_exception(std::exchange(s.problem, nullptr));
    return !s.unreadable;
}

bool MemoryStream::read(const Region& region, std::uint64_t address, std::span<std::uint8_t> bytes) {
    std::uint8_t* staging = state_->staging.front();
    for (std::size_t done = 0; done < bytes.size();) {
        const std::size_t size = std::min(kBlock, bytes.size() - done);
        if (!read_memory(region, address - region.base + done, staging, size)) return false;
        std::memcpy(bytes.data() + done, staging, size);
        done += size;
    }
    return true;
}

}  // namespace rpl::capture
