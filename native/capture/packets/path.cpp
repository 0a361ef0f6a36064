// What happens to packets between the application and the hardware. Nothing here allocates memory.
#include <array>

#include "capture/bookkeeping/ranges.h"
#include "capture/calls/original.h"
#include "capture/session.h"

namespace rpl::capture {

namespace {

bool is_barrier(const Packet& packet) {
    return packet.type() == HSA_PACKET_TYPE_BARRIER_AND || packet.type() == HSA_PACKET_TYPE_BARRIER_OR ||
           packet.is_value_barrier();
}

// Passes packets on. Before each barrier that is not open yet comes a packet that tells when the barrier is reached.
// One without the barrier bit may overtake kernels before it, so there nothing could be told.
void write_marked(InterceptedQueue& queue, std::span<const Packet> packets,
                  hsa_amd_queue_intercept_packet_writer writer) {
    std::size_t from = 0;
    for (std::size_t i = 0; i < packets.size(); ++i) {
        if (!is_barrier(packets[i]) || !packets[i].barrier_bit()) continue;
        const Dependencies after = Dependencies::of(packets[i]);
        if (after.satisfied()) continue;
        const hsa_signal_t reached = queues().mark_hold(queue, after);
        if (!reached.handle) continue;
        if (i > from) writer(&packets[from], i - from);
        from = i;
        const Packet mark = barrier_packet({0}, reached);
        writer(&mark, 1);
    }
    if (packets.size() > from) writer(&packets[from], packets.size() - from);
}

// A queue into which nothing can be put from outside counts what it has not finished.
void write_counted(InterceptedQueue& queue, std::span<const Packet> packets,
                   hsa_amd_queue_intercept_packet_writer writer) {
    if (!queue.single_producer || queue.held_back) return write_marked(queue, packets, writer);
    original().core.hsa_signal_add_screlease_fn(queue.unfinished, 1);
    write_marked(queue, packets, writer);
    const Packet ended = barrier_packet({0}, queue.unfinished);
    writer(&ended, 1);
}

// From here on the queue waits for the end of the capture.
void hold_back(InterceptedQueue& queue, hsa_signal_t resume, hsa_amd_queue_intercept_packet_writer writer) {
    if (queue.held_back.exchange(true)) return;
    const std::array<Packet, 2> stop{barrier_packet({0}, queue.drained), barrier_packet(resume, {0})};
    writer(stop.data(), stop.size());
}

}  // namespace

void CaptureSession::pass(InterceptedQueue& queue, std::span<const Packet> packets,
                          hsa_amd_queue_intercept_packet_writer writer) {
    switch (phase()) {
        case Phase::Inert:
            return writer(packets.data(), packets.size());
        case Phase::Over:
            count(packets);
            return writer(packets.data(), packets.size());
        case Phase::Capturing:
            count(packets);
            if (hold_back_ && &queue != target_.queue) rpl::capture::hold_back(queue, signals_.resume, writer);
            return write_counted(queue, packets, writer);
        case Phase::Watching:
            break;
    }
    const Found target = look_for_target(queue, packets);
    if (!target.found) return write_counted(queue, packets, writer);
    if (target.index > 0) write_marked(queue, packets.first(target.index), writer);
    submit_target(queue, writer);
    const auto rest = packets.subspan(target.index + 1);
    count(rest);
    if (!rest.empty()) writer(rest.data(), rest.size());
    wait_for_capture();
}

CaptureSession::Found CaptureSession::look_for_target(InterceptedQueue& queue, std::span<const Packet> packets) {
    for (std::size_t i = 0; i < packets.size(); ++i) {
        if (!packets[i].is_dispatch()) continue;
        ++dispatches_;
        const auto packet = packets[i].as<hsa_kernel_dispatch_packet_t>();
        bookkeeping().arguments_at(packet.kernarg_address);
        std::lock_guard lock(code_objects().mutex());
        Kernel* kernel = code_objects().find(packet.kernel_object);
        if (!kernel) continue;
        kernel->seen = true;
        if (!kernel->wanted) continue;
        const std::uint64_t index = matching_++;
        if (index != settings_.dispatch_index || phase() != Phase::Watching) continue;
        target_.queue = &queue;
        target_.packet = packets[i];
        target_.kernel = kernel;
        target_.dispatch_index = index;
        phase_ = Phase::Capturing;
        return {i, true};
    }
    return {0, false};
}

void CaptureSession::count(std::span<const Packet> packets) {
    const std::uint64_t recorded = recorded_signal_.load(std::memory_order_relaxed);
    for (const Packet& packet : packets) {
        if (!packet.is_dispatch()) continue;
        ++dispatches_;
        const auto dispatch = packet.as<hsa_kernel_dispatch_packet_t>();
        if (recorded && dispatch.completion_signal.handle == recorded) signal_gone(dispatch.completion_signal);
        std::lock_guard lock(code_objects().mutex());
        Kernel* kernel = code_objects().find(dispatch.kernel_object);
        if (!kernel) continue;
        kernel->seen = true;
        if (kernel->wanted) ++matching_;
    }
}

// The dispatch between packets of our own: it starts when the thread that captures says so, and what follows waits
// until the state after it has been read. Only then does the application learn of its end.
void CaptureSession::submit_target(InterceptedQueue& queue, hsa_amd_queue_intercept_packet_writer writer) {
    auto kernel = target_.packet.as<hsa_kernel_dispatch_packet_t>();
    const hsa_signal_t completion = kernel.completion_signal;
    recorded_signal_ = completion.handle;
    kernel.completion_signal = signals_.kernel;
    original().amd.hsa_amd_profiling_set_profiler_enabled_fn(queue.handle, 1);
    const std::array<Packet, 5> packets{barrier_packet({0}, signals_.ready), barrier_packet(signals_.go, {0}),
                                        Packet::of(kernel), barrier_packet({0}, signals_.written),
                                        barrier_packet(signals_.done, completion)};
    writer(packets.data(), packets.size());
}

void CaptureSession::wait_for_capture() {
    std::unique_lock lock(mutex_);
    requested_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return phase() == Phase::Over || submitter_released_; });
}

}  // namespace rpl::capture
