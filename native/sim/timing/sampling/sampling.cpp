#include "sim/timing/sampling/sampling.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "sim/timing/mode.h"

namespace vrocm::sim::timing {

namespace {

constexpr std::uint64_t kMillion = 1'000'000;
// Dispatches that are small enough to be simulated as a whole.
constexpr std::uint64_t kWhole = 6 * kMillion;
// The same where what is left out is run all the same, and gaps save less.
constexpr std::uint64_t kWholeIfRun = 60 * kMillion;
// A long dispatch that does not become steady is simulated for a share of it, within bounds.
constexpr std::uint64_t kShare = 16, kLeast = 4 * kMillion;
constexpr std::uint64_t kStep = kMillion / 16;
// Gaps in which everything goes on are as long as a share of the time before them, and longer when the rate was the
// same before and after the last one.
constexpr double kReach = 0.5, kFurthest = 2, kSteady = 0.02;
// Instructions that are simulated between two of them.
constexpr std::uint64_t kBetween = 3 * kMillion;
// Generations at the end of a dispatch that are simulated: one after the gap, one to compare with those before it.
constexpr std::uint64_t kKept = 2;
// Generations are waited for until so many times the most was simulated that is simulated at a time otherwise.
constexpr std::uint64_t kLongestWait = 3;
// Instructions that are simulated before it no longer matters whether memory is asked for something else.
constexpr std::uint64_t kCareful = 48 * kMillion;
// Where workgroups wait for each other, so many times more is simulated than of others that do not become steady.
constexpr std::uint64_t kWaits = 3;
// Rates that differ by more are those of different work.
constexpr double kOther = 1.25;
// Dies whose rates differ by no more than one part in this many count as equally fast.
constexpr double kEqualRates = 0.03;

// How much is done for a dispatch, by what was spent on earlier ones: a program that launches many different kernels
// is to end, too.
constexpr std::uint64_t kAnyNumber = ~std::uint64_t{0};
constexpr Thoroughness kThoroughness[] = {
    {30 * kMillion, 120 * kMillion, 6, 2 * kMillion, kWhole, kWholeIfRun, 400 * kMillion, 15 * kMillion},
    {120 * kMillion, 240 * kMillion, 4, kMillion, kWhole, 20 * kMillion, 400 * kMillion, kWhole},
    {300 * kMillion, 300 * kMillion, 4, kMillion / 2, kMillion, kWhole, 100 * kMillion, kMillion},
    {kAnyNumber, kAnyNumber, 3, kMillion / 4, kMillion / 4, kMillion / 4, 0, kMillion / 4},
};

const Thoroughness& thoroughness(std::uint64_t spent, bool all_run) {
    const double times = budget();
    const Thoroughness* t = kThoroughness;
    while (t != std::end(kThoroughness) - 1 &&
           static_cast<double>(spent) >= times * static_cast<double>(all_run ? t->spent_if_run : t->spent))
        ++t;
    return *t;
}

// Two rates (instructions over clocks) differ by at most one part in `precision`.
bool close(const Progress& a, const Progress& b, const Progress& c, std::uint64_t precision) {
    const auto first = static_cast<unsigned __int128>(b.instructions - a.instructions) * (c.now - b.now);
    const auto second = static_cast<unsigned __int128>(c.instructions - b.instructions) * (b.now - a.now);
    const auto difference = first > second ? first - second : second - first;
    return difference * precision <= first;
}

}  // namespace

Sampling::Sampling(std::uint64_t resident, std::uint64_t groups, unsigned units, std::uint64_t spent, bool all_run,
                   Dependence dependence)
    : generation_(resident ? resident : 1),
      groups_(groups),
      resident_(resident),
      all_groups_(groups),
      groups_of_a_unit_(groups > resident ? static_cast<double>(groups) / units : 1),
      how_(thoroughness(spent, all_run)),
      all_run_(all_run),
      dependence_(dependence),
      reach_(kReach) {}

std::uint64_t Sampling::budget(std::uint64_t expected) const {
    // How long they wait for each other changes slowly, and no instructions tell.
    if (all_run_ && dependence_ == Dependence::Waiting) return kWaits * how_.unsteady;
    // How much it is may be known, or found out only by going on.
    const bool some = dependence_ == Dependence::Seen || expected;
    if (all_run_ && some && expected <= how_.unsteady) return how_.unsteady;
    if (expected <= kWhole) return std::min(kWhole, how_.most);
    return std::min(std::max(expected / kShare, kLeast), how_.most);
}

bool Sampling::wants_expectation(const Progress& progress) const {
    return progress.instructions >= how_.always;
}

bool Sampling::careful(const Progress& at) const {
    const std::uint64_t since = gaps_.empty() ? 0 : at.instructions - gaps_[0].at.instructions;
    return how_.warmed && std::min(at.instructions, 2 * since) < kCareful;
}

// After a gap the queues are as full as they were: fewer will do.
std::size_t Sampling::generations_wanted() const {
    return gaps_.empty() ? how_.generations : std::min<std::size_t>(how_.generations, 3);
}

// Instructions of a stretch of a dispatch that does not become steady by the ends of its workgroups.
std::uint64_t Sampling::stretch(std::uint64_t expected) const {
    return !gaps_.empty() && gaps_.back().passed ? std::min(budget(expected) / 2, kBetween) : budget(expected);
}

// Whether stretches of a dispatch that does not become steady last for generations.
bool Sampling::whole_generations(std::uint64_t expected) const {
    return all_run_ && expected && expected / all_groups_ * generation_ <= how_.most;
}

bool Sampling::half_way(const Progress& at, std::uint64_t expected) {
    if (half_way_ || at.instructions - began_.instructions < stretch(expected) / 2) return false;
    return half_way_ = true;
}

bool Sampling::enough(const Progress& progress, std::uint64_t expected) {
    const bool small = all_run_ && expected && expected <= how_.whole && gaps_.empty();
    return found_rate(progress, expected) && !small && !(end_is_near(progress) && !goes_on_too_long(progress));
}

bool Sampling::end_is_near(const Progress& at) const {
    if (dependence_ != Dependence::Waiting || !all_run_) return false;
    // One more of each die than its share: dies need not have the same number, and none of the last may have started.
    const std::uint64_t dies = at.dies.size();
    return std::any_of(at.dies.begin(), at.dies.end(),
                       [&](const DieProgress& d) { return d.waiting * dies < resident_ + dies; });
}

bool Sampling::found_rate(const Progress& progress, std::uint64_t expected) {
    note_after_gap(progress);
    const auto dealing = static_cast<std::size_t>(
        std::count_if(progress.dies.begin(), progress.dies.end(), [](const DieProgress& d) { return d.waiting != 0; }));
    // A die has run dry: the others may be faster from now on.
    if (dealing != 0 && dealing < dies_dealing_) start_anew(progress);
    dies_dealing_ = dealing;
    if (steps_.empty() || progress.instructions >= steps_.back().instructions + kStep) steps_.push_back(progress);
    const bool one_more = progress.groups_ended >= began_.groups_ended + (generations_.size() + 1) * generation_;
    if (one_more) {
        generations_.push_back(progress);
        if (first_.groups_ended == 0) first_ = progress;
        const std::size_t n = generations_.size();
        constexpr std::size_t kPatience = 12;
        // The first generation starts all at once, and queues fill while the next ones run: the later ones count.
        const std::size_t apart = generations_wanted() / 3;
        steady_ = n >= generations_wanted() &&
                  close(generations_[n - 1 - 2 * apart], generations_[n - 1 - apart], generations_[n - 1], 50);
        if (steady_) return true;
        const bool whole = all_run_ && expected && expected <= how_.unsteady && gaps_.empty();
        if (n >= kPatience && !whole && progress.instructions - began_.instructions >= how_.always) return true;
    }
    if (progress.instructions < how_.always) return false;
    // The last groups are about to end anyway.
    const std::uint64_t almost =
        all_run_ ? progress.instructions + instructions_passed_ + stretch(expected) : 2 * progress.instructions;
    if (progress.groups_ended + generation_ >= groups_ && expected && expected <= almost) return false;
    const std::uint64_t simulated = progress.instructions - began_.instructions;
    const bool too_few = !one_more || generations_.size() < (gaps_.empty() ? 2 : 1);
    if (dealing && too_few && whole_generations(expected) && simulated < kLongestWait * how_.most) return false;
    return simulated >= stretch(expected);
}

void Sampling::start_anew(const Progress& at) {
    began_ = at;
    generations_.clear();
    steps_.clear();
    half_way_ = steady_ = false;
    std::uint64_t running = 0;
    for (const DieProgress& die : at.dies)
        if (die.waiting) running += die.running;
    if (running) generation_ = running;
}

void Sampling::next_regime(const Progress& at, std::uint64_t until) {
    earlier_.push_back({rate(at), until});
    start_anew(at);
}

bool Sampling::by_ends() const {
    return generations_.size() + 1 >= generations_wanted();
}

// Where a rate is measured from: the last three generations; without generations, the second half. Where workgroups
// end one after another, their ends are counted: the last of them ends when all have, not when its instructions are
// issued.
const Progress& Sampling::window(const Progress& at) const {
    if (by_ends()) return generations_[generations_.size() - std::min<std::size_t>(generations_.size(), 4)];
    if (passes() && !generations_.empty())
        return generations_.size() > 1 ? generations_[generations_.size() - 2] : began_;
    // Those that wait for each other do so otherwise in the first generation, which starts all at once.
    if (dependence_ == Dependence::Waiting)
        for (std::size_t n = generations_.size(); n-- > 0;)
            if (at.groups_ended >= generations_[n].groups_ended + generation_ / 2) return generations_[n];
    const Progress* from = &began_;
    const std::uint64_t half = began_.instructions + (at.instructions - began_.instructions) / 2;
    for (const Progress& step : steps_)
        if (step.instructions <= half) from = &step;
    return *from;
}

// Clocks that the busiest of the shared units will have worked for what it was asked for.
std::uint64_t Sampling::busiest_between(const Progress& from, const Progress& to) {
    std::uint64_t busiest = to.memory - from.memory;
    for (std::size_t x = 0; x < std::min(from.dies.size(), to.dies.size()); ++x) {
        const DieProgress &a = from.dies[x], &b = to.dies[x];
        const std::uint64_t written = b.writes - a.writes, owed = b.owed - a.owed;
        busiest = std::max({busiest, b.l2 - a.l2, b.reads - a.reads + (b.l2_full ? std::max(written, owed) : written)});
    }
    return busiest;
}

// Queues of one unit may still be short while those of another, which were long, grow shorter: what a unit was asked
// for takes at least as long as it has to work for it.
Sampling::Rate Sampling::rate_between(const Progress& from, const Progress& to) const {
    const std::uint64_t issued = std::max<std::uint64_t>(to.instructions - from.instructions, 1);
    const std::uint64_t counted = by_ends() && !passes() ? to.completed - from.completed : issued;
    const auto worked =
        static_cast<Cycle>(static_cast<unsigned __int128>(busiest_between(from, to)) * counted / issued);
    return {std::max<std::uint64_t>(counted, 1), std::max({to.now - std::min(to.now, from.now), worked, Cycle{1}})};
}

Sampling::Rate Sampling::rate(const Progress& at) const {
    return rate_between(window(at), at);
}

// In proportion to the time so far, so that a rate that changes with time is found again before it is another.
Sampling::Gap Sampling::pass_time(const Progress& at) const {
    const bool last_ones = std::all_of(at.dies.begin(), at.dies.end(), [](const auto& d) { return d.waiting == 0; });
    if (last_ones && at.groups_ended > window(at).groups_ended && !goes_on_too_long(at)) return {Gap::Kind::None, {}};
    Gap gap{Gap::Kind::Time, {}, static_cast<Cycle>(reach_ * static_cast<double>(at.now + gap_clocks(at)))};
    if (generations_.empty() || by_ends()) return gap;
    gap.generations = gap.clocks / std::max<Cycle>(at.now - window(at).now, 1);
    for (const DieProgress& die : at.dies) {
        if (die.running == 0) continue;
        const std::uint64_t waiting = die.waiting / die.running;
        gap.generations = std::min(gap.generations, waiting - std::min(kKept, waiting));
    }
    return gap;
}

void Sampling::note_passed(const Progress& at, const Passed& passed) {
    end_stretch(at);
    Left left;
    left.window = window(at);
    left.at = at;
    left.before = rate(at);
    left.instructions = passed.instructions;
    left.clocks = left.before.of(passed.instructions);
    left.passed = true;
    left.cut_short = passed.cut_short;
    gaps_.push_back(left);
    instructions_passed_ += passed.instructions;
    groups_ -= std::min(groups_, passed.groups_ended);
    start_anew(at);
}

void Sampling::end_stretch(const Progress& at) {
    if (gaps_.empty() || !gaps_.back().passed) return;
    Left& left = gaps_.back();
    left.after = rate(at);
    const auto before = static_cast<double>(left.before.of(kMillion)),
               after = static_cast<double>(left.after.of(kMillion));
    if (left.cut_short || std::abs(after - before) > kSteady * before)
        reach_ = kReach;
    else
        reach_ = std::min(2 * reach_, kFurthest);
}

// Few generations: as many of each die, and one to end with where that is not too much.
Sampling::Gap Sampling::leave_out_of_few(const Progress& at, std::uint64_t expected) {
    if (at.groups_ended * 4 < generation_ || last_is_longer_) return {Gap::Kind::Unknown, {}};
    const std::uint64_t group = at.completed / at.groups_ended;
    const std::uint64_t most = std::min(std::max(budget(expected), expected / 4), how_.most);
    std::uint64_t waiting = 0, each = ~std::uint64_t{0};
    for (const DieProgress& die : at.dies) {
        waiting += die.waiting;
        each = std::min(each, die.waiting - std::min(die.waiting, die.running));
    }
    if (waiting * group <= most) return {Gap::Kind::None, {}};
    if (each * at.dies.size() < std::max(generation_, waiting) / 2 || generation_ * group > most)
        return {Gap::Kind::Unknown, {}};
    return {Gap::Kind::Some, std::vector<std::uint64_t>(at.dies.size(), each)};
}

// An end that turns out to be much longer than what came before is not simulated as a whole after all.
bool Sampling::goes_on_too_long(const Progress& at) const {
    const std::uint64_t from = gaps_.empty() ? 0 : gaps_.back().at.instructions;
    const std::uint64_t group = at.groups_ended ? at.completed / at.groups_ended : 0;
    const std::uint64_t most = 2 * how_.most + (all_run_ && gaps_.empty() ? how_.unsteady : 0);
    return at.instructions - from > std::max(most + 4 * generation_ * group, all_run_ ? from : 0);
}

Sampling::Gap Sampling::leave_out(const Progress& at, std::uint64_t expected) {
    if (passes()) return pass_time(at);
    if (goes_on_too_long(at)) return {Gap::Kind::Unknown, {}};
    if (!by_ends()) return leave_out_of_few(at, expected);
    const Progress& from = window(at);
    std::vector<double> ends(at.dies.size(), 0);  // of workgroups in the window
    double sum = 0, dealing = 0;
    for (std::size_t x = 0; x < ends.size(); ++x) {
        const DieProgress& die = at.dies[x];
        if (die.waiting == 0 && die.running == 0) continue;
        ends[x] = static_cast<double>(die.ended - from.dies[x].ended);
        if (die.waiting <= kKept * die.running || ends[x] == 0) return {Gap::Kind::None, {}};
        sum += ends[x];
        ++dealing;
    }
    if (dealing == 0) return {Gap::Kind::None, {}};
    const bool equal = std::all_of(ends.begin(), ends.end(),
                                   [&](double e) { return e == 0 || std::abs(e * dealing / sum - 1) < kEqualRates; });
    // How many times the window fits into the gap. What follows something new may not be steady yet, however it looks.
    double windows = std::numeric_limits<double>::infinity();
    if (all_run_ && at.instructions < how_.most)
        windows = (gaps_.empty() || !gaps_.back().cut_short ? kFurthest : kReach) *
                  static_cast<double>(at.now + gap_clocks(at)) /
                  static_cast<double>(std::max<Cycle>(at.now - from.now, 1));
    for (std::size_t x = 0; x < ends.size(); ++x) {
        if (ends[x] == 0) continue;
        if (equal) ends[x] = sum / dealing;
        windows = std::min(windows, static_cast<double>(at.dies[x].waiting - kKept * at.dies[x].running) / ends[x]);
    }
    std::vector<std::uint64_t> groups;
    for (const double e : ends) groups.push_back(static_cast<std::uint64_t>(e * windows));
    if (std::accumulate(groups.begin(), groups.end(), std::uint64_t{0}) < generation_) return {Gap::Kind::None, {}};
    return {Gap::Kind::Some, groups};
}

Usual Sampling::usual(const Progress& at) const {
    const Progress& from = window(at);
    const Rate now = rate(at);
    const auto ended = static_cast<double>(std::max<std::uint64_t>(at.groups_ended - from.groups_ended, 1));
    return {static_cast<double>(at.completed - from.completed) / ended,
            static_cast<double>(now.clocks) / static_cast<double>(now.instructions),
            static_cast<double>(at.accesses - from.accesses) /
                static_cast<double>(std::max<std::uint64_t>(at.instructions - from.instructions, 1))};
}

void Sampling::note_skipped(const Progress& at, const Passed& passed) {
    end_stretch(at);
    Left left;
    left.window = window(at);
    left.at = at;
    left.instructions = passed.instructions;
    left.before = rate(at);
    const std::uint64_t position = at.instructions + instructions_passed_;
    left.clocks = clocks_of(at, position, position + left.instructions);
    left.group = static_cast<std::uint64_t>(usual(at).group);
    left.cut_short = passed.cut_short;
    gaps_.push_back(left);
    instructions_passed_ += passed.instructions + passed.beside;
    groups_ -= std::min(groups_, passed.groups_ended);
    start_anew(at);
}

void Sampling::note_left_out(const Progress& at, const std::vector<std::uint64_t>& groups) {
    end_stretch(at);
    Left left;
    left.window = window(at);
    left.at = at;
    double instructions = 0;
    for (std::size_t x = 0; x < groups.size(); ++x) {
        const bool known = by_ends() && x < left.window.dies.size() && at.dies[x].ended > left.window.dies[x].ended;
        const std::uint64_t ended = known ? at.dies[x].ended - left.window.dies[x].ended : at.groups_ended;
        const std::uint64_t work = known ? at.dies[x].completed - left.window.dies[x].completed : at.completed;
        instructions += static_cast<double>(groups[x]) * static_cast<double>(work) / static_cast<double>(ended);
    }
    left.instructions = static_cast<std::uint64_t>(instructions);
    const std::uint64_t position = at.instructions + instructions_left_out_;
    left.before = rate(at);
    left.clocks = clocks_of(at, position, position + left.instructions);
    left.group = at.completed / at.groups_ended;
    gaps_.push_back(left);
    instructions_left_out_ += left.instructions;
    const std::uint64_t all = std::accumulate(groups.begin(), groups.end(), std::uint64_t{0});
    groups_ -= std::min(groups_, all);
    start_anew(at);
}

// What is simulated after a gap has a rate of its own, until a die runs dry.
void Sampling::note_after_gap(const Progress& progress) {
    if (gaps_.empty()) return;
    Left& left = gaps_.back();
    if (left.passed) return;
    if (left.half.now == 0) {
        if (progress.groups_ended >= left.at.groups_ended + generation_ / 2) left.half = progress;
        return;
    }
    if (std::any_of(progress.dies.begin(), progress.dies.end(), [](const DieProgress& d) { return d.waiting == 0; }))
        return;
    left.after = {std::max<std::uint64_t>(progress.instructions - left.half.instructions, 1),
                  progress.now - left.half.now};
}

// Workgroups after a gap may be longer or shorter than those before it, and wait for other things: then the rate of
// what lies between is that of neither.
Cycle Sampling::gap_clocks(const Progress& at) const {
    Cycle sum = 0;
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
        const Left& left = gaps_[i];
        if (left.passed) {
            sum += left.cut_short || left.after.clocks <= 1 ? left.clocks
                                                            : (left.clocks + left.after.of(left.instructions)) / 2;
            continue;
        }
        const Progress& end = i + 1 < gaps_.size() ? gaps_[i + 1].at : at;
        const std::uint64_t groups = end.groups_ended - left.at.groups_ended;
        const std::uint64_t group = groups ? (end.completed - left.at.completed) / groups : left.group;
        const std::uint64_t difference = std::max(group, left.group) - std::min(group, left.group);
        const Cycle after = left.after.of(left.instructions);
        // A gap that ended where something else began is like what was before it.
        const bool another = left.cut_short && static_cast<double>(std::max(after, left.clocks)) >
                                                   kOther * static_cast<double>(std::min(after, left.clocks));
        if (difference * 10 > left.group && left.after.clocks > 1 && !another)
            sum += (left.clocks + after) / 2;
        else
            sum += left.clocks;
    }
    return sum;
}

