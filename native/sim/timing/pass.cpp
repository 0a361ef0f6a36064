// Gaps in which everything that runs goes on functionally, for as long as it would have taken.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <unordered_map>

#include "sim/timing/resident.h"

namespace vrocm::sim::timing {

namespace {

// A gap is passed in so many parts, with a look at what has ended after each.
constexpr unsigned kParts = 16;
// Paces that differ by less are taken to be the same: of dies, of the units of a die, of the workgroups of a unit.
constexpr double kEqualDies = 0.03, kEqualUnits = 0.05, kEqualGroups = 0.25;
// One in so many of the workgroups that run may end in a part of a gap without it being out of the ordinary.
constexpr double kFew = 50;
// Workgroups that are so many times as long as the others go their own way; where their average differs by so much,
// they are no longer like those that were simulated.
constexpr double kMuchLonger = 4, kUnlike = 0.1;
// Workgroups whose lengths have a standard deviation of at most this share of their mean are alike: no kind of them
// stays longer in its places than another.
constexpr double kAlike = 0.25;
// Shares of instructions, and lines for an access to memory, that differ by less do not matter.
constexpr double kFewAccesses = 0.005, kFewLines = 0.05;
// Workgroups of a gap are run in parts of the number that run at the same time.
constexpr double kPart = 0.25;

bool differ(double a, double b, double few) {
    return std::abs(a - b) > std::max(few, kUnlike * std::max(a, b));
}

bool differ(const Demand& a, const Demand& b) {
    const auto lines = [](std::uint64_t count, const Demand& d) {
        return static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(d.accesses, 1));
    };
    return differ(a.share(), b.share(), kFewAccesses) || differ(lines(a.lines, a), lines(b.lines, b), kFewLines) ||
           differ(lines(a.far_lines, a), lines(b.far_lines, b), kFewLines) ||
           differ(lines(a.written, a), lines(b.written, b), kFewLines);
}

// Looks at the parts of a gap one by one: whether one is unlike what was simulated before the gap or, in what only
// functional execution tells in the same way, unlike the first of them.
class Likeness {
  public:
    Likeness(double share, const Demand& at) : share_(share), last_(at) {}
    bool lost(const Demand& at) {
        const Demand part = at.since(last_);
        last_ = at;
        if (part.accesses == 0 && first_.accesses == 0) return false;  // nobody looked, or there is nothing to see
        if (first_.instructions == 0) {
            first_ = part;
            return differ(part.share(), share_, kFewAccesses);
        }
        return differ(part, first_);
    }

  private:
    double share_;
    Demand last_, first_;
};

// Instructions of the wave that has come furthest.
std::uint64_t furthest(const Workgroup& group) {
    std::uint64_t most = 0;
    for (unsigned i = 0; i < group.wave_count; ++i) most = std::max(most, group.waves[i].instructions);
    return most;
}

// Instructions of waves, and the clocks they had for them.
struct Speed {
    double instructions = 0, clocks = 0;
    void add(double i, double c) {
        instructions += i;
        clocks += c;
    }
    // That of the larger whole where it is the same or not known.
    double pace(double whole, double equal) const {
        const double own = clocks > 0 ? instructions / clocks : whole;
        return std::abs(own - whole) <= equal * whole ? whole : own;
    }
};

}  // namespace

void Detail::mark() {
    marked_at_ = now_;
    ended_at_mark_ = groups_ended_;
    instructions_at_mark_ = counts_.instructions;
    accesses_at_mark_ = accesses();
    lengths_since_mark_ = {};
    for (const Xcd& xcd : gpu_.xcds)
        for (const auto& unit : xcd.units) unit->executed = unit->wave_clocks = 0;
    for (Slot& slot : slots_) {
        if (!slot.group) continue;
        slot.marked = slot.wave->instructions;
        slot.marked_at = std::max(now_, slot.launched);
        slot.since_mark = true;
    }
}

