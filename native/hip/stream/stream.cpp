#include "hip/stream/stream.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>
#include <type_traits>

#include "abi/vrocm/trace.h"
#include "hip/device/device.h"
#include "hip/device/fault.h"
#include "hip/error.h"
#include "hip/memory/allocation.h"
#include "hip/runtime.h"
#include "hip/stream/event.h"
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

void keep_last_of_each_queue(std::vector<CompletionPtr>& all) {
    if (all.size() < 2) return;
    std::unordered_map<const hsa_queue_t*, std::uint64_t> last;
    for (const CompletionPtr& one : all) last[one->queue] = std::max(last[one->queue], one->packet);
    std::erase_if(all, [&last](const CompletionPtr& one) { return one->queue && one->packet < last[one->queue]; });
}

// A cache line at least, as ROCm places arguments.
constexpr std::size_t kKernargAlignment = 64;

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
    HipRuntime& runtime = HipRuntime::get();
    if (!allocation || allocation->is_host()) return runtime.host_agent();
    return runtime.device(allocation->device).agent();
}

}  // namespace

Stream::Stream(Device& device, Kind kind, unsigned flags, int priority)
    : device_(device), id_(next_stream_id++), kind_(kind), flags_(flags), priority_(priority) {
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
        device_.give_queue(*queue_);
    }
}