// By how much the slowest die takes longer for what it has left than all would if they shared it. Where a unit that
// all share is the limit, they do.
double Sampling::imbalance(const Progress& from, const Progress& to, const Progress& at,
                           const std::vector<std::uint64_t>& of_dies) const {
    const std::uint64_t clocks = to.now - std::min(to.now, from.now);
    if (from.dies.size() != to.dies.size() || busiest_between(from, to) * 10 > clocks * 8) return 1;
    double slowest = 0, left = 0, speed = 0;
    for (std::size_t x = 0; x < at.dies.size(); ++x) {
        const DieProgress& die = at.dies[x];
        const auto mine = static_cast<double>(of_dies.empty() ? die.waiting + die.running
                                                              : of_dies[x] - std::min(of_dies[x], die.executed));
        const auto done = static_cast<double>(of_dies.empty() ? to.dies[x].ended - from.dies[x].ended
                                                              : to.dies[x].executed - from.dies[x].executed);
        if (mine == 0) continue;
        if (done == 0) return 1;
        slowest = std::max(slowest, mine / done);
        left += mine;
        speed += done;
    }
    const double ratio = left == 0 ? 1 : slowest / (left / speed);
    return ratio < 1 + kEqualRates ? 1 : ratio;
}

// Where each compute unit gets few workgroups one after another, some get one more than the average.
double Sampling::uneven_units() const {
    return std::ceil(groups_of_a_unit_) / groups_of_a_unit_;
}