// A workgroup that was there for all the time has a pace of its own if it differs much; otherwise it is that of the
// unit, the die or the GPU: differences from one workgroup to the next even out in the long run.
void Detail::find_paces() {
    Speed all;
    std::vector<Speed> dies(gpu_.xcds.size());
    std::unordered_map<const ComputeUnit*, Speed> units;
    for (const auto& group : groups_running_)
        for (const std::uint32_t index : group->slots)
            units[group->unit].add(0, static_cast<double>(now_ - std::min(now_, slots_[index].marked_at)));
    for (std::size_t x = 0; x < dies.size(); ++x)
        for (const auto& unit : gpu_.xcds[x].units) {
            Speed& speed = units[unit.get()];
            speed.add(static_cast<double>(unit->executed), static_cast<double>(unit->wave_clocks));
            all.add(speed.instructions, speed.clocks);
            dies[x].add(speed.instructions, speed.clocks);
        }
    const double of_all = all.pace(0, 0);
    for (const auto& group : groups_running_) {
        const double of_die = dies[group->unit->xcd].pace(of_all, kEqualDies);
        group->pace_of_unit = units[group->unit].pace(of_die, kEqualUnits);
        Speed own;
        for (const std::uint32_t index : group->slots) {
            const Slot& slot = slots_[index];
            if (slot.since_mark && slot.marked_at < now_)
                own.add(static_cast<double>(slot.wave->instructions - slot.marked),
                        static_cast<double>(now_ - slot.marked_at));
        }
        group->pace = own.pace(group->pace_of_unit, kEqualGroups);
    }
}

Passed Detail::pass(Cycle clocks, bool warm, bool careful) {
    find_paces();
    std::vector<Group*> all;
    for (const auto& group : groups_running_) all.push_back(group.get());
    for (Group* group : all) group->stood = furthest(*group->work);
    const std::vector<Cycle> due = take_out(all);
    Passed passed;
    const Demand marked{counts_.instructions - instructions_at_mark_, accesses() - accesses_at_mark_};
    Likeness likeness(marked.share(), demand());
    const bool alike = lengths_since_mark_.alike(kAlike);
    const bool all_would_end = usual_ends(static_cast<double>(clocks)) > static_cast<double>(all.size());
    for (unsigned part = 0; part < kParts && !passed.cut_short; ++part) {
        pass_part(static_cast<double>(clocks) / kParts, warm, passed);
        passed.cut_short |= source_.beyond_limits() || (careful && likeness.lost(demand()));
    }
    if (all_would_end && alike) keep_places(warm, passed);
    for (std::size_t i = groups_running_.size(); i-- > 0;)
        if (groups_running_[i]->work) resume(*groups_running_[i], due);
    if (!fault_wave_) mark();
    return passed;
}

// Workgroups that end in so many clocks, at the rate since the mark.
double Detail::usual_ends(double clocks) const {
    if (now_ <= marked_at_) return 0;
    return clocks * static_cast<double>(groups_ended_ - ended_at_mark_) / static_cast<double>(now_ - marked_at_);
}

std::uint64_t Detail::accesses() const {
    std::uint64_t sum = 0;
    for (const Class c :
         {Class::VmemRead, Class::VmemWrite, Class::VmemAtomic, Class::FlatRead, Class::FlatWrite, Class::FlatAtomic})
        sum += counts_.by_class[static_cast<unsigned>(c)];
    return sum;
}

Demand Detail::demand() const {
    Demand sum = passed_;
    for (const Xcd& xcd : gpu_.xcds) sum.lines += xcd.l2->inserted();
    sum.far_lines = gpu_.memory.inserted();
    sum.written = gpu_.memory.driven_out();
    return sum;
}

void Detail::note(const Share& share, unsigned xcd) {
    passed_.instructions += share.executed;
    if (!share.lines) return;
    passed_.accesses += share.lines->instructions();
    for (const TouchedLines::Touch& t : share.lines->touches())
        gpu_.xcds[xcd].l2->touch(t.line, static_cast<std::uint8_t>(t.written));
}

// Takes workgroups out of time: when each of their waves would have tried its next instruction.
std::vector<Cycle> Detail::take_out(const std::vector<Group*>& groups) {
    std::vector<Cycle> due(slots_.size(), now_);
    std::vector<bool> out(slots_.size(), false);
    for (Group* group : groups) {
        group->index = group->work->index;
        for (const std::uint32_t index : group->slots) {
            Slot& slot = slots_[index];
            slot.wave->access = nullptr;
            slot.marked = slot.wave->instructions;
            out[index] = true;
        }
    }
    for (const Event& event : events_) due[event.slot] = event.time;
    std::erase_if(events_, [&](const Event& event) { return out[event.slot]; });
    std::make_heap(events_.begin(), events_.end(), std::greater<>());
    return due;
}

// Nothing comes after it.
void Detail::end_functionally(Group& group) {
    while (!group.slots.empty()) free_slot(slots_[group.slots.back()], now_);
    free_group(group, now_);
}

