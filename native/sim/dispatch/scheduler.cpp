#include "sim/dispatch/scheduler.h"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <thread>
#include <utility>

#include "sim/dispatch/progress_line.h"
#include "sim/dispatch/threads.h"
#include "sim/wave/fault_report.h"

namespace vrocm::sim {

namespace {

// Instructions of a turn. Kernels that may wait for other groups switch often enough for the wait to be short.
constexpr std::uint64_t kTurnWhenGroupsMayWait = 1 << 19, kTurnOtherwise = 1 << 22;
// Below this, waking helpers costs more than it gains.
constexpr std::uint64_t kAloneFirst = 1 << 15;
// Nobody has done anything but wait for so long: nobody will. Shorter when groups that they may wait for cannot start;
// otherwise the host or another queue may still come.
constexpr double kStarvedSeconds = 20, kDeadlockedSeconds = 600;

Fault hang(std::string text, const Wave& wave) {
    Fault fault;
    fault.kind = Fault::Kind::Hang;
    fault.text = std::move(text);
    fault.pc = wave.next ? wave.next->pc : 0;
    return fault;
}

bool want_one_thread(const observe::Observers& observers) {
    return std::any_of(observers.begin(), observers.end(), [](const auto& one) { return one->wants_one_thread(); });
}

const Wave& first_unfinished(const Workgroup& group) {
    for (unsigned i = 0; i < group.wave_count; ++i)
        if (group.waves[i].state != WaveState::Done) return group.waves[i];
    return group.waves[0];
}

bool has_faulted(const Workgroup& group) {
    return std::any_of(group.waves.get(), group.waves.get() + group.wave_count,
                       [](const Wave& wave) { return wave.state == WaveState::Faulted; });
}

}  // namespace

Scheduler::Scheduler(std::shared_ptr<CodeRegion> region, const Dispatch& dispatch, std::unique_ptr<Launch> launch,
                     Dependence dependence, const KernelDescriptor& kernel, timing::Clockwork* clockwork,
                     observe::Observers observers)
    : region_(std::move(region)),
      kernel_object_(dispatch.kernel_object),
      launch_(std::move(launch)),
      total_(launch_->workgroups()),
      bound_(total_),
      turn_(
          std::min(dependence == Dependence::None ? kTurnOtherwise : kTurnWhenGroupsMayWait, limits_.instructions + 1)),
      observers_(std::move(observers)),
      seats_(dependence == Dependence::None && !want_one_thread(observers_)
                 ? std::min<std::uint64_t>(host_threads(), std::max<std::uint64_t>(total_, 1))
                 : 1) {
    note_progress();
    if (dispatch.counted)
        for (Seat& seat : seats_) seat.tally = std::make_unique<counters::Tally>(parameters().l1.line);
    if (!observers_.empty())
        for (Seat& seat : seats_) seat.watchers = std::make_unique<observe::Watchers>(observers_);
    if (!clockwork) {
        order_ = GroupOrder::from_environment(total_, launch_->resident_workgroups());
        return;
    }
    timed_ = std::make_unique<timing::TimedDispatch>(*clockwork, dispatch, kernel, *launch_,
                                                     static_cast<timing::GroupSource&>(*this), dependence,
                                                     seats_[0].tally.get());
    in_detail_ = true;
}

Scheduler::Scheduler(std::shared_ptr<CodeRegion> region, const Dispatch& dispatch, Fault fault)
    : region_(std::move(region)), kernel_object_(dispatch.kernel_object) {
    fault_group_ = 0;
    report_ = describe(fault, kernel_name(region_.get(), kernel_object_), nullptr, nullptr);
}

Scheduler::~Scheduler() {
    for (Seat& seat : seats_) {
        for (auto& group : seat.parked) WorkgroupCache::process().give(std::move(group));
        for (auto& group : seat.spare) WorkgroupCache::process().give(std::move(group));
    }
}

DispatchStats Scheduler::stats() const {
    DispatchStats stats;
    stats.workgroups = ended_;
    stats.waves = waves_;
    stats.instructions = instructions_;
    stats.host_threads = seats_.size();
    return stats;
}

const timing::Parameters& Scheduler::parameters() const {
    return timing::parameters(launch_->model());
}

std::vector<counters::RawCount> Scheduler::counts() const {
    counters::Tally all(parameters().l1.line);
    for (const Seat& seat : seats_)
        if (seat.tally) all.add(*seat.tally);
    counters::Collected collected;
    collected.mix = counters::mix_of(all.ops(), parameters());
    collected.accesses = all.accesses();
    collected.fetches = all.fetches();
    collected.waves = waves_;
    collected.waves_lt_64 = partial_waves_;
    collected.workgroups = ended_;
    collected.items = items_;
    if (timed_) timed_->collect(collected);
    return counters::raw_counts(collected);
}

DispatchRun::Status Scheduler::step(std::uint64_t budget) {
    if (in_detail_) {
        step_in_detail(budget);
    } else if (fault_group_ == kNoFault && ended_ < total_) {
        const std::uint64_t alone = seats_.size() == 1 ? budget : std::min(budget, kAloneFirst);
        run_parts(1, [&](unsigned) { run_seat(seats_[0], alone); });
        if (seats_.size() > 1 && work_left() && budget > alone) {
            const std::uint64_t share = (budget - alone) / seats_.size() + 1;
            run_parts(static_cast<unsigned>(seats_.size()), [&](unsigned i) { run_seat(seats_[i], share); });
        }
        if (bound_ < total_ && ended_ == bound_) enter_end();
    }
    if (fault_group_ != kNoFault) {
        end_observation(observe::Ending::Faulted);
        return Status::Faulted;
    }
    if (ended_ < total_) {
        if (name_.empty()) name_ = kernel_name(region_.get(), kernel_object_);
        progress_line_.show(name_, ended_, total_, instructions_);
        return Status::Running;
    }
    if (timed_ && !time_.modelled) {
        time_ = timed_->result(instructions_ + estimated_);
        if (dispatch_log_wanted()) log_dispatch(kernel_name(region_.get(), kernel_object_), time_, stats());
    }
    end_observation(observe::Ending::Done);
    return Status::Done;
}

// Watchers hand over what they have when they go.
void Scheduler::end_observation(observe::Ending ending) {
    for (Seat& seat : seats_) seat.watchers.reset();
    for (const auto& observer : std::exchange(observers_, {})) observer->finish(ending);
}

void Scheduler::step_in_detail(std::uint64_t budget) {
    const std::uint64_t before = timed_->instructions();
    const std::uint64_t allowed = limits_.instructions - std::min<std::uint64_t>(limits_.instructions, instructions_);
    const auto status = timed_->step(std::min(budget, allowed + 1));
    instructions_.fetch_add(timed_->instructions() - before, std::memory_order_relaxed);
    switch (status) {
        case timing::TimedDispatch::Status::Waiting:
            break;
        case timing::TimedDispatch::Status::Running:
            if (timed_->wants_expectation()) probe();
            break;
        case timing::TimedDispatch::Status::Ended:
            in_detail_ = false;
            break;
        case timing::TimedDispatch::Status::HandOver:
            leave_detail();
            break;
        case timing::TimedDispatch::Status::Faulted:
            in_detail_ = false;
            report_first_fault();
            break;
    }
}

// The fault that came first in time need not be that of the lowest workgroup, which is the one that is reported:
// those that have started go on in order until one faults, and so do those before them that were left out.
void Scheduler::report_first_fault() {
    Wave& faulted = timed_->detail().faulted_wave();
    const Workgroup& group = timed_->detail().faulted_group();
    const Fault fault = std::exchange(faulted.fault, Fault{});
    faulted.state = WaveState::Ready;  // it will try the same instruction again
    std::uint64_t next = 0;
    for (auto& lower : timed_->release()) {
        if (timing::results_wanted() && !run_left_out(next, lower->index)) return;
        next = lower->index + 1;
        std::uint64_t executed = 0;
        if (lower.get() == &group) {
            record(fault, group, faulted);
            return;
        }
        // Of those that ran side by side, others may have faulted too.
        if (!has_faulted(*lower) && run_workgroup(*lower, kTurnOtherwise, executed) != Turn::Faulted) continue;
        const Wave* wave = &lower->waves[0];
        while (wave->state != WaveState::Faulted) ++wave;
        record(wave->fault, *lower, *wave);
        return;
    }
}

// Runs workgroups that were not started, from one on and before another. False when one faulted: it is reported.
bool Scheduler::run_left_out(std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t index = first; index < end; ++index) {
        if (timed_->started(index) || index == probed_) continue;
        auto group = take_group(seats_[0], index);
        std::uint64_t executed = 0;
        const Turn turn = run_workgroup(*group, kTurnOtherwise, executed);
        if (turn == Turn::Faulted) {
            const Wave* wave = &group->waves[0];
            while (wave->state != WaveState::Faulted) ++wave;
            record(wave->fault, *group, *wave);
            return false;
        }
        seats_[0].spare.push_back(std::move(group));
    }
    return true;
}