// Of the instructions from one position in the dispatch to another.
Cycle Sampling::clocks_of(const Progress& at, std::uint64_t from, std::uint64_t to) const {
    Cycle sum = 0;
    for (const Regime& regime : earlier_) {
        const std::uint64_t until = std::min(regime.until, to);
        if (until <= from) continue;
        sum += regime.rate.of(until - from);
        from = until;
    }
    return to > from ? sum + rate(at).of(to - from) : sum;
}

// Workgroups that wait for each other have fewer instructions once nobody keeps time: not these tell how far the
// dispatch has come, but how many have ended.
bool Sampling::have_waited(const Progress& at, std::uint64_t unseen, std::uint64_t groups) const {
    if (dependence_ != Dependence::Waiting || at.groups_ended == window(at).groups_ended) return false;
    const double simulated = static_cast<double>(at.completed) / static_cast<double>(at.groups_ended);
    return simulated * static_cast<double>(groups) > kOther * static_cast<double>(unseen);
}

Cycle Sampling::clocks_of_ends(const Progress& at, std::uint64_t groups) const {
    const Progress& from = window(at);
    return static_cast<Cycle>(static_cast<unsigned __int128>(groups) * (at.now - from.now) /
                              (at.groups_ended - from.groups_ended));
}

Cycle Sampling::until(const Progress& at, std::uint64_t instructions, std::uint64_t group) const {
    const std::uint64_t groups = group - std::min(group, at.groups_ended);
    if (have_waited(at, instructions - at.instructions, groups)) return clocks_of_ends(at, groups);
    const std::uint64_t done = by_ends() ? at.completed : at.instructions;
    return clocks_of(at, done, std::max(done, instructions));
}