void Detail::fault(Workgroup& group) {
    fault_group_ = &group;
    fault_wave_ = &group.waves[0];
    while (fault_wave_->state != WaveState::Faulted) ++fault_wave_;
}

void Detail::pass_part(double clocks, bool warm, Passed& passed) {
    std::vector<Group*> going;
    for (const auto& group : groups_running_) {
        group->clocks_left = clocks;
        going.push_back(group.get());
    }
    std::vector<Group*> ended;  // without a successor
    const std::uint64_t before = passed.groups_ended;
    bool ran_dry = false;
    while (!going.empty() && !fault_wave_) {
        std::vector<Group*> ends = advance(going, warm, passed);
        // Those that end first get the next workgroups of their die.
        std::stable_sort(ends.begin(), ends.end(),
                         [](const Group* a, const Group* b) { return a->clocks_left > b->clocks_left; });
        going.clear();
        for (Group* group : ends) {
            group->replaced = true;
            ++passed.groups_ended;
            if (fault_wave_ || index_of_next(group->unit->xcd) >= groups_) {
                ended.push_back(group);
                ran_dry = true;
                continue;
            }
            group->index = take_index(group->unit->xcd);
            group->pace = group->pace_of_unit;
            going.push_back(group);
        }
    }
    const auto few = static_cast<double>(groups_running_.size()) / kFew;
    passed.cut_short =
        fault_wave_ || ran_dry || static_cast<double>(passed.groups_ended - before) > 2 * usual_ends(clocks) + few;
    for (Group* group : ended) end_functionally(*group);
}

// Most of a workgroup's time may go by at one instruction, as a rule at the wait for what it loaded; a pace is the same
// everywhere. So that as many wait after the gap as did before it, a workgroup that came in the gap goes on to where
// the one stood whose place it has, or, beyond that, makes room for one that does.
void Detail::keep_places(bool warm, Passed& passed) {
    const auto to_go = [](Group* group, std::uint64_t instructions) {
        group->pace = 1;  // clocks are instructions here
        group->clocks_left = static_cast<double>(instructions);
    };
    std::vector<Group*> behind, beyond;
    for (const auto& group : groups_running_) {
        if (!group->replaced || !group->work) continue;
        const std::uint64_t stands = furthest(*group->work);
        if (stands <= group->stood) {
            to_go(group.get(), group->stood - stands);
            behind.push_back(group.get());
        } else {
            to_go(group.get(), static_cast<std::uint64_t>(kMuchLonger * static_cast<double>(stands)));
            beyond.push_back(group.get());
        }
    }
    std::vector<Group*> ended;  // without a successor
    const auto follow = [&](const std::vector<Group*>& ends, std::vector<Group*>& successors, bool to_place) {
        for (Group* group : ends) {
            ++passed.groups_ended;
            if (fault_wave_ || index_of_next(group->unit->xcd) >= groups_) {
                ended.push_back(group);
                passed.cut_short = true;
                continue;
            }
            group->index = take_index(group->unit->xcd);
            to_go(group, to_place ? group->stood : 0);
            successors.push_back(group);
        }
    };
    if (!fault_wave_) follow(advance(beyond, warm, passed), behind, true);
    std::vector<Group*> fresh;
    if (!fault_wave_) follow(advance(behind, warm, passed), fresh, false);
    if (!fault_wave_) advance(fresh, warm, passed);
    for (Group* group : ended) end_functionally(*group);
}

// Lets workgroups go on for the clocks they have left; gives those that have ended, with the clocks they had left then.
std::vector<Detail::Group*> Detail::advance(const std::vector<Group*>& groups, bool warm, Passed& passed) {
    std::vector<Share> shares;
    for (Group* group : groups)
        shares.push_back({group->index, std::move(group->work),
                          static_cast<std::uint64_t>(group->pace * group->clocks_left), 0, 0, false,
                          warm ? std::make_unique<TouchedLines>(p_.l2.line) : nullptr});
    source_.advance(shares);
    std::vector<Group*> ended;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        Share& share = shares[i];
        Group& group = *groups[i];
        passed.instructions += share.executed;
        group.work = std::move(share.group);
        note(share, group.unit->xcd);
        if (share.faulted && !fault_wave_) fault(*group.work);
        if (group.work) continue;
        if (group.pace > 0) group.clocks_left -= static_cast<double>(share.furthest) / group.pace;
        group.clocks_left = std::max(group.clocks_left, 0.0);
        ended.push_back(&group);
    }
    return ended;
}

