#include "sim/timing/sampling/timed_dispatch.h"

#include <algorithm>

#include "sim/memory/address_space.h"

namespace vrocm::sim::timing {

namespace {

// Instructions between two looks at whether enough has been simulated.
constexpr std::uint64_t kSlice = 1 << 15;

std::uint64_t hash_arguments(const Dispatch& dispatch, const KernelDescriptor& kernel) {
    std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a
    if (kernel.kernarg_size == 0) return hash;
    const std::uint8_t* bytes =
        thread_ranges().reach(AddressSpace::process(), dispatch.kernarg_address, kernel.kernarg_size, false);
    if (!bytes) return hash;
    for (std::uint32_t i = 0; i < kernel.kernarg_size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3ull;
    return hash;
}

std::vector<MemorySide::HostRange> host_ranges(const GpuModel& model) {
    std::vector<MemorySide::HostRange> ranges;
    if (model.apu) return ranges;
    AddressSpace::process().for_each([&](const Allocation& a) {
        if (a.kind != "host" && a.kind != "registered" && a.kind != "shared") return;
        if (!ranges.empty() && ranges.back().end == a.base)
            ranges.back().end = a.end();
        else
            ranges.push_back({a.base, a.end()});
    });
    return ranges;
}

}  // namespace

TimedDispatch::TimedDispatch(Clockwork& clockwork, const Dispatch& dispatch, const KernelDescriptor& kernel,
                             const sim::Launch& launch, GroupSource& source, Dependence dependence,
                             counters::Tally* tally)
    : clockwork_(clockwork),
      dispatch_(dispatch),
      kernel_(kernel),
      launch_(launch),
      source_(source),
      tally_(tally),
      dependence_(dependence),
      mode_(mode_from_environment()),
      totals_(clockwork.gpu.xcds.size()) {
    key_.kernel = launch.entry_address();
    for (unsigned i = 0; i < 3; ++i) {
        key_.grid[i] = dispatch.grid[i];
        key_.workgroup[i] = dispatch.workgroup[i];
    }
    key_.lds = launch.lds_bytes();
    key_.arguments = hash_arguments(dispatch, kernel);
}

TimedDispatch::~TimedDispatch() {
    if (clockwork_.user == this) clockwork_.user = nullptr;
}

bool TimedDispatch::begin() {
    displaced_ = clockwork_.written_by_runtime.exchange(0) >= clockwork_.gpu.cache_bytes();
    if (mode_ == Mode::Sampled && !dispatch_.recorder && !tally_ && !displaced_)
        if (const History::Known* known = clockwork_.history.find(key_, clockwork_.simulated)) {
            known_ = *known;
            return false;
        }
    clockwork_.user = this;
    clockwork_.wanted = false;
    clockwork_.gpu.cold_caches = tally_ || displaced_;
    if (displaced_) clockwork_.gpu.memory.forget();
    clockwork_.gpu.memory.set_host_ranges(host_ranges(clockwork_.gpu.model));
    detail_ = make_detail(0);
    detail_->count_instructions(tally_);
    // A trace has no gaps and ends when enough waves are in it: nothing more is simulated for its sake.
    sampling_.emplace(detail_->resident_groups(), launch_.workgroups(), clockwork_.gpu.model.compute_units,
                      clockwork_.simulated, all_run() && !dispatch_.recorder, dependence_);
    return true;
}

std::unique_ptr<Detail> TimedDispatch::make_detail(std::uint64_t first) {
    const GroupFootprint need =
        GroupFootprint::of(clockwork_.gpu.model, kernel_, launch_.waves_per_workgroup(), launch_.lds_bytes());
    return std::make_unique<Detail>(clockwork_.gpu, need, first, launch_.workgroups(), launch_.start_clock(), source_,
                                    dispatch_.recorder);
}

// Counters want to have seen whole workgroups: what kernels do first (load) and last (store) is not the same.
bool TimedDispatch::seen_a_generation(const Progress& now) const {
    constexpr std::uint64_t kMost = 40'000'000;  // instructions
    return now.groups_ended >= std::min(detail_->resident_groups(), launch_.workgroups()) || now.instructions >= kMost;
}

void TimedDispatch::expect(std::uint64_t index, std::uint64_t instructions) {
    if (!all_run() && expected_ && instructions > 2 * expected_) sampling_->last_is_longer();
    if (expected_ == 0) expected_ = instructions;
    if (instructions) detail_->leave_alone(index);
    wants_expectation_ = false;
    asked_ = true;
}

TimedDispatch::Status TimedDispatch::step(std::uint64_t instructions) {
    if (!detail_) {
        if (clockwork_.user) {
            clockwork_.wanted = true;
            return Status::Waiting;
        }
        if (before_end_)
            begin_end();
        else if (!begin())
            return Status::HandOver;
    }
    if (before_end_) return step_of_end(instructions);
    const std::uint64_t stop = detail_->instructions() + instructions;
    while (detail_->instructions() < stop) {
        switch (detail_->run(kSlice)) {
            case Detail::Status::Faulted:
                return Status::Faulted;
            case Detail::Status::Ended:
                stop_detail();
                return partial_ ? Status::HandOver : Status::Ended;
            case Detail::Status::Running:
                break;
        }
        if (makes_no_progress() || source_.beyond_limits()) {
            partial_ = true;
            kept_up_ = false;
            stop_detail();
            return Status::HandOver;
        }
        if (mode_ == Mode::Full) continue;
        const Progress now = detail_->progress();
        if (tally_) take_snapshot(now);
        if (now.groups_ended * 4 >= detail_->resident_groups())
            expected_ = detail_->instructions_of_ended() / now.groups_ended * launch_.workgroups();
        else if (may_probe() && !asked_ && sampling_->wants_expectation(now)) {
            wants_expectation_ = true;
            return Status::Running;
        }
        const bool enough = sampling_->enough(now, expected_);
        if (!enough && sampling_->half_way(now, expected_)) detail_->mark();
        if (enough && (!tally_ || seen_a_generation(now)) &&
            !(dispatch_.recorder && dispatch_.recorder->wants_more(now.instructions))) {
            // The rate so far is that of caches that still have room. Those that will not have any are filled, and the
            // rate is found anew.
            const bool kept_up = may_leave_out() && (warms() || sampling_->passes());
            const bool too_long = dependence_ == Dependence::Waiting && !sampling_->by_ends();
            if (const std::uint64_t full =
                    kept_up || too_long ? 0 : clockwork_.gpu.fill_next_cache(now.instructions, expected_)) {
                sampling_->next_regime(now, full);
                continue;
            }
            if (may_probe() && !asked_ && (expected_ == 0 || !all_run()) && !sampling_->by_ends()) {
                wants_expectation_ = true;
                return Status::Running;
            }
            if (leave_out(now)) {
                if (detail_->faulted()) return Status::Faulted;
                continue;
            }
            partial_ = true;
            kept_up_ = false;
            end_begins_ = find_end(now);
            stop_detail();
            return Status::HandOver;
        }
    }
    return Status::Running;
}

// As many as run at the same time. Counters have what was counted so far, and a clock cannot be set back.
std::uint64_t TimedDispatch::find_end(const Progress& now) const {
    const bool wanted = dependence_ == Dependence::Waiting && results_wanted() && !tally_ && !dispatch_.recorder;
    if (!wanted || detail_->read_clock() || sampling_->end_is_near(now)) return ~std::uint64_t{0};
    const std::uint64_t all = launch_.workgroups(), dies = now.dies.size();
    return (all - detail_->resident_groups()) / dies * dies;
}

void TimedDispatch::simulate_end(std::uint64_t instructions) {
    before_end_ = instructions;
    detail_.reset();
}

void TimedDispatch::begin_end() {
    clockwork_.user = this;
    clockwork_.wanted = false;
    clockwork_.gpu.cold_caches = false;
    detail_ = make_detail(end_begins_);
    last_ended_ = last_end_at_ = last_writes_ = last_write_at_ = polls_at_write_ = 0;
}

TimedDispatch::Status TimedDispatch::step_of_end(std::uint64_t instructions) {
    const std::uint64_t stop = detail_->instructions() + instructions;
    auto status = Detail::Status::Running;
    bool too_long = false;
    while (status == Detail::Status::Running && !too_long && detail_->instructions() < stop) {
        status = detail_->run(kSlice);
        too_long = makes_no_progress() || source_.beyond_limits() || detail_->instructions() > sampling_->longest_end();
    }
    if (status == Detail::Status::Faulted) return Status::Faulted;
    if (status == Detail::Status::Running && !too_long) return Status::Running;
    clockwork_.user = nullptr;
    clockwork_.simulated += detail_->instructions();
    if (status == Detail::Status::Running) {
        end_begins_ = ~std::uint64_t{0};
        return Status::HandOver;
    }
    end_ = detail_->finish() - clockwork_.gpu.p.kernel_start;
    return Status::Ended;
}

// Goes on behind a gap or, when the end is near, to the end.
bool TimedDispatch::leave_out(const Progress& now) {
    if (!may_leave_out() || source_.beyond_limits()) return false;
    const std::uint64_t steady_since = sampling_->steady_since(now);
    const Sampling::Gap gap = sampling_->leave_out(now, expected_);
    using Kind = Sampling::Gap::Kind;
    if (gap.kind == Kind::Some || gap.kind == Kind::Time) {
        partial_ = true;
        note_steady(steady_since);
    }
    if (gap.kind == Kind::Time) {
        const Passed passed = detail_->pass(gap.clocks, gap.generations, warms(), sampling_->careful(now));
        kept_up_ &= warms();
        sampling_->note_passed(now, passed);
    } else if (gap.kind == Kind::Some && all_run()) {
        const Passed passed = detail_->skip(gap.groups, sampling_->usual(now), warms(), sampling_->careful(now));
        kept_up_ &= warms();
        sampling_->note_skipped(now, passed);
    } else if (gap.kind == Kind::Some) {
        kept_up_ = false;
        for (unsigned x = 0; x < gap.groups.size(); ++x) detail_->leave_out(x, gap.groups[x]);
        sampling_->note_left_out(now, gap.groups);
    }
    return gap.kind != Sampling::Gap::Kind::Unknown;
}

void TimedDispatch::take_snapshot(const Progress& now) {
    if (steady_) {
        // After a gap, when queues have settled and as long as no die runs dry.
        const bool dealing = std::all_of(now.dies.begin(), now.dies.end(), [](const auto& d) { return d.waiting; });
        if (!dealing || now.groups_ended < ended_at_gap_ + detail_->resident_groups() / 2) return;
        const Snapshot snapshot{detail_->now(), detail_->counts_so_far()};
        if (!after_gap_) after_gap_ = {snapshot, snapshot};
        after_gap_->second = snapshot;
        return;
    }
    constexpr std::uint64_t kBetween = 1 << 18;  // instructions
    if (snapshots_.empty() || detail_->instructions() >= snapshots_.back().counts.instructions + kBetween)
        snapshots_.push_back({detail_->now(), detail_->counts_so_far()});
}

// The first such stretch is the one before the largest gap.
void TimedDispatch::note_steady(std::uint64_t since) {
    if (!tally_ || steady_ || snapshots_.empty()) return;
    const Snapshot* from = &snapshots_.front();
    for (const Snapshot& snapshot : snapshots_)
        if (snapshot.counts.instructions <= since) from = &snapshot;
    const Counts now = detail_->counts_so_far();
    if (now.instructions == from->counts.instructions) return;
    steady_ = {detail_->now() - from->now, now.since(from->counts)};
    ended_at_gap_ = detail_->groups_ended();
}

// No workgroup has ended for long and another dispatch wants to be simulated: it may be what they wait for. Or all do
// nothing but wait, and nothing was written that they may wait for.
bool TimedDispatch::makes_no_progress() {
    constexpr std::uint64_t kPatience = 4'000'000;  // instructions
    constexpr std::uint64_t kRound = 16;            // instructions of a loop that waits, at most
    const std::uint64_t now = detail_->instructions();
    if (detail_->groups_ended() != last_ended_) {
        last_ended_ = detail_->groups_ended();
        last_end_at_ = now;
    }
    if (detail_->writes() != last_writes_) {
        last_writes_ = detail_->writes();
        last_write_at_ = now;
        polls_at_write_ = detail_->polls();
    }
    const std::uint64_t waited = (detail_->polls() - polls_at_write_) * kRound;
    return (clockwork_.wanted && now - last_end_at_ > kPatience) ||
           (now - last_write_at_ > kPatience && waited > now - last_write_at_);
}

// Others may be simulated from here on, while this one goes on functionally.
void TimedDispatch::stop_detail() {
    handed_over_ = detail_->progress();
    if (partial_) note_steady(sampling_->steady_since(handed_over_));
    simulated_.modelled = true;
    simulated_.sampled = partial_;
    detail_->measure_use(simulated_.use);
    simulated_.cycles = detail_->finish();
    clockwork_.user = nullptr;
    clockwork_.simulated += handed_over_.instructions;
}

DispatchTime TimedDispatch::result(std::uint64_t instructions) {
    const std::uint32_t mhz = clockwork_.gpu.model.clock_mhz;
    // Instructions of workgroups that wait are as many as the time they wait for.
    const bool countable = dependence_ != Dependence::Waiting;
    if (known_)
        return History::scaled(*known_, results_wanted() && countable ? instructions : known_->instructions, mhz);
    DispatchTime time = simulated_;
    if (end_) {
        // Those at the end began all at once, as they would not have done.
        const auto end = static_cast<Cycle>(static_cast<double>(*end_) * sampling_->slower_than_at_first(handed_over_));
        time.cycles = handed_over_.now + sampling_->until(handed_over_, *before_end_, end_begins_) + end;
    } else if (partial_ && instructions > handed_over_.instructions) {
        const std::uint64_t unseen = instructions - handed_over_.instructions;
        std::vector<std::uint64_t> totals;
        if (all_run() && countable) totals.assign(totals_.begin(), totals_.end());
        time.cycles += sampling_->rest(handed_over_, instructions, totals);
        // Another dispatch may have begun meanwhile: then the caches are its own.
        if (clockwork_.user == nullptr && !kept_up_) clockwork_.gpu.pass_unseen(unseen, handed_over_.instructions);
    }
    time.nanoseconds = std::max<std::uint64_t>(time.cycles * 1000 / mhz, 1);
    cycles_ = time.cycles;
    // A kernel that reads the clock wants to know what it is, each time.
    // Another simulation of those that wait would be as long again, and say less.
    constexpr std::uint64_t kLong = 30'000'000;  // instructions
    const bool once = dependence_ == Dependence::Waiting && handed_over_.instructions >= kLong;
    if (!tally_ && !displaced_ && !detail_->read_clock()) clockwork_.history.add(key_, time, instructions, once);
    return time;
}

void TimedDispatch::collect(counters::Collected& into) const {
    if (!detail_) return;
    into.timed = true;
    into.partial = partial_;
    into.counts = detail_->counts();
    into.l1 = detail_->l1_counts();
    into.l2 = detail_->l2_counts();
    into.cycles = cycles_;
    into.simulated_cycles = simulated_.cycles;
    if (!steady_) return;
    into.steady = steady_->counts;
    into.steady_cycles = steady_->now;
    if (!after_gap_) return;
    const auto& [from, to] = *after_gap_;
    into.steady = into.steady.and_also(to.counts.since(from.counts));
    into.steady_cycles += to.now - from.now;
}

}  // namespace vrocm::sim::timing