// Workgroups that were simulated so far go on functionally, shared out between the host threads.
void Scheduler::leave_detail() {
    in_detail_ = false;
    std::size_t seat = 0;
    if (const timing::Detail* detail = timed_->detail_so_far(); detail && detail->read_clock())
        launch_->set_clock(detail->clock(), detail->cycles_per_instruction());
    for (auto& group : timed_->release()) seats_[seat++ % seats_.size()].parked.push_back(std::move(group));
    bound_ = std::min(total_, timed_->end_begins());
    if (!timing::results_wanted() && !seats_[0].tally) skip_the_rest();
}

// All before the last ones have ended.
void Scheduler::enter_end() {
    bound_ = total_;
    in_detail_ = true;
    timed_->simulate_end(instructions_);
}

// Time is all that is wanted: what is left is counted by workgroups that are run to their end.
void Scheduler::skip_the_rest() {
    constexpr std::size_t kSample = 8;
    Seat& seat = seats_[0];
    for (std::size_t i = 1; i < seats_.size(); ++i) {
        for (auto& group : seats_[i].parked) seat.parked.push_back(std::move(group));
        seats_[i].parked.clear();
    }
    std::uint64_t known = timed_->instructions_of_ended(), groups = timed_->groups_ended();
    if (groups < kSample) {
        const std::size_t count = std::min(kSample, seat.parked.size());
        for (std::size_t i = 0; i < count; ++i) {
            Workgroup& group = *seat.parked[i * seat.parked.size() / count];
            std::uint64_t executed = 0;
            if (run_workgroup(group, limits_.instructions, executed) != Turn::Finished) continue;
            for (unsigned wave = 0; wave < group.wave_count; ++wave) known += group.waves[wave].instructions;
            ++groups;
        }
    }
    if (groups != 0)
        estimated_ =
            static_cast<std::uint64_t>(static_cast<unsigned __int128>(known) * total_ / groups) - instructions_;
    seat.parked.clear();
    ended_ = total_;
}

