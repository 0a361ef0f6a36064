// Gaps in which everything that runs goes on functionally, for as long as it would have taken.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "sim/timing/engine/resident.h"

namespace vrocm::sim::timing {

namespace {

// A gap is passed in so many parts, with a look at what has ended after each.
constexpr unsigned kParts = 16;
// One in so many of the workgroups that run may end in a part of a gap without it being out of the ordinary.
constexpr double kFew = 50;
// Workgroups that are so many times as long as the others go their own way; where their average differs by so much,
// they are no longer like those that were simulated.
constexpr double kMuchLonger = 4, kUnlike = 0.1;
// Workgroups whose lengths have a standard deviation of at most this share of their mean are of one length.
constexpr double kSameLength = 0.02;
// Clocks before many of them end at which a gap ends: what little they are apart is found again.
constexpr double kBeforeBurst = 8192;
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

}  // namespace

Passed Detail::pass(Cycle clocks, std::uint64_t generations, bool warm, bool careful) {
    find_paces();
    find_times();
    std::vector<Group*> all;
    for (const auto& group : groups_running_) all.push_back(group.get());
    for (Group* group : all) group->stood = furthest(*group->work);
    take_out(all);
    Passed passed;
    if (generations > 0 && spans_.alike(kSameLength)) {
        pass_generations(generations, warm, passed);
    } else {
        const Demand marked{counts_.instructions - instructions_at_mark_, accesses() - accesses_at_mark_};
        Likeness likeness(marked.share(), demand());
        for (unsigned i = 0; i < kParts && !passed.cut_short; ++i) {
            const double part = static_cast<double>(clocks) / kParts, burst = until_burst(part);
            passed.cut_short = burst < part;
            if (burst > 0) pass_part(burst, warm, passed);
            passed.cut_short |= source_.beyond_limits() || (careful && likeness.lost(demand()));
        }
    }
    for (std::size_t i = groups_running_.size(); i-- > 0;)
        if (groups_running_[i]->work) resume(*groups_running_[i]);
    if (!fault_wave_) mark();
    return passed;
}

// Workgroups that end in so many clocks, at the rate since the mark.
double Detail::usual_ends(double clocks) const {
    if (now_ <= marked_at_) return 0;
    return clocks * static_cast<double>(groups_ended_ - ended_at_mark_) / static_cast<double>(now_ - marked_at_);
}

// Where workgroups are all of one length it is known when they end: clocks until shortly before more than a few of them
// end at once. What comes then is simulated: which units get one more workgroup than others is decided there.
double Detail::until_burst(double clocks) const {
    if (!spans_.alike(kSameLength)) return clocks;
    const double span = spans_.sum / spans_.count;
    std::vector<double> left;
    double ends = 0;  // in a clock, if they were spread evenly
    for (const auto& group : groups_running_)
        if (group->pace > 0) {
            left.push_back(std::max(span - static_cast<double>(furthest(*group->work)), 0.0) / group->pace);
            ends += group->pace / span;
        }
    const auto usual = static_cast<std::size_t>(2 * ends * clocks + static_cast<double>(left.size()) / kFew);
    if (left.size() <= usual) return clocks;
    std::nth_element(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(usual), left.end());
    return std::clamp(left[usual] - kBeforeBurst, 0.0, clocks);
}

std::uint64_t Detail::issued(std::initializer_list<Class> classes) const {
    std::uint64_t sum = 0;
    for (const Class c : classes) sum += counts_.by_class[static_cast<unsigned>(c)];
    return sum;
}

std::uint64_t Detail::writes() const {
    return issued({Class::VmemWrite, Class::VmemAtomic, Class::FlatWrite, Class::FlatAtomic});
}

std::uint64_t Detail::accesses() const {
    return issued({Class::VmemRead, Class::FlatRead}) + writes();
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

// Takes workgroups out of time: after how many clocks each of their waves would have tried its next instruction.
void Detail::take_out(const std::vector<Group*>& groups) {
    std::vector<bool> out(slots_.size(), false);
    for (Group* group : groups) {
        group->index = group->work->index;
        group->ahead.assign(group->work->wave_count, 0);
        for (const std::uint32_t index : group->slots) {
            Slot& slot = slots_[index];
            slot.wave->access = nullptr;
            slot.marked = slot.wave->instructions;
            slot.tried = Slot::kNothing;
            out[index] = true;
        }
    }
    for (const Event& event : events_) {
        const Slot& slot = slots_[event.slot];
        if (out[event.slot])
            slot.group->ahead[slot.number()] = static_cast<double>(event.time - std::min(event.time, now_));
    }
    std::erase_if(events_, [&](const Event& event) { return out[event.slot]; });
    std::make_heap(events_.begin(), events_.end(), std::greater<>());
}

// Nothing comes after it.
void Detail::end_functionally(Group& group) {
    while (!group.slots.empty()) free_slot(slots_[group.slots.back()], now_);
    free_group(group, now_);
}

// Workgroups that have ended, in this order, get the next ones of their die; gives those that did.
std::vector<Detail::Group*> Detail::replace(const std::vector<Group*>& ended, Passed& passed) {
    std::vector<Group*> replaced;
    for (Group* group : ended) {
        ++passed.groups_ended;
        if (fault_wave_ || index_of_next(group->unit->xcd) >= groups_) {
            passed.cut_short = true;
            end_functionally(*group);
            continue;
        }
        group->replaced = true;
        group->index = take_index(group->unit->xcd);
        replaced.push_back(group);
    }
    return replaced;
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
    const double most = 2 * usual_ends(clocks) + static_cast<double>(going.size()) / kFew;
    const std::uint64_t before = passed.groups_ended;
    while (!going.empty() && !fault_wave_) {
        std::vector<Group*> ended = advance_for(going, warm, passed);
        // Those that end first get the next workgroups of their die.
        std::stable_sort(ended.begin(), ended.end(),
                         [](const Group* a, const Group* b) { return a->clocks_left > b->clocks_left; });
        going = replace(ended, passed);
    }
    passed.cut_short |= fault_wave_ || static_cast<double>(passed.groups_ended - before) > most;
}

// As many for each place, and the last of them goes on to where the first stood: what comes after the gap is like what
// was before it, also where all workgroups do the same at the same time.
void Detail::pass_generations(std::uint64_t generations, bool warm, Passed& passed) {
    std::vector<Group*> going;
    for (const auto& group : groups_running_) going.push_back(group.get());
    // Those that have come furthest end first.
    std::stable_sort(going.begin(), going.end(), [](const Group* a, const Group* b) { return a->stood > b->stood; });
    for (std::uint64_t i = 0; i < generations && !fault_wave_ && !source_.beyond_limits(); ++i) {
        for (Group* group : going) group->to_go = static_cast<std::uint64_t>(kMuchLonger * spans_.sum / spans_.count);
        going = replace(advance_by(going, warm, passed), passed);
    }
    for (Group* group : going) group->to_go = group->stood;
    // The last of all may be shorter than the others.
    while (!going.empty() && !fault_wave_) {
        going = replace(advance_by(going, warm, passed), passed);
        for (Group* group : going) group->to_go = 0;
    }
}

// Lets workgroups go on for the clocks they have left; gives those that have ended, with the clocks they had left then.
std::vector<Detail::Group*> Detail::advance_for(const std::vector<Group*>& groups, bool warm, Passed& passed) {
    std::vector<Share> shares(groups.size());
    const auto scale = [&](const Group& group) { return pace_ > 0 ? group.pace / pace_ : 1; };
    for (std::size_t i = 0; i < groups.size(); ++i) {
        Group& group = *groups[i];
        shares[i].times = &times_;
        shares[i].until = group.clocks_left * scale(group);
        if (group.work) shares[i].clocks = std::move(group.ahead);
    }
    const std::vector<Group*> ended = advance(groups, shares, warm, passed);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        Group& group = *groups[i];
        const std::vector<double>& clocks = shares[i].clocks;
        if (!group.work) {
            group.clocks_left -= *std::max_element(clocks.begin(), clocks.end()) / scale(group);
            group.clocks_left = std::max(group.clocks_left, 0.0);
        }
        group.ahead.assign(clocks.size(), 0);
        for (std::size_t wave = 0; wave < clocks.size(); ++wave) group.ahead[wave] = clocks[wave] - shares[i].until;
    }
    return ended;
}

// The same by the instructions that each of their waves has to go.
std::vector<Detail::Group*> Detail::advance_by(const std::vector<Group*>& groups, bool warm, Passed& passed) {
    std::vector<Share> shares(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) shares[i].each = groups[i]->to_go;
    return advance(groups, shares, warm, passed);
}

std::vector<Detail::Group*> Detail::advance(const std::vector<Group*>& groups, std::vector<Share>& shares, bool warm,
                                            Passed& passed) {
    std::vector<std::uint64_t> came;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        came.push_back(groups[i]->work ? furthest(*groups[i]->work) : 0);
        shares[i].index = groups[i]->index;
        shares[i].group = std::move(groups[i]->work);
        if (warm) shares[i].lines = std::make_unique<TouchedLines>(p_.l2.line);
    }
    source_.advance(shares);
    std::vector<Group*> ended;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        Share& share = shares[i];
        Group& group = *groups[i];
        passed.instructions += share.executed;
        group.work = std::move(share.group);
        note(share, group.unit->xcd);
        if (share.faulted && !fault_wave_) fault(*group.work);
        if (group.work) continue;
        spans_.add(static_cast<double>(came[i] + share.furthest));
        ended.push_back(&group);
    }
    return ended;
}

// Its waves go on in detail where they are now.
void Detail::resume(Group& group) {
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
    group.ahead.resize(group.work->wave_count);  // it may have more waves than the one whose place it has
    const std::vector<std::uint32_t> slots = group.slots;
    for (const std::uint32_t index : slots) {
        Slot& slot = slots_[index];
        enter(slot, now_ + static_cast<Cycle>(std::max(group.ahead[slot.number()], 0.0)));
    }
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
    find_times();
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
    take_out(longer);
    for (Group* group : longer) group->clocks_left = clocks;
    Passed beside;
    const std::vector<Group*> ended = advance_for(longer, false, beside);
    passed.beside += beside.instructions;
    for (Group* group : longer)
        if (group->work) resume(*group);
    for (Group* group : ended) {
        ComputeUnit& unit = *group->unit;
        end_functionally(*group);
        refill(unit, now_);
    }
}

}  // namespace vrocm::sim::timing
