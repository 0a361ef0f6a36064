// Runs workgroups of one dispatch in detail: instructions are executed when the model issues them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "sim/code/kernel.h"
#include "sim/counters/tally.h"
#include "sim/memory/touched_lines.h"
#include "sim/timing/counts.h"
#include "sim/timing/engine/progress.h"
#include "sim/timing/engine/recorder.h"
#include "sim/timing/units/gpu.h"
#include "sim/wave/workgroup.h"

namespace vrocm::sim::timing {

// A workgroup that goes on functionally, every wave by up to `each` instructions.
struct Share {
    std::uint64_t index = 0;
    std::unique_ptr<Workgroup> group;  // null: to be started; null when it has ended
    std::uint64_t each = 0;            // instructions of each wave
    const OpTimes* times = nullptr;    // instead: until the clock of each wave has come so far
    double until = 0;
    std::vector<double> clocks = {};
    std::uint64_t executed = 0, furthest = 0;  // instructions of all its waves, of the one that ran most
    bool faulted = false;
    std::unique_ptr<TouchedLines> lines;  // that it touches, when somebody wants to know
};

// Where workgroups come from and go to.
class GroupSource {
  public:
    virtual std::unique_ptr<Workgroup> start(std::uint64_t index) = 0;
    virtual void finish(std::unique_ptr<Workgroup> group) = 0;
    // Side by side on the host's threads.
    virtual void advance(std::vector<Share>& shares) = 0;
    // Whether the dispatch has run for so long that it hangs; whoever runs it functionally says so.
    virtual bool beyond_limits() const = 0;

  protected:
    ~GroupSource() = default;
};

// What a dispatch needs of a compute unit.
struct GroupFootprint {
    unsigned waves_per_group = 1;
    unsigned waves_per_simd = 8;
    std::uint32_t lds_bytes = 0;
    static GroupFootprint of(const GpuModel& gpu, const KernelDescriptor& kernel, unsigned waves_per_group,
                             std::uint32_t lds_bytes);
};

class Detail {
  public:
    // Of workgroups [first, groups). `first`: a multiple of the number of dies.
    Detail(Gpu& gpu, const GroupFootprint& need, std::uint64_t first, std::uint64_t groups, std::uint64_t start_cycle,
           GroupSource& source, Recorder* recorder);
    ~Detail();

    enum class Status { Running, Ended, Faulted };
    // Simulates about `instructions` more.
    Status run(std::uint64_t instructions);
    // The wave that could not go on, after Faulted.
    const Workgroup& faulted_group() const { return *fault_group_; }
    Wave& faulted_wave() const { return *fault_wave_; }
    bool faulted() const { return fault_wave_ != nullptr; }

    // From here on it is measured how fast waves are and how long instructions take.
    void mark();
    // Everything goes on functionally for as long as `clocks` would take with what instructions took since the mark,
    // and workgroups that end make room for others; not beyond an end of the unusual kind: where a die has no more
    // workgroups to start, many end at once or, if `careful`, memory is asked for something else. `generations`:
    // instead, if not 0 and workgroups are all of one length, so many take the place of each one that is here. `warm`:
    // caches get what they would have got; only then it is known what is asked of memory.
    Passed pass(Cycle clocks, std::uint64_t generations, bool warm, bool careful);

    // Workgroups of each die, at most so many, are run functionally instead of being started, as long as they are as
    // long as usual and ask for the same of memory. One that is much longer goes on in detail where the others stop;
    // those that are here and much longer go on meanwhile.
    Passed skip(const std::vector<std::uint64_t>& groups, const Usual& usual, bool warm, bool careful);

    // Workgroups that were started go on elsewhere: all that have not ended, in the order of their index.
    std::vector<std::unique_ptr<Workgroup>> release();
    bool started(std::uint64_t index) const;
    // The next `count` workgroups of a die are not started here.
    void leave_out(unsigned xcd, std::uint64_t count);
    // One workgroup was run elsewhere.
    void leave_alone(std::uint64_t index) { alone_ = index; }

    Cycle now() const { return now_; }
    std::uint64_t groups_ended() const { return groups_ended_; }
    std::uint64_t instructions() const { return counts_.instructions; }
    std::uint64_t instructions_of_ended() const { return instructions_of_ended_; }
    std::uint64_t resident_groups() const { return resident_; }
    // Instructions that write to memory: what others may wait for.
    std::uint64_t writes() const;
    // Rounds in which waves did nothing but look whether others have written.
    std::uint64_t polls() const { return polls_; }
    Progress progress() const;
    // Ends the dispatch: write-back. The clock at which everything is done.
    Cycle finish();
    const Counts& counts() const { return counts_; }
    // The same before the end, with what units count for themselves.
    Counts counts_so_far() const { return with_units(now_); }
    bool read_clock() const { return read_clock_; }
    std::uint64_t clock() const { return start_cycle_ + now_; }
    std::uint64_t cycles_per_instruction() const;  // of a wave, on average, once it is finished
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
    void launch(ComputeUnit& unit, Cycle at);
    Simd& next_simd(ComputeUnit& unit) const;
    std::uint32_t place_wave(Group& group, unsigned wave, Cycle launched);
    void enter(Slot& slot, Cycle at);
    void fill(unsigned xcd, Cycle at);
    void refill(ComputeUnit& unit, Cycle at);

