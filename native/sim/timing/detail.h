// Runs workgroups of one dispatch in detail: instructions are executed when the model issues them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "sim/counters/tally.h"
#include "sim/kernel.h"
#include "sim/timing/counts.h"
#include "sim/timing/gpu.h"
#include "sim/timing/progress.h"
#include "sim/timing/recorder.h"
#include "sim/workgroup.h"

namespace vrocm::sim::timing {

// Where workgroups come from and go to.
class GroupSource {
  public:
    virtual std::unique_ptr<Workgroup> start(std::uint64_t index) = 0;
    virtual void finish(std::unique_ptr<Workgroup> group) = 0;

  protected:
    ~GroupSource() = default;
};

// What a dispatch needs of a compute unit.
struct Occupancy {
    unsigned waves_per_group = 1;
    unsigned waves_per_simd = 8;
    std::uint32_t lds_bytes = 0;
    static Occupancy of(const KernelDescriptor& kernel, unsigned waves_per_group, std::uint32_t lds_bytes);
};

class Detail {
  public:
    Detail(Gpu& gpu, const Occupancy& need, std::uint64_t groups, std::uint64_t start_cycle, GroupSource& source,
           Recorder* recorder);
    ~Detail();

    enum class Status { Running, Ended, Faulted };
    // Simulates about `instructions` more.
    Status run(std::uint64_t instructions);
    // The wave that could not go on, after Faulted.
    const Workgroup& faulted_group() const { return *fault_group_; }
    Wave& faulted_wave() const { return *fault_wave_; }

    // Workgroups that were started go on elsewhere: all that have not ended, in the order of their index.
    std::vector<std::unique_ptr<Workgroup>> release();
    bool started(std::uint64_t index) const;
    // The next `count` workgroups of a die are not started here.
    void leave_out(unsigned xcd, std::uint64_t count);
    // The last workgroup of all was run elsewhere.
    void leave_last() { --groups_; }

    Cycle now() const { return now_; }
    std::uint64_t groups_ended() const { return groups_ended_; }
    std::uint64_t instructions() const { return counts_.instructions; }
    std::uint64_t instructions_of_ended() const { return instructions_of_ended_; }
    std::uint64_t resident_groups() const { return resident_; }
    Progress progress() const;
    // Ends the dispatch: write-back. The clock at which everything is done.
    Cycle finish();
    const Counts& counts() const { return counts_; }
    // The same before the end, with what units count for themselves.
    Counts counts_so_far() const { return with_units(now_); }
    bool read_clock() const { return read_clock_; }
    // Of each compute unit and of each channel of the L2s, after finish().
    const std::vector<L1Counts>& l1_counts() const { return l1_counts_; }
    const std::vector<L2Counts>& l2_counts() const { return l2_counts_; }
    // Counts what each instruction does, too (null: not any more).
    void count_instructions(counters::Tally* tally) { tally_ = tally; }
    // Shares of the GPU's units that were busy, in thousandths.
    void measure_use(std::uint32_t* use) const;

  private:
    struct Group;
    struct Slot;
    struct Event {
        Cycle time;
        std::uint32_t slot;
        bool operator>(const Event& other) const { return time != other.time ? time > other.time : slot > other.slot; }
    };
    struct Launcher;

    bool fits(const ComputeUnit& unit) const;
    void launch(ComputeUnit& unit, std::uint64_t index, Cycle at);
    void fill(unsigned xcd, Cycle at);
    void refill(ComputeUnit& unit, Cycle at);
    void place_wave(Group& group, unsigned wave, Cycle at);

    Cycle issue(Slot& slot, Cycle now);
    Cycle wait_for_results(const Slot& slot, const Op* op, const Cost& cost, Cycle at) const;
    Cycle issue_on_unit(Slot& slot, const Cost& cost, const Op* op, Cycle at);
    void access_memory(Slot& slot, const Op* op, const Cost& cost, Cycle at);
    void access_vector_memory(Slot& slot, const Op* op, const Cost& cost, Cycle at);
    void arrive(Slot& slot, Cycle at);
    void release_barrier(Group& group);
    void end_wave(Slot& slot, Cycle at);
    Counts with_units(Cycle end) const;
    void push(Cycle time, std::uint32_t slot);

    Gpu& gpu_;
    const Parameters& p_;
    Occupancy need_;
    std::uint64_t groups_;
    std::uint64_t start_cycle_;
    GroupSource& source_;
    Recorder* recorder_;

    counters::Tally* tally_ = nullptr;
    Counts counts_;
    std::vector<L1Counts> l1_counts_;
    std::vector<L2Counts> l2_counts_;
    std::vector<Event> events_;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_slots_;
    std::vector<std::unique_ptr<Group>> groups_running_;
    // Per XCD.
    struct Dealt {
        std::uint64_t next = 0;  // of its groups: those before were started or left out
        std::uint64_t running = 0, ended = 0;
        std::uint64_t completed = 0, executed = 0;  // instructions: of those that have ended, of all
        std::vector<std::pair<std::uint64_t, std::uint64_t>> left_out;  // [first, end) of its groups
    };
    std::uint64_t index_of_next(unsigned xcd) const { return dealt_[xcd].next * dealt_.size() + xcd; }
    std::vector<Dealt> dealt_;
    std::vector<unsigned> rotation_;  // per XCD: the unit that is tried first
    MemoryAccess access_;
    Cycle now_ = 0, last_end_ = 0;
    std::uint64_t groups_ended_ = 0, instructions_of_ended_ = 0, resident_ = 0;
    std::uint64_t wave_cycles_resident_ = 0;
    bool read_clock_ = false;
    const Workgroup* fault_group_ = nullptr;
    Wave* fault_wave_ = nullptr;
};

}  // namespace vrocm::sim::timing
