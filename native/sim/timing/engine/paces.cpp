// What gaps go by: how long each instruction takes, and how fast the waves of each compute unit are.
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "sim/timing/engine/resident.h"

namespace vrocm::sim::timing {

namespace {

// Paces of dies that differ by less are taken to be the same.
constexpr double kEqualDies = 0.03;
// Of what was measured before a mark, this share still counts after it.
constexpr double kRemembered = 0.25;

// Instructions of waves, and the clocks they had for them.
struct Speed {
    double instructions = 0, clocks = 0;
    void add(const Speed& other) {
        instructions += other.instructions;
        clocks += other.clocks;
    }
    double pace() const { return clocks > 0 ? instructions / clocks : 0; }
};

}  // namespace

// A wave has come to its next instruction: so long the one before it took.
void Detail::note_time(Slot& slot, std::uint32_t op, Cycle now) {
    if (slot.tried != Slot::kNothing) {
        OpTime& time = op_times_[slot.tried];
        const auto clocks = static_cast<double>(now - slot.tried_at);
        ++time.count;
        time.clocks += clocks;
        time.squares += clocks * clocks;
    }
    if (op >= op_times_.size()) op_times_.resize(op + std::size_t{64});
    slot.tried = op;
    slot.tried_at = now;
}

void Detail::mark() {
    marked_at_ = now_;
    ended_at_mark_ = groups_ended_;
    instructions_at_mark_ = counts_.instructions;
    accesses_at_mark_ = accesses();
    for (OpTime& time : op_times_)
        time = {kRemembered * time.count, kRemembered * time.clocks, kRemembered * time.squares};
    for (const Xcd& xcd : gpu_.xcds)
        for (const auto& unit : xcd.units) unit->executed = unit->wave_clocks = 0;
    for (Slot& slot : slots_)
        if (slot.group) slot.marked_at = std::max(now_, slot.launched);
}

void Detail::find_times() {
    const auto of = [](const OpTime& time) {
        const double mean = time.clocks / time.count;
        const double deviation = std::sqrt(std::max(time.squares / time.count - mean * mean, 0.0));
        return OpTimes::Time{static_cast<float>(std::max(mean, 1.0)),
                             static_cast<float>(std::min(deviation, mean / 2))};
    };
    OpTime all;
    for (const OpTime& time : op_times_) {
        all.count += time.count;
        all.clocks += time.clocks;
    }
    times_.other = {static_cast<float>(std::max(all.clocks / std::max(all.count, 1.0), 1.0)), 0};
    times_.known.clear();
    for (const OpTime& time : op_times_) times_.known.push_back(time.count > 0 ? of(time) : times_.other);
}

// Waves of a unit that has fewer workgroups than others are faster; so may be those of a die. Other differences from
// unit to unit even out in the long run, or come from what waves do, which is in the times of instructions.
void Detail::find_paces() {
    std::unordered_map<const ComputeUnit*, Speed> units;
    for (const auto& group : groups_running_)
        for (const std::uint32_t index : group->slots)
            units[group->unit].clocks += static_cast<double>(now_ - std::min(now_, slots_[index].marked_at));
    std::map<unsigned, Speed> by_groups;
    Speed all;
    for (const Xcd& xcd : gpu_.xcds)
        for (const auto& unit : xcd.units) {
            Speed& speed = units[unit.get()];
            speed.add({static_cast<double>(unit->executed), static_cast<double>(unit->wave_clocks)});
            by_groups[unit->groups].add(speed);
            all.add(speed);
        }
    pace_ = all.pace();
    std::vector<double> dies;  // in what their units would have by their numbers of workgroups
    for (const Xcd& xcd : gpu_.xcds) {
        double executed = 0, expected = 0;
        for (const auto& unit : xcd.units) {
            executed += units[unit.get()].instructions;
            expected += by_groups[unit->groups].pace() * units[unit.get()].clocks;
        }
        const double ratio = expected > 0 ? executed / expected : 1;
        dies.push_back(std::abs(ratio - 1) <= kEqualDies ? 1 : ratio);
    }
    for (const auto& group : groups_running_)
        group->pace = by_groups[group->unit->groups].pace() * dies[group->unit->xcd];
}

}  // namespace vrocm::sim::timing