// Its waves go on in detail where they are now, at the time at which those that had their places would have.
void Detail::resume(Group& group, const std::vector<Cycle>& due) {
    std::vector<Cycle> times;
    for (const std::uint32_t index : group.slots) times.push_back(std::max(now_, due[index]));
    if (group.replaced) {
        while (!group.slots.empty()) free_slot(slots_[group.slots.back()], now_);
        ++counts_.workgroups;
        group.left = group.work->wave_count;
        for (unsigned wave = 0; wave < group.work->wave_count; ++wave) place_wave(group, wave, now_);
        group.replaced = false;
    } else {
        for (const std::uint32_t index : group.slots) {
            Slot& slot = slots_[index];
            slot.wave->access = &access_;
            slot.passed += slot.wave->instructions - slot.marked;
        }
    }
    group.arrived = 0;
    group.last_arrival = now_;
    const std::vector<std::uint32_t> slots = group.slots;
    for (std::size_t i = 0; i < slots.size(); ++i)
        enter(slots_[slots[i]], times.empty() ? now_ : times[i % times.size()]);
    release_barrier(group);
}

// The next workgroups of each die, a part of what is left.
std::vector<Share> Detail::next_shares(std::vector<std::uint64_t>& left, double part, std::uint64_t longest,
                                       bool warm) {
    std::vector<Share> shares;
    for (unsigned x = 0; x < left.size(); ++x) {
        const auto count =
            std::min(left[x], static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(left[x]))));
        left[x] -= count;
        for (std::uint64_t i = 0; i < count && index_of_next(x) < groups_; ++i) {
            shares.emplace_back();
            shares.back().index = take_index(x);
            shares.back().each = longest;
            if (warm) shares.back().lines = std::make_unique<TouchedLines>(p_.l2.line);
        }
    }
    return shares;
}

Passed Detail::skip(const std::vector<std::uint64_t>& groups, const Usual& usual, bool warm, bool careful) {
    std::vector<std::uint64_t> left = groups;
    find_paces();
    Passed passed;
    Likeness likeness(usual.accesses, demand());
    for (double all; !passed.cut_short && (all = std::accumulate(left.begin(), left.end(), 0.0)) > 0;) {
        std::vector<Share> shares =
            next_shares(left, std::min(1.0, kPart * static_cast<double>(resident_) / all),
                        static_cast<std::uint64_t>(kMuchLonger * usual.group / need_.waves_per_group) + 1, warm);
        if (shares.empty()) break;
        source_.advance(shares);
        double instructions = 0;
        for (Share& share : shares) {
            instructions += static_cast<double>(share.executed);
            note(share, static_cast<unsigned>(share.index % dealt_.size()));
            if (!share.group) continue;
            passed.cut_short = true;
            if (share.faulted && !fault_wave_) fault(*share.group);
            dealt_[share.index % dealt_.size()].begun.push_back(std::move(share.group));
        }
        passed.groups_ended += shares.size();
        passed.instructions += static_cast<std::uint64_t>(instructions);
        passed.cut_short |= std::abs(instructions / static_cast<double>(shares.size()) / usual.group - 1) > kUnlike;
        passed.cut_short |= careful && likeness.lost(demand());
        if (!fault_wave_) advance_long_ones(usual, instructions * usual.clocks, passed);
    }
    return passed;
}

// Those that are much longer than others are few: what they do does not count in the time of the others.
void Detail::advance_long_ones(const Usual& usual, double clocks, Passed& passed) {
    std::vector<Group*> longer;
    for (const auto& group : groups_running_) {
        std::uint64_t instructions = 0;
        for (unsigned i = 0; i < group->work->wave_count; ++i) instructions += group->work->waves[i].instructions;
        if (group->pace > 0 && static_cast<double>(instructions) > kMuchLonger * usual.group)
            longer.push_back(group.get());
    }
    if (longer.empty()) return;
    const std::vector<Cycle> due = take_out(longer);
    for (Group* group : longer) group->clocks_left = clocks;
    Passed beside;
    const std::vector<Group*> ended = advance(longer, false, beside);
    passed.beside += beside.instructions;
    for (Group* group : longer)
        if (group->work) resume(*group, due);
    for (Group* group : ended) {
        ComputeUnit& unit = *group->unit;
        end_functionally(*group);
        refill(unit, now_);
    }
}

}  // namespace vrocm::sim::timing