// Runs one workgroup ahead of its turn, functionally, to tell how many instructions the whole dispatch may have: one of
// those in the middle that have not started or, where most are never run, the last.
void Scheduler::probe() {
    constexpr std::uint64_t kLongest = 50'000'000;
    std::uint64_t index = timing::results_wanted() ? total_ / 2 : total_ - 1;
    while (index < total_ && timed_->started(index)) index += (total_ - index + 1) / 2;
    if (index >= total_) return timed_->expect(0, 0);
    auto group = take_group(seats_[0], index);
    probed_ = index;
    std::uint64_t executed = 0;
    const Turn turn = run_workgroup(*group, kLongest, executed, seats_[0].tally.get());
    instructions_.fetch_add(executed, std::memory_order_relaxed);
    if (turn == Turn::Finished)
        finish(seats_[0], std::move(group));
    else
        seats_[0].parked.push_back(std::move(group));  // goes on, or faults again, when its turn comes
    timed_->expect(index, executed * total_);
}

std::unique_ptr<Workgroup> Scheduler::start(std::uint64_t index) {
    return take_group(seats_[0], index);
}

void Scheduler::finish(std::unique_ptr<Workgroup> group) {
    finish(seats_[0], std::move(group));
}

void Scheduler::advance(std::vector<timing::Share>& shares) {
    constexpr std::size_t kTogether = 16;
    std::atomic<std::size_t> next{0};
    run_parts(static_cast<unsigned>(seats_.size()), [&](unsigned i) {
        for (std::size_t first; (first = next.fetch_add(kTogether)) < shares.size();)
            for (std::size_t k = first; k < std::min(first + kTogether, shares.size()); ++k)
                advance(seats_[i], shares[k]);
    });
}

