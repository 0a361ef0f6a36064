#include "hsa/memory/copy_engine.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "abi/vrocm/check.h"
#include "hsa/memory/address_arena.h"
#include "hsa/runtime.h"
#include "hsa/signal/poll_loop.h"
#include "hsa/time/clock.h"

namespace vrocm::hsa {

namespace {

// Addresses for mappings, of which there is none.
bool only_reserved(const void* pointer) {
    const auto range = Runtime::get()->virtual_memory.reservation(reinterpret_cast<std::uint64_t>(pointer));
    return range && range->registered;
}

// Where the bytes are for who moves them; null, with a message, when they are nowhere.
void* place_of(const void* pointer, std::uint64_t size, Mover mover) {
    if (mover == Mover::Gpu) {
        void* const view = Runtime::get()->memory.gpu_view(pointer, size);
        if (view != pointer) return view;
    }
    if (size == 0 || Runtime::get()->memory.covers(pointer, size)) return const_cast<void*>(pointer);
    // Not the runtime's: fine when the pages exist, which msync tells without changing anything.
    const auto begin = page_down(reinterpret_cast<std::uint64_t>(pointer));
    const auto end = page_up(reinterpret_cast<std::uint64_t>(pointer) + size);
    const bool nowhere = mover == Mover::Gpu && only_reserved(pointer);
    if (!nowhere && end > begin && msync(reinterpret_cast<void*>(begin), end - begin, MS_ASYNC) == 0)
        return const_cast<void*>(pointer);
    std::fprintf(stderr, "vrocm: copy refused: %llu bytes at %p are not mapped in this process\n",
                 static_cast<unsigned long long>(size), pointer);
    return nullptr;
}

}  // namespace

bool copy_bytes(void* to, const void* from, std::size_t size, Mover mover) {
    void* const target = place_of(to, size, mover);
    const void* const source = target ? place_of(from, size, mover) : nullptr;
    if (!source) return false;
    std::memmove(target, source, size);
    vrocm_check_written(to, size);
    return true;
}

bool fill_words(void* to, std::uint32_t value, std::size_t count) {
    if (!place_of(to, count * sizeof value, Mover::Host)) return false;
    std::fill_n(static_cast<std::uint32_t*>(to), count, value);
    vrocm_check_written(to, count * sizeof value);
    return true;
}

bool copy_rect(const hsa_pitched_ptr_t& to, hsa_dim3_t to_offset, const hsa_pitched_ptr_t& from, hsa_dim3_t from_offset,
               hsa_dim3_t range) {
    const auto at = [](const hsa_pitched_ptr_t& p, hsa_dim3_t offset, std::uint32_t row, std::uint32_t layer) {
        return static_cast<char*>(p.base) + offset.x + p.pitch * (offset.y + row) + p.slice * (offset.z + layer);
    };
    for (std::uint32_t layer = 0; layer < range.z; ++layer)
        for (std::uint32_t row = 0; row < range.y; ++row)
            if (!copy_bytes(at(to, to_offset, row, layer), at(from, from_offset, row, layer), range.x, Mover::Gpu))
                return false;
    return true;
}

void CopyEngine::start() {
    if (thread_.joinable() || stopping_) return;
    add_watch_target(wake_);
    thread_ = std::thread([this] {
        clock::is_device_thread();
        run();
    });
    pthread_setname_np(thread_.native_handle(), "vrocm-copy");
}

void CopyEngine::submit(std::function<bool()> work, const CopyTraffic& traffic, const hsa_signal_t* dependencies,
                        std::size_t count, Signal* completion) {
    Job job{std::move(work), {}, completion, profiling_.load(), traffic, {}};
    job.submitted = clock::now();
    if (trace::wanted(VROCM_TRACE_COPY)) job.origin = trace::current_origin();
    // Nothing to wait for: done at once on the caller's thread. Handing over to another costs more than most copies.
    const auto zero = [](hsa_signal_t s) { return !s.handle || signal_at(s)->load() == 0; };
    const bool at_once = std::all_of(dependencies, dependencies + count, zero);
    for (std::size_t i = 0; i < count; ++i) {
        if (!dependencies[i].handle) continue;
        job.dependencies.push_back(signal_at(dependencies[i]));
        job.dependencies.back()->watchers.fetch_add(1);
    }
    if (at_once) return carry_out(job);
    if (clock::is_virtual()) job.ticket = VirtualTime::get().copy_waits(job.dependencies);
    {
        std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
        start();
    }
    wake_.wake();
}

void CopyEngine::stop() {
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.wake();
    if (!thread_.joinable()) return;
    thread_.join();
    remove_watch_target(wake_);
}

void CopyEngine::carry_out(const Job& job) {
    const std::uint64_t began = clock::is_virtual() ? 0 : clock::agent_now();
    const bool done = job.work();
    if (clock::is_virtual())
        finish_virtually(job, done);
    else
        finish(job, done, began);
}

namespace {

// Which way the bytes go, on which GPU, and what that takes.
Operation operation_of(const CopyTraffic& t) {
    Runtime& runtime = *Runtime::get();
    const Agent *to = runtime.agent(t.to_agent), *from = runtime.agent(t.from_agent);
    const bool into_gpu = to && to->is_gpu(), out_of_gpu = from && from->is_gpu();
    const Agent* gpu = into_gpu ? to : out_of_gpu ? from : nullptr;
    if (!gpu)
        return t.bytes ? copy_operation(VirtualTime::get().costs(), CopyPath::HostToHost, t.bytes, false) : Operation{};
    const Costs& costs = costs_of(gpu->model().key);
    Operation made;
    if (t.fill)
        made = fill_operation(costs, t.bytes);
    else if (into_gpu && out_of_gpu)
        made = copy_operation(costs, to == from ? CopyPath::WithinDevice : CopyPath::Peer, t.bytes, false);
    else
        made = copy_operation(costs, into_gpu ? CopyPath::HostToDevice : CopyPath::DeviceToHost, t.bytes,
                              !runtime.memory.covers(into_gpu ? t.from : t.to, t.bytes));
    made.pool = gpu->index();
    return made;
}

}  // namespace

void charge_for(const CopyTraffic& traffic) {
    if (!clock::is_virtual()) return;
    const Operation o = operation_of(traffic);
    clock::this_thread().advance(o.setup + o.work + o.finish + VirtualTime::get().costs().wake_up);
}

void CopyEngine::finish_virtually(const Job& job, bool done) {
    const CopyTraffic& t = job.traffic;
    VirtualTime::Done end;
    end.operation = operation_of(t);
    end.after = job.dependencies;
    end.completion = job.completion;
    end.decrement = done ? 1 : -1;
    end.profiled = end.copied = job.profiled;
    if (done && job.origin.thread && t.bytes && !t.fill)
        end.on_settled = [origin = job.origin, t](const OperationTimes& times) {
            trace::record_copy(origin, times.start, times.end, t.from_agent.handle, t.from, t.to_agent.handle, t.to,
                               t.bytes);
        };
    if (job.completion) {
        Signal::Change after(*job.completion);
        VirtualTime::get().copy_done(job.ticket, job.submitted, std::move(end));
        after.tell();
    } else {
        VirtualTime::get().copy_done(job.ticket, job.submitted, std::move(end));
    }
    for (Signal* dependency : job.dependencies) dependency->watchers.fetch_sub(1);
}

void CopyEngine::finish(const Job& job, bool done, std::uint64_t began) {
    for (Signal* dependency : job.dependencies) dependency->watchers.fetch_sub(1);
    const std::uint64_t ended = std::max(clock::agent_now(), began + 1);
    const CopyTraffic& t = job.traffic;
    if (done && job.origin.thread && t.bytes && !t.fill)
        trace::record_copy(job.origin, clock::agent_to_system(began), clock::agent_to_system(ended),
                           t.from_agent.handle, t.from, t.to_agent.handle, t.to, t.bytes);
    if (!job.completion) return;
    if (job.profiled) {
        job.completion->amd.start_ts = began;
        job.completion->amd.end_ts = ended;
        job.completion->copied = 1;
    }
    if (done)
        job.completion->subtract(1);
    else
        job.completion->store(-1);
}

// Runs the oldest job that may run; false when none may.
bool CopyEngine::run_one() {
    std::unique_lock lock(mutex_);
    if (stopping_) return false;
    for (auto it = jobs_.begin(); it != jobs_.end(); ++it) {
        const auto& deps = it->dependencies;
        if (!std::all_of(deps.begin(), deps.end(), [](Signal* s) { return s->load() == 0; })) continue;
        const Job job = std::move(*it);
        jobs_.erase(it);
        lock.unlock();
        carry_out(job);
        return true;
    }
    return false;
}

void CopyEngine::run() {
    poll_loop(
        wake_, [this] { return run_one(); },
        [this] {
            std::lock_guard lock(mutex_);
            if (stopping_) return Waiting::NoMore;
            return jobs_.empty() ? Waiting::ForWork : Waiting::ForSignals;
        });
}

}  // namespace vrocm::hsa
