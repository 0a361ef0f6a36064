#include "capture/memory_stream.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "capture/agents.h"
#include "capture/original.h"
#include "capture/threads.h"

namespace rpl::capture {

namespace {

constexpr std::size_t kBlock = 64 * snapshot::kChunk;  // what is read at once: 4 MiB
constexpr unsigned kMostWorkers = 4;

// The system copies and says no where nothing is mapped; a plain access would end the process.
bool read_host(std::uint64_t address, std::uint8_t* to, std::size_t size) {
    while (size) {
        iovec here{to, size}, there{reinterpret_cast<void*>(address), size};
        const ssize_t n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
        if (n <= 0) return false;
        address += static_cast<std::uint64_t>(n);
        to += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

bool read_memory(const Region& region, std::uint64_t offset, std::uint8_t* to, std::size_t size) {
    const std::uint64_t from = region.read_from + offset;
    if (region.host_memory) return read_host(from, to, size);
    return original().core.hsa_memory_copy_fn(to, reinterpret_cast<const void*>(from), size) == HSA_STATUS_SUCCESS;
}

}  // namespace

struct MemoryStream::State {
    struct Block {
        std::uint8_t* memory = nullptr;
        std::uint64_t first_chunk = 0;
        std::size_t chunks = 0;
    };

    explicit State(hsa_agent_t agent);
    ~State();
    void work_off();
    void run(const Block& block);

    std::vector<std::uint8_t*> staging;
    bool staging_of_runtime = false;
    std::vector<std::thread> workers;

    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Block> full;
    std::vector<std::uint8_t*> free;
    const Work* work = nullptr;
    std::exception_ptr problem;
    bool ending = false;
};

// Staging from the runtime's pool, where the device can write without further ado; from the heap if there is none.
MemoryStream::State::State(hsa_agent_t agent) {
    const unsigned count = std::clamp(std::thread::hardware_concurrency(), 1u, kMostWorkers);
    const hsa_amd_memory_pool_t pool = Agents::get().host_pool();
    staging_of_runtime = pool.handle != 0;
    for (unsigned i = 0; i < count + 2; ++i) {
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
    free = staging;
    for (unsigned i = 0; i < count; ++i) workers.push_back(quiet_thread([this] { work_off(); }));
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

void MemoryStream::State::run(const Block& block) {
    for (std::size_t i = 0; i < block.chunks; ++i)
        (*work)(block.first_chunk + i, Chunk(block.memory + i * snapshot::kChunk, snapshot::kChunk));
}

void MemoryStream::State::work_off() {
    std::unique_lock lock(mutex);
    for (;;) {
        changed.wait(lock, [this] { return ending || !full.empty(); });
        if (full.empty()) return;
        const Block block = full.front();
        full.pop_front();
        const bool skip = problem != nullptr;
        lock.unlock();
        std::exception_ptr caught;
        try {
            if (!skip) run(block);
        } catch (...) {
            caught = std::current_exception();
        }
        lock.lock();
        if (caught && !problem) problem = caught;
        free.push_back(block.memory);
        changed.notify_all();
    }
}

MemoryStream::MemoryStream(hsa_agent_t agent) : state_(std::make_unique<State>(agent)) {}

MemoryStream::~MemoryStream() = default;

bool MemoryStream::pass(const Region& region, const Work& work) {
    State& s = *state_;
    std::unique_lock lock(s.mutex);
    s.work = &work;
    s.problem = nullptr;
    bool readable = true;
    for (std::uint64_t offset = 0; offset < region.size && readable && !s.problem; offset += kBlock) {
        s.changed.wait(lock, [&] { return !s.free.empty(); });
        State::Block block{s.free.back(), offset / snapshot::kChunk, 0};
        s.free.pop_back();
        lock.unlock();
        const std::size_t size = std::min<std::uint64_t>(kBlock, region.size - offset);
        block.chunks = (size + snapshot::kChunk - 1) / snapshot::kChunk;
        readable = read_memory(region, offset, block.memory, size);
        std::memset(block.memory + size, 0, block.chunks * snapshot::kChunk - size);
        std::exception_ptr caught;
        const bool alone = readable && region.size <= kBlock;  // not worth another thread
        try {
            if (alone) s.run(block);
        } catch (...) {
            caught = std::current_exception();
        }
        lock.lock();
        if (caught) s.problem = caught;
        if (readable && !alone)
            s.full.push_back(block);
        else
            s.free.push_back(block.memory);
        s.changed.notify_all();
    }
    s.changed.wait(lock, [&] { return s.free.size() == s.staging.size(); });
    s.work = nullptr;
    if (s.problem) std::rethrow_exception(std::exchange(s.problem, nullptr));
    return readable;
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
