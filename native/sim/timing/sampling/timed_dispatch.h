// The time of one dispatch: simulated in detail as far as needed, extrapolated, or known from launches like it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/code/order.h"
#include "sim/dispatch/launch.h"
#include "sim/machine.h"
#include "sim/timing/engine/detail.h"
#include "sim/timing/mode.h"
#include "sim/timing/sampling/history.h"
#include "sim/timing/sampling/sampling.h"

namespace vrocm::sim::timing {

// What a virtual GPU keeps between dispatches.
struct Clockwork {
    explicit Clockwork(const GpuModel& model) : gpu(model) {}
    Gpu gpu;
    History history;
    const void* user = nullptr;                        // the dispatch that is being simulated: one at a time
    bool wanted = false;                               // by another dispatch
    std::uint64_t simulated = 0;                       // instructions of all dispatches so far
    std::atomic<std::uint64_t> written_by_runtime{0};  // bytes, by way of the caches, since a dispatch began
};

class TimedDispatch {
  public:
    TimedDispatch(Clockwork& clockwork, const Dispatch& dispatch, const KernelDescriptor& kernel, const Launch& launch,
                  GroupSource& source, Dependence dependence, counters::Tally* tally);
    ~TimedDispatch();

    enum class Status {
        Waiting,  // another dispatch is being simulated
        Running,
        Ended,     // every workgroup was simulated
        HandOver,  // the rest is to be run functionally
        Faulted,
    };
    Status step(std::uint64_t instructions);
    Detail& detail() { return *detail_; }
    const Detail* detail_so_far() const { return detail_.get(); }  // null: nothing was simulated in detail
    std::uint64_t instructions() const { return detail_ ? detail_->instructions() : 0; }
    std::uint64_t instructions_of_ended() const { return detail_ ? detail_->instructions_of_ended() : 0; }
    std::uint64_t groups_ended() const { return detail_ ? detail_->groups_ended() : 0; }
    std::vector<std::unique_ptr<Workgroup>> release() {
        return detail_ ? detail_->release() : std::vector<std::unique_ptr<Workgroup>>();
    }
    bool started(std::uint64_t index) const { return detail_ && detail_->started(index); }
    // To be told how many instructions the whole dispatch may have: asked once, when it matters.
    bool wants_expectation() const { return wants_expectation_; }
    // `index`: of the workgroup that was run to find it out.
    void expect(std::uint64_t index, std::uint64_t instructions);

    // A workgroup has ended, here or elsewhere, with so many instructions. By any thread.
    void count_group(std::uint64_t index, std::uint64_t instructions) {
        totals_[index % totals_.size()].fetch_add(instructions, std::memory_order_relaxed);
    }

    // After HandOver: the first of the workgroups at the end that are to be simulated once all before them have run,
    // which need not be. Those that wait for each other wait for fewer and fewer there. Beyond all workgroups: none.
    std::uint64_t end_begins() const { return end_begins_; }
    // The time has come; the dispatch has run so many instructions. Another step() follows.
    void simulate_end(std::uint64_t instructions);

    // Once all workgroups have ended (or were left out): `instructions` of the whole dispatch.
    DispatchTime result(std::uint64_t instructions);
    // What was counted, after result().
    void collect(counters::Collected& into) const;

  private:
    bool begin();
    void stop_detail();
    bool makes_no_progress();
    std::uint64_t find_end(const Progress& now) const;
    void begin_end();
    Status step_of_end(std::uint64_t instructions);
    std::unique_ptr<Detail> make_detail(std::uint64_t first);
    // Also what is not simulated.
    bool all_run() const { return results_wanted() || tally_; }
    // A workgroup ahead of its turn: not one that may find work for all of them.
    bool may_probe() const { return dependence_ <= (all_run() ? Dependence::Order : Dependence::None); }
    // Clocks that a kernel reads, and traces, have no gaps. One that waits would not find out in a gap for how long.
    bool may_leave_out() const {
        return dependence_ <= (all_run() ? Dependence::Seen : Dependence::None) && !dispatch_.recorder &&
               !detail_->read_clock();
    }
    bool warms() const { return sampling_->warms(expected_); }
    bool leave_out(const Progress& now);
    void take_snapshot(const Progress& now);
    void note_steady(std::uint64_t since);
    bool seen_a_generation(const Progress& now) const;

    Clockwork& clockwork_;
    Dispatch dispatch_;
    const KernelDescriptor kernel_;
    const sim::Launch& launch_;
    GroupSource& source_;
    counters::Tally* tally_;  // where instructions are counted, or null
    Dependence dependence_;
    Mode mode_;
    History::Launch key_;
    std::optional<History::Known> known_;
    std::unique_ptr<Detail> detail_;
    std::optional<Sampling> sampling_;
    std::uint64_t expected_ = 0;
    bool wants_expectation_ = false, asked_ = false;
    bool partial_ = false;
    bool kept_up_ = true;     // caches have seen all
    bool displaced_ = false;  // the runtime wrote more than the caches hold just before
    Progress handed_over_;
    std::vector<std::atomic<std::uint64_t>> totals_;  // instructions of the workgroups of each die
    // What was counted so far, from time to time; and in the stretches before and after the first gap, which stand for
    // what was not simulated.
    struct Snapshot {
        Cycle now = 0;
        Counts counts;
    };
    std::vector<Snapshot> snapshots_;
    std::optional<Snapshot> steady_;
    std::optional<std::pair<Snapshot, Snapshot>> after_gap_;
    std::uint64_t ended_at_gap_ = 0;
    std::uint64_t last_ended_ = 0, last_end_at_ = 0;
    std::uint64_t last_writes_ = 0, last_write_at_ = 0, polls_at_write_ = 0;
    std::uint64_t end_begins_ = ~std::uint64_t{0};
    std::optional<std::uint64_t> before_end_;  // instructions
    std::optional<Cycle> end_;                 // that it took
    std::uint64_t cycles_ = 0;                 // of the whole
    DispatchTime simulated_;                   // without what was not simulated
};

}  // namespace vrocm::sim::timing