void Scheduler::advance(Seat& seat, timing::Share& share) {
    if (!share.group) share.group = take_group(seat, share.index);
    const Turn turn = share.times
                          ? advance_workgroup_until(*share.group, share.until, share.clocks, *share.times,
                                                    share.executed, share.furthest, seat.tally.get(), share.lines.get())
                          : advance_workgroup(*share.group, share.each, share.executed, share.furthest,
                                              seat.tally.get(), share.lines.get());
    instructions_.fetch_add(share.executed, std::memory_order_relaxed);
    share.faulted = turn == Turn::Faulted;
    if (turn == Turn::Finished) finish(seat, std::move(share.group));
}

bool Scheduler::work_left() const {
    return fault_group_ == kNoFault && ended_ < total_;
}

void Scheduler::run_seat(Seat& seat, std::uint64_t budget) {
    unsigned waiting = 0;
    for (std::uint64_t used = 0; used < budget;)
        if (!take_turn(seat, waiting, used)) return;
}

bool Scheduler::take_turn(Seat& seat, unsigned& waiting, std::uint64_t& used) {
    std::unique_ptr<Workgroup> group;
    try {
        group = pick(seat);
    } catch (const std::bad_alloc&) {
        Fault fault;
        fault.kind = Fault::Kind::Unsupported;
        fault.text = "the host has no memory left for the registers and scratch of another workgroup";
        record(fault, Workgroup(1), Wave());
        return false;
    }
    if (!group) return false;
    if (instructions_ > limits_.instructions) {
        check_limits(*group, Turn::Expired);
        seat.parked.push_back(std::move(group));
        return true;
    }
    std::uint64_t executed = 0;
    const Turn turn = run_workgroup(*group, turn_, executed, seat.tally.get(), seat.watchers.get());
    used += executed;
    instructions_.fetch_add(executed, std::memory_order_relaxed);
    seat.waited = turn == Turn::Waiting;
    switch (turn) {
        case Turn::Finished:
            seat.turns = 0;
            finish(seat, std::move(group));
            waiting = 0;
            return true;
        case Turn::Faulted: {
            const Wave* wave = &group->waves[0];
            while (wave->state != WaveState::Faulted) ++wave;
            record(wave->fault, *group, *wave);
            finish(seat, std::move(group));
            return true;
        }
        case Turn::Expired:
            busy_.store(seconds_now(), std::memory_order_relaxed);
            waiting = 0;
            break;
        case Turn::Waiting:
            ++waiting;
            break;
    }
    check_limits(*group, turn);
    const bool dropped = group->index > fault_group_;
    seat.parked.push_back(std::move(group));
    if (dropped) return true;
    if (waiting < seat.parked.size() || can_start()) return true;
    if (bound_ < total_) {  // they may wait for one of those
        bound_ = total_;
        return true;
    }
    std::this_thread::yield();  // for the host thread or queue that they wait for
    return false;
}

bool Scheduler::can_start() const {
    return fault_group_ == kNoFault && next_ < bound_ && resident_ < launch_->resident_workgroups();
}

// Groups that wait may wait for one that has not started: starting and resuming alternate. Groups that are merely
// long go on first, because every resident group takes memory and room in the caches.
bool Scheduler::should_start(const Seat& seat) const {
    if (!can_start()) return false;
    if (seat.parked.empty()) return true;
    return seat.waited ? seat.resumed : seat.turns > seat.parked.size();
}

std::unique_ptr<Workgroup> Scheduler::pick(Seat& seat) {
    if (fault_group_ != kNoFault) return nullptr;
    ++seat.turns;
    if (should_start(seat)) {
        seat.resumed = false;
        seat.turns = 0;
        if (auto group = start_group(seat)) return group;
    }
    seat.resumed = true;
    if (seat.parked.empty()) return nullptr;
    auto group = std::move(seat.parked.front());
    seat.parked.pop_front();
    return group;
}

