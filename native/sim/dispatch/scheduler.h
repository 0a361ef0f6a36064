// The scheduler of one dispatch: which workgroup runs when, on which host thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sim/code/code_map.h"
#include "sim/code/order.h"
#include "sim/counters/tally.h"
#include "sim/dispatch/group_order.h"
#include "sim/dispatch/launch.h"
#include "sim/dispatch/limits.h"
#include "sim/dispatch/progress_line.h"
#include "sim/machine.h"
#include "sim/observe/observer.h"
#include "sim/timing/sampling/timed_dispatch.h"
#include "sim/wave/workgroup.h"

namespace vrocm::sim {

// Workgroups start in order. A group runs until it ends; one that waits for others, or has run for long, is set
// aside and others are started or resumed, so that groups may wait for each other as far as all of them would
// be resident on hardware.
class Scheduler final : public DispatchRun, private timing::GroupSource {
  public:
    // `clockwork`: where time comes from; null when it is not modelled, as it must be when there are observers.
    Scheduler(std::shared_ptr<CodeRegion> region, const Dispatch& dispatch, std::unique_ptr<Launch> launch,
              Dependence dependence, const KernelDescriptor& kernel, timing::Clockwork* clockwork,
              observe::Observers observers);
    // A dispatch that cannot start.
    Scheduler(std::shared_ptr<CodeRegion> region, const Dispatch& dispatch, Fault fault);
    ~Scheduler() override;

    Status step(std::uint64_t instructions) override;
    const FaultReport& fault() const override { return report_; }
    DispatchStats stats() const override;
    DispatchTime time() const override { return time_; }
    std::vector<counters::RawCount> counts() const override;

  private:
    // What one host thread works on at a time.
    struct Seat {
        std::deque<std::unique_ptr<Workgroup>> parked;
        std::vector<std::unique_ptr<Workgroup>> spare;
        bool waited = false;                          // the last turn ended because its group waits for others
        bool resumed = false;                         // the last turn was of a group started earlier
        std::uint64_t turns = 0;                      // since a group was last started or ended
        std::unique_ptr<counters::Tally> tally;       // when the dispatch is counted
        std::unique_ptr<observe::Watchers> watchers;  // when it is observed
    };
    void run_seat(Seat& seat, std::uint64_t budget);
    // False when every group of the seat waits and no other can be started.
    bool take_turn(Seat& seat, unsigned& waiting, std::uint64_t& used);
    std::unique_ptr<Workgroup> pick(Seat& seat);
    std::unique_ptr<Workgroup> start_group(Seat& seat);
    std::unique_ptr<Workgroup> take_group(Seat& seat, std::uint64_t index);
    // The part that is simulated in detail.
    void step_in_detail(std::uint64_t budget);
    void leave_detail();
    void enter_end();
    void report_first_fault();
    bool run_left_out(std::uint64_t first, std::uint64_t end);
    void skip_the_rest();
    void probe();
    std::unique_ptr<Workgroup> start(std::uint64_t index) override;
    void finish(std::unique_ptr<Workgroup> group) override;
    void advance(std::vector<timing::Share>& shares) override;
    bool beyond_limits() const override;
    void advance(Seat& seat, timing::Share& share);
    bool can_start() const;
    bool should_start(const Seat& seat) const;
    bool work_left() const;
    void finish(Seat& seat, std::unique_ptr<Workgroup> group);
    void end_observation(observe::Ending ending);
    void record(const Fault& fault, const Workgroup& group, const Wave& wave);
    bool without_progress_too_long() const;
    void check_limits(const Workgroup& group, Turn turn);
    const timing::Parameters& parameters() const;
    static double seconds_now();
    void note_progress();

    static constexpr std::uint64_t kNoFault = std::numeric_limits<std::uint64_t>::max();
    std::shared_ptr<CodeRegion> region_;
    std::uint64_t kernel_object_;
    std::unique_ptr<Launch> launch_;
    Limits limits_ = Limits::from_environment();
    std::uint64_t total_ = 0;
    std::uint64_t bound_ = 0;  // groups before this may be started: the others are to be simulated
    std::uint64_t turn_ = 0;   // instructions a group may run before others get their turn
    observe::Observers observers_;
    std::vector<Seat> seats_;
    GroupOrder order_;
    std::atomic<std::uint64_t> next_{0};      // turn of the group to start
    std::atomic<std::uint64_t> resident_{0};  // started, not ended
    std::atomic<std::uint64_t> ended_{0}, waves_{0}, partial_waves_{0}, items_{0}, instructions_{0};
    std::atomic<std::uint64_t> fault_group_{kNoFault};  // lowest group that faulted
    std::atomic<double> progress_{0};                   // when a group last started or ended
    std::atomic<double> busy_{0};                       // when a group last did more than wait
    std::mutex report_mutex_;
    FaultReport report_;
    DispatchTime time_;
    std::string name_;  // of the kernel, once somebody wants it
    ProgressLine progress_line_;
    std::unique_ptr<timing::TimedDispatch> timed_;
    bool in_detail_ = false;
    std::uint64_t probed_ = kNoFault;  // a group that was run ahead to see how long it is
    std::uint64_t estimated_ = 0;      // instructions of groups that were left out
};

}  // namespace vrocm::sim
