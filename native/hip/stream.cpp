#include "hip/stream.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>
#include <unordered_set>

#include "abi/vrocm/trace.h"
#include "hip/allocation.h"
#include "hip/device.h"
#include "hip/error.h"
#include "hip/event.h"
#include "hip/fault.h"
#include "hip/host_worker.h"
#include "hip/runtime.h"
#include "hip/thread_state.h"

namespace vrocm::hip {

namespace {

std::atomic<std::uint64_t> next_stream_id{1};

constexpr std::uint16_t packet_header(hsa_packet_type_t type) {
    return static_cast<std::uint16_t>(type << HSA_PACKET_HEADER_TYPE | 1 << HSA_PACKET_HEADER_BARRIER |
                                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE);
}

void append_if_pending(std::vector<CompletionPtr>& into, const CompletionPtr& completion) {
    if (completion && !completion->known_done()) into.push_back(completion);
}

// A cache line at least, as ROCm places arguments.
std::size_t kernarg_alignment(const KernelMetadata& kernel) {
    return std::max(kernel.kernarg_align, 64u);
}

// The segment, and room behind it for what a cooperative launch shares between its workgroups.
std::size_t kernarg_bytes(const KernelMetadata& kernel) {
    return ((kernel.kernarg_size + 7) & ~std::size_t{7}) + sizeof(vrocm_grid_sync);
}

std::uint64_t write_grid_sync(const KernelLaunch& launch, std::uint8_t* place) {
    vrocm_grid_sync sync{};
    sync.workgroups = static_cast<vrocm_u32>(launch.workgroups());
    sync.num_grids = 1;
    sync.threads_total = vrocm_u64{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    std::memcpy(place, &sync, sizeof sync);
    return reinterpret_cast<std::uint64_t>(place);
}

hsa_agent_t agent_of(const void* address) {
    auto allocation = find_allocation(address);
    Runtime& runtime = Runtime::get();
    if (!allocation || allocation->is_host()) return runtime.host_agent();
    return runtime.device(allocation->device).agent();
}

}  // namespace

Stream::Stream(Device& device, Kind kind, unsigned flags, int priority)
    : device_(device), id_(next_stream_id++), kind_(kind), flags_(flags), priority_(priority), kernargs_(device) {
    device_.add_stream(this);
    constexpr const char* kinds[] = {"null", "per-thread", "created"};
    vrocm_trace_stream(id_, kinds[static_cast<unsigned>(kind)]);
}

Stream::~Stream() {
    if (sticky_error() == hipSuccess) synchronize();
    device_.remove_stream(this);
    worker_.reset();
    if (queue_ && sticky_error() == hipSuccess) {
        std::lock_guard lock(device_.submission());
        device_.give_queue(queue_);
    }
}

hsa_queue_t& Stream::queue() {
    if (!queue_) {
        queue_ = device_.take_queue(priority_);
        if (!cu_mask.empty())
            hsa_amd_queue_cu_set_mask(queue_, static_cast<std::uint32_t>(cu_mask.size() * 32), cu_mask.data());
    }
    return *queue_;
}

// The legacy default stream waits for all blocking streams, and they for it.
void Stream::append_default_stream_order(std::vector<CompletionPtr>& into) {
    if (kind_ == Kind::Null) {
        for (Stream* other : device_.streams())
            if (other->blocking()) append_if_pending(into, other->last_);
    } else if (blocking()) {
        append_if_pending(into, device_.null_stream().last_);
    }
}

std::vector<CompletionPtr> Stream::dependencies(bool include_last) {
    std::vector<CompletionPtr> deps;
    if (include_last) append_if_pending(deps, last_);
    for (const CompletionPtr& wait : waits_) append_if_pending(deps, wait);
    append_default_stream_order(deps);
    return deps;
}

std::vector<CompletionPtr> Stream::pending() {
    std::lock_guard lock(device_.submission());
    return dependencies(true);
}

void Stream::append_pending(std::vector<CompletionPtr>& into) {
    append_if_pending(into, last_);
    for (const CompletionPtr& wait : waits_) append_if_pending(into, wait);
}

CompletionPtr Stream::begin(Completion::Kind kind) {
    CompletionPtr completion = make_completion(kind, device_.agent());
    completion->stream = id_;
    completion->serial = ++serial_;
    return completion;
}

void Stream::ended_by(CompletionPtr completion, std::vector<CompletionPtr> deps, bool on_queue) {
    while (!under_way_.empty() && under_way_.front().operation->known_done()) under_way_.pop_front();
    if (!deps.empty()) under_way_.push_back({completion, std::move(deps)});
    last_ = std::move(completion);
    last_on_queue_ = on_queue;
    waits_.clear();
}

void* Stream::next_packet(std::uint64_t& index) {
    hsa_queue_t& q = queue();
    index = hsa_queue_add_write_index_screlease(&q, 1);
    return static_cast<std::uint8_t*>(q.base_address) + (index & (q.size - 1)) * sizeof(hsa_kernel_dispatch_packet_t);
}

void Stream::publish(void* packet, std::uint64_t index, std::uint16_t header, std::uint16_t setup) {
    // Header last, in one 32-bit store with the setup field: from then on the packet belongs to the agent.
    const std::uint32_t first = header | std::uint32_t{setup} << 16;
    __atomic_store_n(static_cast<std::uint32_t*>(packet), first, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue().doorbell_signal, static_cast<hsa_signal_value_t>(index));
}

// Waits, with the lock given up, until a packet with so many bytes of arguments and the barriers before it can be
// written. In real time alone: what a full queue costs in virtual time does not depend on how fast the GPU runs here.
void Stream::make_room(std::unique_lock<std::mutex>& lock, std::size_t bytes, std::size_t alignment) {
    const hsa_queue_t& q = queue();
    while (true) {
        const CompletionPtr blocker = bytes ? kernargs_.in_the_way(bytes, alignment) : nullptr;
        const std::uint64_t used = hsa_queue_load_write_index_relaxed(&q) - hsa_queue_load_read_index_scacquire(&q);
        const bool queue_full = used + device_.streams().size() + waits_.size() + 2 > q.size;
        if (!blocker && !queue_full) return;
        lock.unlock();
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        require(sticky_error() == hipSuccess, sticky_error());
        lock.lock();
    }
}

void Stream::enqueue_barriers(const std::vector<CompletionPtr>& deps) {
    std::vector<hsa_signal_t> signals;
    for (const CompletionPtr& dep : deps) {
        // The queue runs in order: what it waited for once need not be waited for again.
        std::uint64_t& serial = waited_[dep->stream];
        if (dep->serial <= serial) continue;
        serial = dep->serial;
        signals.push_back(dep->signal);
    }
    for (std::size_t at = 0; at < signals.size(); at += 5)
        enqueue_barrier(signals.data() + at, std::min<std::size_t>(signals.size() - at, 5), {});
}

void Stream::enqueue_barrier(const hsa_signal_t* signals, std::size_t count, hsa_signal_t completion) {
    std::uint64_t index;
    auto* packet = static_cast<hsa_barrier_and_packet_t*>(next_packet(index));
    packet->reserved1 = 0;
    packet->reserved2 = 0;
    for (std::size_t i = 0; i < 5; ++i) packet->dep_signal[i] = i < count ? signals[i] : hsa_signal_t{};
    packet->completion_signal = completion;
    publish(packet, index, packet_header(HSA_PACKET_TYPE_BARRIER_AND), 0);
}

// What a tracer finds in the packet: which call launched it, in which stream.
std::uint64_t Stream::launch_number() const {
    vrocm_trace_set_stream(id_);
    const std::uint64_t number = vrocm_trace_launch();
    vrocm_trace_set_stream(0);
    return number;
}

CompletionPtr Stream::marker() {
    std::unique_lock lock(device_.submission());
    make_room(lock, 0, 0);
    std::vector<CompletionPtr> deps = dependencies(!last_on_queue_);
    CompletionPtr completion = begin(Completion::Kind::Dispatch);
    enqueue_barriers(deps);
    enqueue_barrier(nullptr, 0, completion->signal);
    ended_by(completion, std::move(deps), true);
    return completion;
}

void Stream::launch(const KernelLaunch& launch) {
    const Function& function = *launch.function;
    const KernelMetadata& kernel = *function.metadata;
    std::unique_lock lock(device_.submission());
    make_room(lock, kernel.kernarg_size ? kernarg_bytes(kernel) : 0, kernarg_alignment(kernel));
    std::vector<CompletionPtr> deps = dependencies(!last_on_queue_);
    CompletionPtr completion = begin(Completion::Kind::Dispatch);

    HiddenPointers hidden;
    hidden.queue = reinterpret_cast<std::uint64_t>(&queue());
    hidden.grid_sync = launch.grid_sync;
    if (kernel.uses(KernelArgument::Kind::HeapV1)) hidden.heap = reinterpret_cast<std::uint64_t>(device_.heap());
    if (may_print(kernel)) {
        if (!printf_) printf_ = std::make_unique<PrintfBuffer>(device_, kind_ == Kind::Null);
        hidden.printf_buffer = printf_->address();
    }
    std::uint8_t* kernarg = nullptr;
    if (kernel.kernarg_size) {
        kernarg = kernargs_.take(kernarg_bytes(kernel), kernarg_alignment(kernel), completion);
        if (launch.cooperative && !hidden.grid_sync)
            hidden.grid_sync = write_grid_sync(launch, kernarg + kernarg_bytes(kernel) - sizeof(vrocm_grid_sync));
        write_kernarg(launch, hidden, kernarg);
    }

    enqueue_barriers(deps);
    std::uint64_t index;
    auto* packet = static_cast<hsa_kernel_dispatch_packet_t*>(next_packet(index));
    packet->workgroup_size_x = launch.block[0];
    packet->workgroup_size_y = launch.block[1];
    packet->workgroup_size_z = launch.block[2];
    packet->reserved0 = 0;
    packet->grid_size_x = launch.grid[0];
    packet->grid_size_y = launch.grid[1];
    packet->grid_size_z = launch.grid[2];
    packet->private_segment_size = function.private_size;
    if (kernel.dynamic_stack) packet->private_segment_size += static_cast<std::uint32_t>(device_.stack_limit.load());
    packet->group_segment_size = kernel.group_size + launch.dynamic_shared;
    packet->kernel_object = function.kernel_object;
    packet->kernarg_address = kernarg;
    packet->reserved2 = launch_number();
    packet->completion_signal = completion->signal;
    const std::uint16_t dimensions = launch.grid[2] > 1 ? 3 : launch.grid[1] > 1 ? 2 : 1;
    publish(packet, index, packet_header(HSA_PACKET_TYPE_KERNEL_DISPATCH), dimensions);
    if (launch.start) launch.start->record_operation(*this, completion, true);
    if (launch.stop) launch.stop->record_operation(*this, completion, false);
    ended_by(std::move(completion), std::move(deps), true);
}

CompletionPtr Stream::copy(const Copy& request) {
    if (request.empty()) return nullptr;
    Copy copy = request;
    copy.flatten();
    if (!copy.is_linear()) {
        copy_box(copy);
        return nullptr;
    }
    std::lock_guard lock(device_.submission());
    std::vector<CompletionPtr> deps = dependencies(true);
    std::vector<hsa_signal_t> signals;
    for (const CompletionPtr& dep : deps) signals.push_back(dep->signal);
    CompletionPtr completion = begin(Completion::Kind::Copy);
    vrocm_trace_set_stream(id_);
    require_hsa(hsa_amd_memory_async_copy(copy.dst, agent_of(copy.dst), copy.src, agent_of(copy.src), copy.width,
                                          static_cast<std::uint32_t>(signals.size()),
                                          signals.empty() ? nullptr : signals.data(), completion->signal));
    vrocm_trace_set_stream(0);
    ended_by(completion, std::move(deps), false);
    return completion;
}

namespace {

// A copy or fill that a function carries out, as data for vrocm_clock_blit.
template <class Work>
vrocm_blit_work blit_work(const Work& work) {
    vrocm_blit_work made{};
    made.data = new Work(work);
    made.function = [](void* data) { return static_cast<int>(static_cast<const Work*>(data)->run()); };
    made.release = [](void* data) { delete static_cast<Work*>(data); };
    return made;
}

}  // namespace

void Stream::blit(vrocm_blit_work work) {
    std::lock_guard lock(device_.submission());
    std::vector<CompletionPtr> deps = dependencies(true);
    std::vector<hsa_signal_t> signals;
    for (const CompletionPtr& dep : deps) signals.push_back(dep->signal);
    CompletionPtr completion = begin(Completion::Kind::Copy);
    work.agent = device_.agent();
    require_hsa(
        vrocm_clock_blit(&work, static_cast<std::uint32_t>(signals.size()), signals.data(), completion->signal));
    ended_by(std::move(completion), std::move(deps), false);
}

void Stream::fill(const Fill& fill) {
    const std::size_t bytes = fill.width * fill.element * fill.height * fill.depth;
    if (fill.bytes_spanned() == 0) return;
    if (!vrocm_clock_is_virtual()) return run_on_host([fill] { fill.run(); }, true);
    vrocm_blit_work work = blit_work(fill);
    work.kind = VROCM_BLIT_FILL;
    work.to = agent_of(fill.dst);
    work.target = fill.dst;
    work.bytes = bytes;
    blit(work);
}

void Stream::copy_box(const Copy& copy) {
    if (!vrocm_clock_is_virtual()) return run_on_host([copy] { copy.run(); }, true);
    vrocm_blit_work work = blit_work(copy);
    work.kind = VROCM_BLIT_COPY;
    work.to = agent_of(copy.dst);
    work.from = agent_of(copy.src);
    work.target = copy.dst;
    work.source = copy.src;
    work.bytes = copy.width * copy.height * copy.depth;
    blit(work);
}

void Stream::run_on_host(std::function<void()> work, bool may_run_now) {
    std::lock_guard lock(device_.submission());
    std::vector<CompletionPtr> deps = dependencies(true);
    if (deps.empty() && may_run_now) {
        work();
        waits_.clear();
        return;
    }
    submit_host(std::move(deps), std::move(work));
}

void Stream::submit_host(std::vector<CompletionPtr> deps, std::function<void()> work) {
    if (!worker_) worker_ = std::make_unique<HostWorker>();
    CompletionPtr completion = begin(Completion::Kind::Host);
    worker_->submit(std::move(deps), std::move(work), completion);
    ended_by(std::move(completion), {}, false);
}

void Stream::wait_for(const std::vector<CompletionPtr>& completions) {
    std::lock_guard lock(device_.submission());
    for (const CompletionPtr& completion : completions)
        if (completion->stream != id_) append_if_pending(waits_, completion);
}

bool Stream::idle() {
    const std::vector<CompletionPtr> all = pending();
    return std::all_of(all.begin(), all.end(), [](const CompletionPtr& c) { return c->done(); });
}

void Stream::synchronize() {
    for (const CompletionPtr& completion : pending()) completion->wait();
    std::lock_guard lock(device_.submission());
    // Waiting for the default stream or from it ends others' kernels too.
    if (kind_ == Kind::Null)
        for (Stream* stream : device_.streams()) stream->flush_printf();
    else
        flush_printf();
}

void Stream::flush_printf(bool even_while_running) {
    // A kernel that still runs writes into the buffer; its text comes with the next synchronisation.
    if (printf_ && (even_while_running || !last_ || last_->really_done())) printf_->flush();
}

// ---- handles -------------------------------------------------------------------------------------

namespace {

struct LiveStreams {
    std::mutex mutex;
    std::unordered_map<const Stream*, std::unique_ptr<Stream>> streams;
};
LiveStreams& live_streams() {
    static LiveStreams* instance = new LiveStreams;
    return *instance;
}

Stream& per_thread_stream() {
    ThreadState& thread = thread_state();
    std::unique_ptr<Stream>& stream = thread.per_thread_streams[thread.device];
    if (!stream) stream = std::make_unique<Stream>(current_device(), Stream::Kind::PerThread, hipStreamDefault, 0);
    return *stream;
}

}  // namespace

Stream& to_stream(hipStream_t handle) {
    if (handle == nullptr || handle == hipStreamLegacy) return current_device().null_stream();
    if (handle == hipStreamPerThread) return per_thread_stream();
    auto* stream = reinterpret_cast<Stream*>(handle);
    std::lock_guard lock(live_streams().mutex);
    require(live_streams().streams.count(stream) != 0, hipErrorInvalidHandle);
    return *stream;
}

Stream& to_stream_per_thread(hipStream_t handle) {
    return to_stream(handle ? handle : hipStreamPerThread);
}

hipStream_t create_stream(Device& device, unsigned flags, int priority) {
    auto made = std::make_unique<Stream>(device, Stream::Kind::Created, flags, priority);
    hipStream_t handle = made->handle();
    std::lock_guard lock(live_streams().mutex);
    live_streams().streams.emplace(made.get(), std::move(made));
    return handle;
}

void destroy_stream(hipStream_t handle) {
    std::unique_ptr<Stream> ended;
    {
        std::lock_guard lock(live_streams().mutex);
        auto found = live_streams().streams.find(reinterpret_cast<Stream*>(handle));
        require(found != live_streams().streams.end(), hipErrorInvalidHandle);
        ended = std::move(found->second);
        live_streams().streams.erase(found);
    }
}

}  // namespace vrocm::hip
