#include "sim/dispatch.h"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <thread>

#include "sim/report.h"
#include "sim/threads.h"

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

const Wave& first_unfinished(const Workgroup& group) {
    for (unsigned i = 0; i < group.wave_count; ++i)
        if (group.waves[i].state != WaveState::Done) return group.waves[i];
    return group.waves[0];
}

}  // namespace

Scheduler::Scheduler(std::shared_ptr<CodeRegion> region, const Dispatch& dispatch, std::unique_ptr<Launch> launch,
                     bool parallel)
    : region_(std::move(region)),
      kernel_object_(dispatch.kernel_object),
      launch_(std::move(launch)),
      total_(launch_->workgroups()),
      turn_(parallel ? kTurnOtherwise : kTurnWhenGroupsMayWait),
      seats_(parallel ? std::min<std::uint64_t>(host_threads(), std::max<std::uint64_t>(total_, 1)) : 1) {
    note_progress();
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

DispatchRun::Status Scheduler::step(std::uint64_t budget) {
    if (fault_group_ == kNoFault && ended_ < total_) {
        const std::uint64_t alone = seats_.size() == 1 ? budget : std::min(budget, kAloneFirst);
        run_parts(1, [&](unsigned) { run_seat(seats_[0], alone); });
        if (seats_.size() > 1 && work_left() && budget > alone) {
            const std::uint64_t share = (budget - alone) / seats_.size() + 1;
            run_parts(static_cast<unsigned>(seats_.size()), [&](unsigned i) { run_seat(seats_[i], share); });
        }
    }
    if (fault_group_ != kNoFault) return Status::Faulted;
    return ended_ == total_ ? Status::Done : Status::Running;
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
    std::uint64_t executed = 0;
    const Turn turn = run_workgroup(*group, turn_, executed);
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
    std::this_thread::yield();  // for the host thread or queue that they wait for
    return false;
}

bool Scheduler::can_start() const {
    return fault_group_ == kNoFault && next_ < total_ && resident_ < launch_->resident_workgroups();
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
    const std::uint64_t index = next_.fetch_add(1, std::memory_order_relaxed);
    if (index >= total_) {
        next_ = total_;
        return nullptr;
    }
    std::unique_ptr<Workgroup> group;
    if (seat.spare.empty()) {
        group = WorkgroupCache::process().take(launch_->waves_per_workgroup());
    } else {
        group = std::move(seat.spare.back());
        seat.spare.pop_back();
    }
    launch_->start(*group, index);
    resident_.fetch_add(1, std::memory_order_relaxed);
    note_progress();
    return group;
}

void Scheduler::finish(Seat& seat, std::unique_ptr<Workgroup> group) {
    waves_.fetch_add(group->wave_count, std::memory_order_relaxed);
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

void Scheduler::check_limits(const Workgroup& group, Turn turn) {
    const Wave& wave = first_unfinished(group);
    std::string why;
    if (instructions_ > limits_.instructions) {
        why = "it has run " + std::to_string(limits_.instructions) + " wave instructions";
    } else if (const double limit = limits_.seconds_without_progress; limit > 0 && seconds_now() - progress_ > limit) {
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
