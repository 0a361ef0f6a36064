#include "hsa/queue/hardware_queue.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "hsa/agent/isa.h"
#include "hsa/queue/command_processor.h"
#include "hsa/runtime.h"
#include "hsa/time/clock.h"
#include "hsa/tracing/counters.h"
#include "hsa/tracing/objects.h"

namespace vrocm::hsa {

namespace {

// Packets handled before other queues get their turn; barriers and empty kernels are quick.
constexpr unsigned kPacketsPerTurn = 64;
// Instructions without a workgroup starting or ending, after which a kernel may be waiting for one of another queue.
// More than what is simulated in detail of a kernel that gets on (sim/timing/sampling/sampling.cpp).
constexpr std::uint64_t kPatience = 16'000'000;

std::string describe_packet(const char* what, unsigned number) {
    char text[160];
    std::snprintf(text, sizeof text, "vrocm: AQL packet refused: %s (0x%x)\n", what, number);
    return text;
}

// At the end of a packet when time is the host's.
void complete(hsa_signal_t handle, std::uint64_t began, std::uint64_t ended, bool profiled) {
    if (!handle.handle) return;
    Signal& signal = *signal_at(handle);
    if (profiled) {
        signal.amd.start_ts = began;
        signal.amd.end_ts = ended;
    }
    signal.subtract(1);
}

// The same in virtual time: the signal changes now, and when that was is settled later.
void complete(QueueTimes& queue, VirtualTime::Done done) {
    if (!done.completion) return VirtualTime::get().packet_done(queue, std::move(done));
    Signal::Change after(*done.completion);
    VirtualTime::get().packet_done(queue, std::move(done));
    after.tell();
}

bool has_barrier_bit(std::uint16_t header) {
    return Packet::type(header) == HSA_PACKET_TYPE_INVALID || (header >> HSA_PACKET_HEADER_BARRIER & 1);
}

// What a dispatch takes when it has the GPU to itself.
Operation kernel_operation(const Agent& agent, const sim::DispatchTime& time) {
    static_assert(unsigned{sim::DispatchTime::WaveSlots} == WaveSlots &&
                  unsigned{sim::DispatchTime::MemoryBandwidth} == MemoryBandwidth);
    const Costs& costs = costs_of(agent.model().key);
    Operation made;
    made.pool = agent.index();
    made.setup = costs.dispatch;
    made.work = std::max<std::uint64_t>(time.nanoseconds, 1);
    made.finish = costs.release;
    std::copy_n(time.use, static_cast<std::size_t>(sim::DispatchTime::kResources), made.use.begin());
    return made;
}

}  // namespace

HardwareQueue::HardwareQueue(Agent& agent, std::uint32_t size, hsa_queue_type32_t type, QueueCallback callback,
                             void* data)
    : Queue(agent, size, type, HSA_QUEUE_FEATURE_KERNEL_DISPATCH, nullptr),
      callback_(callback),
      callback_data_(data),
      presented_(handle()) {
    if (clock::is_virtual()) times_ = VirtualTime::get().add_queue(agent.index(), costs_of(agent.model().key), size);
}

void HardwareQueue::ring(std::uint64_t index) {
    if (trace::active()) ringing_ = trace::thread_id();
    note_submissions(index + 1);
    allow(index);
    agent().processor().kick();
}

void HardwareQueue::note_submissions(std::uint64_t allowed) {
    if (!times_) return;
    std::lock_guard lock(submission_mutex_);
    while (noted_ < allowed) note_submission(has_barrier_bit(slot(noted_).atomic_header().load()));
}

void HardwareQueue::note_submission(bool barrier_bit) {
    static std::atomic<std::uint64_t> numbers{0};
    const std::uint64_t number = numbers.fetch_add(1);
    {
        std::lock_guard lock(waiting_mutex_);
        waiting_.push_back(number);
    }
    VirtualTime::get().submitted(*times_, noted_++, number, barrier_bit);  // waits while the queue is full
}

std::uint64_t HardwareQueue::next_submission() {
    std::lock_guard lock(waiting_mutex_);
    return waiting_.empty() ? ~std::uint64_t{0} : waiting_.front();
}

bool HardwareQueue::may_overtake() {
    return VirtualTime::get().may_overtake(*times_);
}

bool HardwareQueue::may_wait_for_another() {
    std::lock_guard lock(processing_);
    return run_ && run_->stats().instructions - stalled_from_ > kPatience;
}

void HardwareQueue::end_times() {
    if (times_) VirtualTime::get().remove_queue(*times_);
}

bool HardwareQueue::has_work() {
    const auto rung = static_cast<std::uint64_t>(signal_at(handle()->doorbell_signal)->load());
    if (rung + 1 > allowed() && rung != ~std::uint64_t{0}) {  // written past the runtime
        note_submissions(rung + 1);
        allow(rung);
    }
    return state_ == State::Active && (run_ || read_index().load() < allowed());
}

void HardwareQueue::inactivate() {
    agent().processor().remove(*this);
    std::lock_guard lock(processing_);
    state_ = State::Inactive;
    run_.reset();
    watch_.clear();
    end_times();
}

std::uint64_t HardwareQueue::next_index() const {
    std::lock_guard lock(backlog_mutex_);
    return appended_;
}

void HardwareQueue::append(const Packet* packets, std::size_t count) {
    {
        std::lock_guard lock(backlog_mutex_);
        backlog_.insert(backlog_.end(), packets, packets + count);
        appended_ += count;
    }
    if (times_) {
        std::lock_guard lock(submission_mutex_);
        for (std::size_t i = 0; i < count; ++i) note_submission(has_barrier_bit(packets[i].header()));
    }
    move_backlog();
    agent().processor().kick();
}

void HardwareQueue::move_backlog() {
    std::lock_guard lock(backlog_mutex_);
    while (!backlog_.empty()) {
        const std::uint64_t index = write_index().load();
        if (index - read_index().load() >= size()) return;
        Packet& to = slot(index);
        const Packet& from = backlog_.front();
        std::memcpy(to.bytes + 4, from.bytes + 4, sizeof to.bytes - 4);
        std::memcpy(to.bytes + 2, from.bytes + 2, 2);
        to.atomic_header().store(from.header(), std::memory_order_release);
        write_index().store(index + 1);
        allow(index);
        backlog_.pop_front();
    }
}

HardwareQueue::Outcome HardwareQueue::process(std::uint64_t instructions) {
    std::lock_guard lock(processing_);
    if (state_ != State::Active) return Outcome::Idle;
    try {
        return run_ ? step(instructions) : next_packets(instructions);
    } catch (const std::exception& problem) {  // the host is out of memory
        run_.reset();
        fail({HSA_STATUS_ERROR_OUT_OF_RESOURCES, std::string("vrocm: the kernel was stopped: ") + problem.what(), {}});
        return Outcome::Progress;
    }
}

HardwareQueue::Outcome HardwareQueue::next_packets(std::uint64_t instructions) {
    Outcome outcome = Outcome::Idle;
    // Virtual time: another queue may have a packet that was submitted before the next one here.
    const unsigned most = times_ ? 1 : kPacketsPerTurn;
    for (unsigned n = 0; n < most; ++n) {
        const std::uint64_t index = read_index().load();
        if (index >= allowed()) return outcome;
        Packet& packet = slot(index);
        const std::uint16_t header = packet.atomic_header().load(std::memory_order_acquire);
        switch (Packet::type(header)) {
            case HSA_PACKET_TYPE_INVALID:
                return outcome;
            case HSA_PACKET_TYPE_KERNEL_DISPATCH: {
                if (auto problem = start_kernel(packet, index)) {
                    fail(std::move(*problem));
                    return Outcome::Progress;
                }
                if (step(instructions) != Outcome::Progress || run_ || state_ != State::Active)
                    return Outcome::Progress;
                break;
            }
            case HSA_PACKET_TYPE_BARRIER_AND:
            case HSA_PACKET_TYPE_BARRIER_OR:
                if (!barrier_open(packet)) return outcome == Outcome::Progress ? outcome : Outcome::Blocked;
                retire_barrier(packet);
                break;
            case HSA_PACKET_TYPE_VENDOR_SPECIFIC:
                if (packet.bytes[2] != HSA_AMD_PACKET_TYPE_BARRIER_VALUE) {
                    fail({HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
                          describe_packet("vendor packet format not supported", packet.bytes[2]),
                          {}});
                    return Outcome::Progress;
                }
                if (!barrier_open(packet)) return outcome == Outcome::Progress ? outcome : Outcome::Blocked;
                retire_barrier(packet);
                break;
            default:
                fail({HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
                      describe_packet("packet type not supported on a GPU queue", Packet::type(header)),
                      {}});
                return Outcome::Progress;
        }
        outcome = Outcome::Progress;
    }
    return outcome;
}

// Checks what the packet processor of the hardware checks, with the status it gives.
std::optional<HardwareQueue::Problem> HardwareQueue::start_kernel(const Packet& packet, std::uint64_t index) {
    const auto& p = packet.as<hsa_kernel_dispatch_packet_t>();
    const unsigned dims = p.setup & 3;
    sim::Dispatch d;
    d.kernel_object = p.kernel_object;
    d.packet_address = reinterpret_cast<std::uint64_t>(&packet);
    d.queue_address = reinterpret_cast<std::uint64_t>(handle());
    d.kernarg_address = reinterpret_cast<std::uint64_t>(p.kernarg_address);
    d.dispatch_id = index;
    const std::uint32_t grid[3] = {p.grid_size_x, p.grid_size_y, p.grid_size_z};
    const std::uint16_t group[3] = {p.workgroup_size_x, p.workgroup_size_y, p.workgroup_size_z};
    std::uint64_t items = 1;
    for (unsigned axis = 0; axis < 3; ++axis) {
        d.grid[axis] = axis < dims ? grid[axis] : 1;
        d.workgroup[axis] = axis < dims ? group[axis] : 1;
        items *= d.workgroup[axis];
        if (dims == 0 || d.grid[axis] == 0 || d.workgroup[axis] == 0)
            return Problem{HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS,
                           describe_packet("grid or workgroup size is zero; setup", p.setup),
                           {}};
    }
    if (items > kMaxWorkgroupSize)
        return Problem{HSA_STATUS_ERROR_INVALID_ARGUMENT,
                       describe_packet("workgroup is larger than 1024 work-items", static_cast<unsigned>(items)),
                       {}};
    if (p.group_segment_size > agent().model().lds_bytes)
        return Problem{HSA_STATUS_ERROR_INVALID_ALLOCATION,
                       describe_packet("group segment is larger than the LDS", p.group_segment_size),
                       {}};
    if (!Runtime::get()->executables.is_kernel(agent(), p.kernel_object))
        return Problem{HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
                       describe_packet("kernel object is not in code loaded for this agent",
                                       static_cast<unsigned>(p.kernel_object)),
                       {}};
    d.private_segment_size = p.private_segment_size;
    d.group_segment_size = p.group_segment_size;
    if (times_)
        d.start_time = VirtualTime::get().earliest_start(*times_);
    else
        began_ = clock::agent_now();
    completion_ = p.completion_signal;
    if (trace::active()) {
        prepare_trace(p, d);
        thread_trace_ = begin_thread_trace(traced_, traced_kernel_symbol(p.kernel_object), agent().model());
        d.recorder = thread_trace_.get();
    }
    d.counted = traced_.number != 0 && counters_wanted();
    run_ = agent().machine().begin(d);
    workgroups_ = stalled_from_ = 0;
    return std::nullopt;
}

void HardwareQueue::prepare_trace(const hsa_kernel_dispatch_packet_t& packet, const sim::Dispatch& dispatch) {
    traced_ = {};
    traced_.number = trace::dispatch_number(packet.reserved2);
    traced_.queue = traced_queue_id(*this);
    traced_.agent = agent().handle().handle;
    traced_.kernel = traced_kernel_id(packet.kernel_object);
    for (unsigned axis = 0; axis < 3; ++axis) {
        traced_.workgroup[axis] = dispatch.workgroup[axis];
        traced_.grid[axis] = dispatch.grid[axis];
    }
    traced_.group_segment = packet.group_segment_size;
    traced_.private_segment = packet.private_segment_size;
    traced_.thread = ringing_;
    // A queue that needs more scratch than it has is given enough for every wave the GPU can hold.
    if (packet.private_segment_size <= traced_scratch_ || !trace::wanted(VROCM_TRACE_SCRATCH)) return;
    traced_scratch_ = packet.private_segment_size;
    const GpuModel& model = agent().model();
    trace::record_scratch(trace::ScratchOperation::Allocate, traced_.agent, traced_.queue,
                          std::uint64_t{traced_scratch_} * kWavefrontSize * model.waves_per_cu * model.compute_units,
                          times_ ? dispatch.start_time : clock::agent_to_system(began_), traced_.thread);
}

HardwareQueue::Outcome HardwareQueue::step(std::uint64_t instructions) {
    const std::uint64_t before = run_->stats().instructions;
    switch (run_->step(instructions)) {
        case sim::DispatchRun::Status::Running: {
            const sim::DispatchStats now = run_->stats();
            const bool waits = now.instructions - before <= instructions / 16;
            if (now.workgroups != workgroups_) stalled_from_ = now.instructions;
            workgroups_ = now.workgroups;
            if (times_) VirtualTime::get().took_turn(*times_, waits, now.workgroups);
            return waits ? Outcome::Waiting : Outcome::Progress;
        }
        case sim::DispatchRun::Status::Done:
            retire_kernel();
            return Outcome::Progress;
        case sim::DispatchRun::Status::Faulted:
            break;
    }
    Problem problem = explain(run_->fault());
    end_run();
    fail(std::move(problem));
    return Outcome::Progress;
}

namespace {

// The signals that a barrier packet waits for, and whether it waits for all of them.
std::vector<clock::Condition> conditions_of(const Packet& packet, bool& all) {
    std::vector<clock::Condition> conditions;
    all = true;
    if (Packet::type(packet.header()) == HSA_PACKET_TYPE_VENDOR_SPECIFIC) {
        const auto& p = packet.as<hsa_amd_barrier_value_packet_t>();
        if (p.signal.handle)
            conditions.push_back({.signal = signal_at(p.signal),
                                  .condition = static_cast<hsa_signal_condition_t>(p.cond),
                                  .compare = p.value,
                                  .mask = p.mask});
        return conditions;
    }
    all = Packet::type(packet.header()) == HSA_PACKET_TYPE_BARRIER_AND;
    for (hsa_signal_t dependency : packet.as<hsa_barrier_and_packet_t>().dep_signal)
        if (dependency.handle) conditions.push_back({.signal = signal_at(dependency)});
    return conditions;
}

}  // namespace

bool HardwareQueue::barrier_open(const Packet& packet) {
    bool all;
    std::vector<clock::Condition> conditions = conditions_of(packet, all);
    watch_.clear();
    for (const clock::Condition& c : conditions) watch_.add(*c.signal);
    const auto holds = [](const clock::Condition& c) {
        return satisfied(c.condition, c.signal->load() & c.mask, c.compare);
    };
    const bool open = conditions.empty() || (all ? std::all_of(conditions.begin(), conditions.end(), holds)
                                                 : std::any_of(conditions.begin(), conditions.end(), holds));
    if (open)
        watch_.clear();
    else if (times_)
        VirtualTime::get().blocked(*times_, std::move(conditions), all);
    return open;
}

// The packet is done: its slot is free before anybody learns that it completed.
void HardwareQueue::free_slot() {
    const std::uint64_t index = read_index().load();
    slot(index).atomic_header().store(HSA_PACKET_TYPE_INVALID, std::memory_order_release);
    read_index().store(index + 1, std::memory_order_release);
    if (times_) {
        std::lock_guard lock(waiting_mutex_);
        if (!waiting_.empty()) waiting_.pop_front();
    }
    move_backlog();
}

void HardwareQueue::retire_barrier(const Packet& packet) {
    static_assert(offsetof(hsa_barrier_and_packet_t, completion_signal) ==
                  offsetof(hsa_amd_barrier_value_packet_t, completion_signal));
    const hsa_signal_t completion = packet.as<hsa_barrier_and_packet_t>().completion_signal;
    const bool profiled = amd().queue_properties & AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
    if (!times_) {
        const std::uint64_t now = clock::agent_now();
        free_slot();
        return complete(completion, now, now + 1, profiled);
    }
    VirtualTime::Done done;
    bool all;
    for (const clock::Condition& c : conditions_of(packet, all))
        if (all || satisfied(c.condition, c.signal->load() & c.mask, c.compare)) done.after.push_back(c.signal);
    done.operation.after_any = !all;
    done.operation.setup = times_->costs->barrier;
    done.completion = completion.handle ? signal_at(completion) : nullptr;
    done.profiled = profiled;
    free_slot();
    complete(*times_, std::move(done));
}

void HardwareQueue::end_run() {
    run_.reset();
    if (thread_trace_) end_thread_trace(*thread_trace_, traced_, agent().index());
    thread_trace_.reset();
}

void HardwareQueue::retire_kernel() {
    if (traced_.number && counters_wanted()) trace_counters(*run_, traced_.number);
    const bool profiled = amd().queue_properties & AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
    if (!times_) {
        end_run();
        const std::uint64_t ended = std::max(clock::agent_now(), began_ + 1);
        // Before anybody learns of the end: who then ends the process has the record.
        if (traced_.number)
            trace::record_dispatch(traced_, clock::agent_to_system(began_), clock::agent_to_system(ended));
        free_slot();
        return complete(completion_, began_, ended, profiled);
    }
    VirtualTime::Done done;
    done.operation = kernel_operation(agent(), run_->time());
    done.operation.alone = traced_.number != 0 && counters_wanted();
    end_run();
    done.completion = completion_.handle ? signal_at(completion_) : nullptr;
    done.profiled = profiled;
    if (traced_.number)
        done.on_settled = [traced = traced_](const OperationTimes& times) {
            trace::record_dispatch(traced, times.start, times.end);
        };
    free_slot();
    complete(*times_, std::move(done));
}

HardwareQueue::Problem HardwareQueue::explain(const sim::FaultReport& report) const {
    using Kind = sim::Fault::Kind;
    Problem problem{HSA_STATUS_ERROR, report.text(), {}};
    const auto amd_status = [](int status) { return static_cast<hsa_status_t>(status); };
    switch (report.fault.kind) {
        case Kind::MemoryViolation:
        case Kind::BadBranch: {
            problem.status = amd_status(HSA_STATUS_ERROR_MEMORY_FAULT);
            hsa_amd_event_t event{};
            event.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT;
            event.memory_fault.agent = agent().handle();
            event.memory_fault.virtual_address =
                page_down(report.fault.kind == Kind::BadBranch ? report.fault.pc : report.fault.address);
            event.memory_fault.fault_reason_mask = HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT;
            problem.event = event;
            break;
        }
        case Kind::Misaligned:
            problem.status = amd_status(HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION);
            break;
        case Kind::IllegalInstruction:
        case Kind::Unsupported:
            problem.status = amd_status(HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION);
            break;
        case Kind::Trap:
            problem.status = HSA_STATUS_ERROR_EXCEPTION;
            break;
        case Kind::Hang: {
            hsa_amd_event_t event{};
            event.event_type = HSA_AMD_GPU_HW_EXCEPTION_EVENT;
            event.hw_exception.agent = agent().handle();
            event.hw_exception.reset_type = HSA_AMD_HW_EXCEPTION_RESET_TYPE_OTHER;
            event.hw_exception.reset_cause = HSA_AMD_HW_EXCEPTION_CAUSE_GPU_HANG;
            problem.event = event;
            break;
        }
        case Kind::None:
            break;
    }
    return problem;
}

// The queue stops for good; whoever asked to be told is told, on the helper thread. An error that nobody asked to
// be told of ends the process, as an unhandled GPU fault does on hardware.
void HardwareQueue::fail(Problem problem) {
    state_ = State::Faulted;
    end_times();
    std::fputs(problem.text.c_str(), stderr);
    if (!problem.text.empty() && problem.text.back() != '\n') std::fputc('\n', stderr);
    std::fflush(stderr);
    Runtime::get()->async.post([self = shared_from_this(), problem] {
        const bool handled = problem.event && Runtime::get()->events.raise(*problem.event);
        if (self->callback_) return self->callback_(problem.status, self->presented_, self->callback_data_);
        if (handled) return;
        std::fprintf(stderr, "vrocm: the error on queue %p (status 0x%x) has no handler: the process ends\n",
                     static_cast<void*>(self->presented_), static_cast<unsigned>(problem.status));
        std::abort();
    });
}

}  // namespace vrocm::hsa