    Cycle issue(Slot& slot, Cycle now);
    Cycle wait_for_results(const Slot& slot, const Op* op, const Cost& cost, Cycle at) const;
    Cycle issue_on_unit(Slot& slot, const Cost& cost, const Op* op, Cycle at);
    void access_memory(Slot& slot, const Op* op, const Cost& cost, Cycle at);
    void access_vector_memory(Slot& slot, const Op* op, const Cost& cost, Cycle at);
    void arrive(Slot& slot, Cycle at);
    void release_barrier(Group& group);
    void end_wave(Slot& slot, Cycle at);
    void free_slot(Slot& slot, Cycle at);
    void free_group(Group& group, Cycle at);
    Counts with_units(Cycle end) const;
    void push(Cycle time, std::uint32_t slot);

    void note_time(Slot& slot, std::uint32_t op, Cycle now);
    void find_paces();
    void find_times();
    void pass_part(double clocks, bool warm, Passed& passed);
    void pass_generations(std::uint64_t generations, bool warm, Passed& passed);
    double usual_ends(double clocks) const;
    double until_burst(double clocks) const;
    std::vector<Group*> advance_for(const std::vector<Group*>& groups, bool warm, Passed& passed);
    std::vector<Group*> advance_by(const std::vector<Group*>& groups, bool warm, Passed& passed);
    std::vector<Group*> advance(const std::vector<Group*>& groups, std::vector<Share>& shares, bool warm,
                                Passed& passed);
    std::vector<Group*> replace(const std::vector<Group*>& ended, Passed& passed);
    void take_out(const std::vector<Group*>& groups);
    void resume(Group& group);
    void end_functionally(Group& group);
    void fault(Workgroup& group);
    void note(const Share& share, unsigned xcd);
    Demand demand() const;
    std::uint64_t issued(std::initializer_list<Class> classes) const;
    std::uint64_t accesses() const;

    Gpu& gpu_;
    const Parameters& p_;
    GroupFootprint need_;
    std::uint64_t groups_;
    std::uint64_t alone_ = ~std::uint64_t{0};
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
        std::vector<std::unique_ptr<Workgroup>> begun;                  // elsewhere, to be started before all others
    };
    std::uint64_t index_of_next(unsigned xcd) const {
        const std::uint64_t index = dealt_[xcd].next * dealt_.size() + xcd;
        return index == alone_ ? index + dealt_.size() : index;
    }
    std::uint64_t take_index(unsigned xcd) {
        const std::uint64_t index = index_of_next(xcd);
        dealt_[xcd].next = index / dealt_.size() + 1;
        return index;
    }
    bool has_next(unsigned xcd) const { return !dealt_[xcd].begun.empty() || index_of_next(xcd) < groups_; }
    std::unique_ptr<Workgroup> take_next(unsigned xcd);
    std::vector<Share> next_shares(std::vector<std::uint64_t>& left, double part, std::uint64_t longest, bool warm);
    void advance_long_ones(const Usual& usual, double clocks, Passed& passed);
    std::vector<Dealt> dealt_;
    std::vector<unsigned> rotation_;  // per XCD: the unit that is tried first
    MemoryAccess access_;
    Cycle now_ = 0, last_end_ = 0;
    std::uint64_t groups_ended_ = 0, instructions_of_ended_ = 0, resident_ = 0;
    std::uint64_t polls_ = 0;
    Lengths spans_;  // of workgroups that have ended: instructions of the wave that has most
    struct OpTime {
        double count = 0, clocks = 0, squares = 0;
    };
    std::vector<OpTime> op_times_;  // by the number of the operation
    OpTimes times_;                 // the same during a gap
    double pace_ = 0;               // of all waves, since the mark
    std::uint64_t completed_ = 0;   // instructions of those that have ended, without what was passed
    Cycle marked_at_ = 0;
    std::uint64_t ended_at_mark_ = 0, instructions_at_mark_ = 0, accesses_at_mark_ = 0;
    Demand passed_;  // in gaps
    std::uint64_t wave_cycles_resident_ = 0;
    bool read_clock_ = false;
    const Workgroup* fault_group_ = nullptr;
    Wave* fault_wave_ = nullptr;
};

}  // namespace vrocm::sim::timing
