#include "replay/device/copy_lane.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>

#include "replay/failure.h"

namespace rpl::replay {

namespace {

constexpr std::size_t kBounce = 64u << 10;
constexpr unsigned kMostLanes = 4;  // decoding keeps up with the link by then
// Of one copy, which is a few MiB at most and takes milliseconds.
constexpr std::chrono::seconds kLongestCopy{120};
using Clock = std::chrono::steady_clock;

}  // namespace

PinnedMemory::PinnedMemory(const HsaLibrary& hsa, const ReplayDevice& device, hsa_amd_memory_pool_t pool,
                           std::size_t size)
    : hsa_(hsa), size_(size) {
    hsa.check(hsa.hsa_amd_memory_pool_allocate(pool, size, 0, &memory_),
              "allocating " + std::to_string(size) + " bytes of host memory");
    hsa.check(hsa.hsa_amd_agents_allow_access(1, &device.agent, nullptr, memory_),
              "giving the GPU access to host memory");
}

PinnedMemory::~PinnedMemory() {
    if (memory_) hsa_.hsa_amd_memory_pool_free(memory_);
}

CopyLane::CopyLane(const HsaLibrary& hsa, const ReplayDevice& device)
    : hsa_(hsa),
      device_(device),
      turn_(hsa.timestamp_frequency()),
      staging_(hsa, device, device.host, kStaging),
      bounce_(hsa, device, device.host, kBounce) {
    hsa.check(hsa.hsa_signal_create(0, 0, nullptr, &done_), "making a signal");
}

CopyLane::~CopyLane() {
    hsa_.hsa_signal_destroy(done_);
}

void CopyLane::copy(void* to, hsa_agent_t to_agent, const void* from, hsa_agent_t from_agent, std::size_t size) {
    hsa_.hsa_signal_store_screlease(done_, 1);
    hsa_.check(hsa_.hsa_amd_memory_async_copy(to, to_agent, from, from_agent, size, 0, nullptr, done_),
               "copying " + std::to_string(size) + " bytes");
    const auto until = Clock::now() + kLongestCopy;
    hsa_signal_value_t value;
    while ((value = hsa_.hsa_signal_wait_scacquire(done_, HSA_SIGNAL_CONDITION_LT, 1, turn_, HSA_WAIT_STATE_BLOCKED)) >
           0)
        if (Clock::now() >= until)
            throw Failure{ExitCode::TimedOut, "timeout",
                          "a copy of " + std::to_string(size) + " bytes was not done after " +
                              std::to_string(kLongestCopy.count()) + " s",
                          "the GPU does not answer: see whether another process holds it, and reset it if need be"};
    if (value < 0) hsa_.check(HSA_STATUS_ERROR, "copying " + std::to_string(size) + " bytes");
}

void CopyLane::to_device(std::uint64_t to, const std::uint8_t* from, std::size_t size, bool pinned) {
    while (size) {
        const std::size_t part = pinned ? size : std::min(size, bounce_.size());
        if (!pinned) std::memcpy(bounce_.data(), from, part);
        copy(reinterpret_cast<void*>(to), device_.agent, pinned ? from : bounce_.data(), device_.cpu, part);
        to += part;
        from += part;
        size -= part;
    }
}

void CopyLane::from_device(std::uint8_t* to, std::uint64_t from, std::size_t size, bool pinned) {
    while (size) {
        const std::size_t part = pinned ? size : std::min(size, bounce_.size());
        copy(pinned ? to : bounce_.data(), device_.cpu, reinterpret_cast<void*>(from), device_.agent, part);
        if (!pinned) std::memcpy(to, bounce_.data(), part);
        to += part;
        from += part;
        size -= part;
    }
}

// The first bytes come from the host, the others from those before them. hsa_amd_memory_fill does not serve: ROCr up to
// 7.0 takes mapped memory for the host's, which may not touch it.
void CopyLane::zero_device(std::uint64_t to, std::size_t size) {
    std::size_t done = std::min(size, bounce_.size());
    std::memset(bounce_.data(), 0, done);
    to_device(to, bounce_.data(), done, true);
    while (done < size) {
        const std::size_t part = std::min(done, size - done);
        copy(reinterpret_cast<void*>(to + done), device_.agent, reinterpret_cast<const void*>(to), device_.agent, part);
        done += part;
    }
}

CopyLanes::CopyLanes(const HsaLibrary& hsa, const ReplayDevice& device) {
    const unsigned count = std::clamp(std::thread::hardware_concurrency(), 1u, kMostLanes);
    for (unsigned i = 0; i < count; ++i) lanes_.push_back(std::make_unique<CopyLane>(hsa, device));
}

void CopyLanes::for_each(std::size_t tasks, const std::function<void(CopyLane&, std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr error;
    std::mutex error_mutex;
    const auto serve = [&](CopyLane& lane) {
        try {
            for (std::size_t task; !failed && (task = next++) < tasks;) work(lane, task);
        } catch (...) {
            std::lock_guard lock(error_mutex);
            if (!failed.exchange(true)) error = std::current_exception();
        }
    };
    constexpr std::size_t kWorthAThread = 8;  // tasks; starting a thread costs about as much as a few small copies
    const std::size_t threads = std::min(lanes_.size(), std::max<std::size_t>(tasks / kWorthAThread, 1));
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(serve, std::ref(*lanes_[i]));
    serve(*lanes_.front());
    for (std::thread& thread : others) thread.join();
    if (error) std::rethrow_exception(error);
}

}  // namespace rpl::replay