double Sampling::slower_than_at_first(const Progress& at) const {
    const Progress& from = window(at);
    if (dependence_ != Dependence::Waiting || first_.groups_ended == 0 || at.groups_ended == from.groups_ended)
        return 1;
    const double then = static_cast<double>(first_.now) / static_cast<double>(first_.groups_ended);
    return static_cast<double>(at.now - from.now) / static_cast<double>(at.groups_ended - from.groups_ended) / then;
}

Cycle Sampling::rest(const Progress& at, std::uint64_t total, const std::vector<std::uint64_t>& of_dies) const {
    const std::uint64_t unseen = total - std::min(total, at.instructions);
    const bool to_its_end = std::all_of(at.dies.begin(), at.dies.end(),
                                        [](const DieProgress& d) { return d.waiting == 0 && d.running == 0; });
    const auto gaps = static_cast<double>(gap_clocks(at));
    if (to_its_end) {
        const auto guessed = static_cast<double>(std::max<std::uint64_t>(instructions_left_out_, 1));
        const double slower =
            gaps_.empty() || of_dies.empty() ? 1 : imbalance(gaps_[0].window, gaps_[0].at, at, of_dies);
        if (instructions_left_out_ == 0) return static_cast<Cycle>(gaps);
        return static_cast<Cycle>(gaps * slower * static_cast<double>(unseen - std::min(unseen, instructions_passed_)) /
                                  guessed);
    }
    const std::uint64_t left = all_groups_ - at.groups_ended;
    if (have_waited(at, unseen, left)) return clocks_of_ends(at, left);
    const std::uint64_t done =
        (by_ends() ? at.completed : at.instructions) + instructions_left_out_ + instructions_passed_;
    if (total <= done) return static_cast<Cycle>(gaps);
    const Progress& from = window(at);
    double clocks = static_cast<double>(clocks_of(at, done, total));
    if (by_ends() || !of_dies.empty()) clocks *= imbalance(from, at, at, of_dies);
    if (!by_ends() && busiest_between(from, at) * 10 < (at.now - from.now) * 7)
        clocks += (static_cast<double>(at.now) + clocks) * (uneven_units() - 1);
    return static_cast<Cycle>(gaps + clocks);
}

}  // namespace vrocm::sim::timing