std::unique_ptr<Workgroup> Scheduler::start_group(Seat& seat) {
    std::uint64_t index;
    do {
        const std::uint64_t turn = next_.fetch_add(1, std::memory_order_relaxed);
        if (turn >= bound_) {
            next_ = bound_;
            return nullptr;
        }
        index = order_(turn);
    } while (index == probed_ || (timed_ && timed_->started(index)));
    return take_group(seat, index);
}

std::unique_ptr<Workgroup> Scheduler::take_group(Seat& seat, std::uint64_t index) {
    std::unique_ptr<Workgroup> group;
    if (seat.spare.empty()) {
        group = WorkgroupCache::process().take(launch_->waves_per_workgroup());
    } else {
        group = std::move(seat.spare.back());
        seat.spare.pop_back();
    }
    launch_->start(*group, index);
    if (seat.watchers) seat.watchers->group_started(*group);
    resident_.fetch_add(1, std::memory_order_relaxed);
    note_progress();
    return group;
}

void Scheduler::finish(Seat& seat, std::unique_ptr<Workgroup> group) {
    const std::uint64_t items = std::uint64_t{group->size[0]} * group->size[1] * group->size[2];
    waves_.fetch_add(group->wave_count, std::memory_order_relaxed);
    items_.fetch_add(items, std::memory_order_relaxed);
    if (timed_) {
        std::uint64_t instructions = 0;
        for (unsigned i = 0; i < group->wave_count; ++i) instructions += group->waves[i].instructions;
        timed_->count_group(group->index, instructions);
    }
    if (seat.watchers) seat.watchers->group_ended(*group);
    if (items % kLanes) partial_waves_.fetch_add(1, std::memory_order_relaxed);
    seat.spare.push_back(std::move(group));
    resident_.fetch_sub(1, std::memory_order_relaxed);
    ended_.fetch_add(1);
    note_progress();
}

double Scheduler::seconds_now() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);  // read for every group: a few nanoseconds, and precise enough
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void Scheduler::note_progress() {
    const double now = seconds_now();
    progress_.store(now, std::memory_order_relaxed);
    busy_.store(now, std::memory_order_relaxed);
}

void Scheduler::record(const Fault& fault, const Workgroup& group, const Wave& wave) {
    std::lock_guard lock(report_mutex_);
    // The lowest group decides, so that the report does not depend on the number of threads.
    if (group.index >= fault_group_) return;
    fault_group_ = group.index;
    report_ = describe(fault, kernel_name(region_.get(), kernel_object_), &group, &wave);
}

bool Scheduler::beyond_limits() const {
    return instructions_ > limits_.instructions || without_progress_too_long();
}

bool Scheduler::without_progress_too_long() const {
    const double limit = limits_.seconds_without_progress;
    return limit > 0 && seconds_now() - progress_ > limit;
}

void Scheduler::check_limits(const Workgroup& group, Turn turn) {
    const Wave& wave = first_unfinished(group);
    std::string why;
    if (instructions_ > limits_.instructions) {
        why = "it has run " + std::to_string(limits_.instructions) + " wave instructions";
    } else if (without_progress_too_long()) {
        char text[80];
        std::snprintf(text, sizeof text, "no workgroup has ended for %.1f seconds", seconds_now() - progress_);
        why = text;
    } else if (turn == Turn::Waiting) {
        const double waited = seconds_now() - busy_;
        const bool starved = next_ < total_ && resident_ >= launch_->resident_workgroups();
        if (starved && waited > kStarvedSeconds)
            why = "the " + std::to_string(resident_) + " workgroups that fit on the GPU wait, and " +
                  std::to_string(total_ - next_) + " more cannot start";
        else if (waited > kDeadlockedSeconds)
            why = "all workgroups have waited for something that does not happen";
    }
    if (!why.empty()) record(hang(std::move(why), wave), group, wave);
}

}  // namespace vrocm::sim
