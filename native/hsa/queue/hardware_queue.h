// A queue whose packets the virtual GPU executes.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "hsa/queue/queue.h"
#include "hsa/time/virtual_time.h"
#include "hsa/tracing/thread_traces.h"
#include "sim/machine.h"
#include "trace/device.h"

namespace vrocm::hsa {

class HardwareQueue final : public Queue, public std::enable_shared_from_this<HardwareQueue> {
  public:
    HardwareQueue(Agent& agent, std::uint32_t size, hsa_queue_type32_t type, QueueCallback callback, void* data);

    enum class Outcome {
        Idle,      // nothing to do
        Blocked,   // waits for a signal
        Waiting,   // a kernel runs but does not get on: it waits for memory to change
        Progress,  // something was done
    };
    // Executes packets, or about so many instructions of a kernel. Called by the command processor alone.
    Outcome process(std::uint64_t instructions);
    // Whether process() would find a kernel or a packet.
    bool has_work();

    void inactivate() override;
    void ring(std::uint64_t index) override;

    // Appends packets on behalf of an intercept queue, in order; those that do not fit wait their turn.
    void append(const Packet* packets, std::size_t count);
    // The index that the next appended packet will get.
    std::uint64_t next_index() const;
    // The queue that clients know, when this one is behind an intercept queue.
    void present_as(hsa_queue_t* queue) { presented_ = queue; }

    // The place of its next packet in the order in which all packets of the process were submitted; the largest number
    // when it has none. Only while time is virtual.
    std::uint64_t next_submission();
    // Virtual time: whether its next packet may go before one that was submitted earlier; see VirtualTime.
    bool may_overtake();
    // Whether its kernel has run for long without a workgroup starting or ending.
    bool may_wait_for_another();

    std::atomic<int> priority{HSA_AMD_QUEUE_PRIORITY_NORMAL};

  private:
    enum class State { Active, Inactive, Faulted };
    struct Problem {
        hsa_status_t status;
        std::string text;
        std::optional<hsa_amd_event_t> event;
    };

    Outcome next_packets(std::uint64_t instructions);
    Outcome step(std::uint64_t instructions);
    std::optional<Problem> start_kernel(const Packet& packet, std::uint64_t index);
    bool barrier_open(const Packet& packet);
    void retire_barrier(const Packet& packet);
    void retire_kernel();
    void free_slot();
    void note_submission(bool barrier_bit);
    // Doorbells up to an index have been rung: notes when, for the packets that have not been noted.
    void note_submissions(std::uint64_t allowed);
    void end_times();
    void prepare_trace(const hsa_kernel_dispatch_packet_t& packet, const sim::Dispatch& dispatch);
    void end_run();
    void move_backlog();
    Problem explain(const sim::FaultReport& report) const;
    void fail(Problem problem);

    QueueCallback callback_;
    void* callback_data_;
    hsa_queue_t* presented_;
    std::mutex processing_;
    State state_ = State::Active;
    std::unique_ptr<sim::ThreadTrace> thread_trace_;  // of the kernel that runs, when it is traced
    std::unique_ptr<sim::DispatchRun> run_;
    std::uint64_t workgroups_ = 0;    // of the kernel that runs, at its last turn
    std::uint64_t stalled_from_ = 0;  // its instructions when that number changed last
    hsa_signal_t completion_{0};
    std::uint64_t began_ = 0;            // agent ticks; when time is not virtual
    std::shared_ptr<QueueTimes> times_;  // null when time is not virtual
    std::mutex submission_mutex_;
    std::uint64_t noted_ = 0;  // packets whose submission has been noted
    std::mutex waiting_mutex_;
    std::deque<std::uint64_t> waiting_;      // numbers of submissions of the packets from the read index on
    trace::DispatchRecord traced_;           // of the kernel that runs; number 0: no record
    std::atomic<std::uint32_t> ringing_{0};  // thread that rang the doorbell last
    std::uint32_t traced_scratch_ = 0;       // private segment the queue has had so far
    Watch watch_;

    mutable std::mutex backlog_mutex_;
    std::deque<Packet> backlog_;
    std::uint64_t appended_ = 0;
};

}  // namespace vrocm::hsa