DeviceQueue& Stream::queue() {
    if (!queue_) {
        queue_ = &device_.take_queue(priority_);
        if (!cu_mask.empty())
            hsa_amd_queue_cu_set_mask(queue_->hsa, static_cast<std::uint32_t>(cu_mask.size() * 32), cu_mask.data());
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

std::vector<CompletionPtr> Stream::dependencies() {
    std::vector<CompletionPtr> deps;
    append_pending(deps);
    append_default_stream_order(deps);
    keep_last_of_each_queue(deps);
    return deps;
}

std::vector<CompletionPtr> Stream::pending() {
    std::lock_guard lock(device_.submission());
    return dependencies();
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

void Stream::ended_by(CompletionPtr completion, std::vector<CompletionPtr> deps) {
    while (!under_way_.empty() && under_way_.front().operation->known_done()) under_way_.pop_front();
    if (!deps.empty())
        under_way_.push_back({completion, std::move(deps)});
    else if (under_way_.empty())
        waited_.clear();  // all that is over
    last_ = std::move(completion);
    waits_.clear();
}

void* Stream::next_packet(std::uint64_t& index) {
    hsa_queue_t& q = *queue().hsa;
    index = hsa_queue_add_write_index_screlease(&q, 1);
    return static_cast<std::uint8_t*>(q.base_address) + (index & (q.size - 1)) * sizeof(hsa_kernel_dispatch_packet_t);
}

std::size_t Stream::free_packets() {
    const hsa_queue_t& q = *queue().hsa;
    return q.size - (hsa_queue_load_write_index_relaxed(&q) - hsa_queue_load_read_index_scacquire(&q));
}

void Stream::publish(void* packet, std::uint64_t index, std::uint16_t header, std::uint16_t setup) {
    // Header last, in one 32-bit store with the setup field: from then on the packet belongs to the agent.
    const std::uint32_t first = header | std::uint32_t{setup} << 16;
    __atomic_store_n(static_cast<std::uint32_t*>(packet), first, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue().hsa->doorbell_signal, static_cast<hsa_signal_value_t>(index));
}

// Enqueues barriers for what comes before the next packet, and waits, with the lock given up, until that packet and
// its arguments can be written. Gives what the barriers wait for. Others may submit meanwhile, so what comes before is
// asked for again; of what the queue waits for by then nothing is enqueued twice. In real time alone: what a full queue
// costs in virtual time does not depend on how fast the GPU runs here.
std::vector<CompletionPtr> Stream::make_way(std::unique_lock<std::mutex>& lock, std::size_t bytes,
                                            std::size_t alignment) {
    std::vector<CompletionPtr> waited_for;
    while (!enqueue_barriers(waited_for) || (bytes && queue().kernargs.in_the_way(bytes, alignment))) {
        lock.unlock();
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        require(sticky_error() == hipSuccess, sticky_error());
        lock.lock();
    }
    return waited_for;
}

// False when there was no room for all of them and one packet more.
bool Stream::enqueue_barriers(std::vector<CompletionPtr>& waited_for) {
    constexpr std::size_t kMostSignals = std::extent_v<decltype(hsa_barrier_and_packet_t::dep_signal)>;
    std::vector<CompletionPtr> deps = dependencies();
    std::erase_if(deps, [this](const CompletionPtr& dep) {
        // The queue runs in order: what is in it or what it waited for once need not be waited for.
        return dep->queue == queue().hsa || dep->serial <= waited_[dep->stream];
    });
    for (std::size_t at = 0; at < deps.size(); at += kMostSignals) {
        if (free_packets() < 2) return false;
        hsa_signal_t signals[kMostSignals];
        std::size_t count = 0;
        for (; count < kMostSignals && at + count < deps.size(); ++count) {
            CompletionPtr& dep = deps[at + count];
            std::uint64_t& serial = waited_[dep->stream];
            serial = std::max(serial, dep->serial);
            signals[count] = dep->signal;
            waited_for.push_back(std::move(dep));
        }
        enqueue_barrier(signals, count, {});
    }
    return free_packets() >= 1;
}

std::uint64_t Stream::enqueue_barrier(const hsa_signal_t* signals, std::size_t count, hsa_signal_t completion) {
    std::uint64_t index;
    auto* packet = static_cast<hsa_barrier_and_packet_t*>(next_packet(index));
    packet->reserved1 = 0;
    packet->reserved2 = 0;
    for (std::size_t i = 0; i < 5; ++i) packet->dep_signal[i] = i < count ? signals[i] : hsa_signal_t{};
    packet->completion_signal = completion;
    publish(packet, index, packet_header(HSA_PACKET_TYPE_BARRIER_AND), 0);
    return index;
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
    std::vector<CompletionPtr> waited_for = make_way(lock, 0, 0);
    CompletionPtr completion = begin(Completion::Kind::Dispatch);
    completion->queue = queue().hsa;
    completion->packet = enqueue_barrier(nullptr, 0, completion->signal);
    ended_by(completion, std::move(waited_for));
    return completion;
}

void Stream::launch(const KernelLaunch& launch) {
    const Function& function = *launch.function;
    const KernelMetadata& kernel = *function.metadata;
    std::unique_lock lock(device_.submission());
    std::vector<CompletionPtr> waited_for =
        make_way(lock, kernel.kernarg_size ? kernarg_bytes(kernel) : 0, kKernargAlignment);
    CompletionPtr completion = begin(Completion::Kind::Dispatch);
    completion->queue = queue().hsa;

    HiddenPointers hidden;
    hidden.queue = reinterpret_cast<std::uint64_t>(queue().hsa);
    hidden.grid_sync = launch.grid_sync;
    if (kernel.uses(KernelArgument::Kind::HeapV1)) hidden.heap = reinterpret_cast<std::uint64_t>(device_.heap());
    if (may_print(kernel)) {
        if (!printf_) printf_ = std::make_unique<PrintfBuffer>(device_, kind_ == Kind::Null);
        hidden.printf_buffer = printf_->address();
    }
    std::uint8_t* kernarg = nullptr;
    if (kernel.kernarg_size) {
        kernarg = queue().kernargs.take(kernarg_bytes(kernel), kKernargAlignment, completion);
        if (launch.cooperative && !hidden.grid_sync)
            hidden.grid_sync = write_grid_sync(launch, kernarg + kernarg_bytes(kernel) - sizeof(vrocm_grid_sync));
        write_kernarg(launch, hidden, kernarg);
    }

    auto* packet = static_cast<hsa_kernel_dispatch_packet_t*>(next_packet(completion->packet));
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
    publish(packet, completion->packet, packet_header(HSA_PACKET_TYPE_KERNEL_DISPATCH), dimensions);
    if (launch.start) launch.start->record_operation(*this, completion, true);
    if (launch.stop) launch.stop->record_operation(*this, completion, false);
    ended_by(std::move(completion), std::move(waited_for));
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
    std::vector<CompletionPtr> deps = dependencies();
    std::vector<hsa_signal_t> signals;
    for (const CompletionPtr& dep : deps) signals.push_back(dep->signal);
    CompletionPtr completion = begin(Completion::Kind::Copy);
    vrocm_trace_set_stream(id_);
    require_hsa(hsa_amd_memory_async_copy(copy.dst, agent_of(copy.dst), copy.src, agent_of(copy.src), copy.width,
                                          static_cast<std::uint32_t>(signals.size()),
                                          signals.empty() ? nullptr : signals.data(), completion->signal));
    vrocm_trace_set_stream(0);
    ended_by(completion, std::move(deps));
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
    std::vector<CompletionPtr> deps = dependencies();
    std::vector<hsa_signal_t> signals;
    for (const CompletionPtr& dep : deps) signals.push_back(dep->signal);
    CompletionPtr completion = begin(Completion::Kind::Copy);
    work.agent = device_.agent();
    require_hsa(
        vrocm_clock_blit(&work, static_cast<std::uint32_t>(signals.size()), signals.data(), completion->signal));
    ended_by(std::move(completion), std::move(deps));
}

void Stream::fill(const Fill& fill) {
    const std::size_t bytes = fill.width * fill.element * fill.height * fill.depth;
    if (fill.bytes_spanned() == 0) return;
    vrocm_blit_work work = blit_work(fill);
    work.kind = VROCM_BLIT_FILL;
    work.to = agent_of(fill.dst);
    work.target = fill.dst;
    work.bytes = bytes;
    blit(work);
}

void Stream::copy_box(const Copy& copy) {
    vrocm_blit_work work = blit_work(copy);
    work.kind = VROCM_BLIT_COPY;
    work.to = agent_of(copy.dst);
    work.from = agent_of(copy.src);
    work.target = copy.dst;
    work.source = copy.src;
    work.bytes = copy.width * copy.height * copy.depth;
    blit(work);
}

void Stream::run_short(std::function<void()> work) {
    std::lock_guard lock(device_.submission());
    std::vector<CompletionPtr> deps = dependencies();
    if (!deps.empty()) return submit_host(std::move(deps), std::move(work), HostWork::AfterSuccess);
    work();
    waits_.clear();
}

void Stream::run_on_host(std::function<void()> work, HostWork kind) {
    std::lock_guard lock(device_.submission());
    submit_host(dependencies(), std::move(work), kind);
}

void Stream::submit_host(std::vector<CompletionPtr> deps, std::function<void()> work, HostWork kind) {
    if (!worker_) worker_ = std::make_unique<HostWorker>();
    CompletionPtr completion = begin(Completion::Kind::Host);
    worker_->submit(std::move(deps), std::move(work), kind, completion);
    ended_by(std::move(completion), {});
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
