// When enough of a dispatch has been simulated, what of it can be left out, and what the whole takes then.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/code/order.h"
#include "sim/timing/engine/progress.h"
#include "sim/timing/parameters.h"

namespace vrocm::sim::timing {

struct Thoroughness {
    // As long as less than this was simulated before; the same where all is run anyway.
    std::uint64_t spent, spent_if_run;
    std::size_t generations;  // of workgroups that must have ended
    std::uint64_t always;     // instructions that are simulated before anything is guessed
    // Instructions of a dispatch that is simulated as a whole where all is run anyway; if it does not become steady.
    std::uint64_t whole, unsteady;
    std::uint64_t warmed;  // instructions of a dispatch whose gaps the caches are kept up with
    std::uint64_t most;    // instructions that are simulated at a time of one that does not become steady
};

class Sampling {
  public:
    // `resident`: workgroups that run at the same time, `groups`: all of them.
    // `units`: compute units of the GPU.
    // `spent`: instructions that were simulated for earlier dispatches. A program that launches many different kernels
    // gets less for each, so that the wait for its results stays bounded.
    // `all_run`: what is not simulated is run all the same, so that gaps can be run when they are reached.
    Sampling(std::uint64_t resident, std::uint64_t groups, unsigned units, std::uint64_t spent, bool all_run,
             Dependence dependence);

    // True when the rate is known well enough to leave the rest to it. Instructions of the whole dispatch are known
    // only after it (`expected` 0: not yet known).
    bool enough(const Progress& progress, std::uint64_t expected);
    // True when a guess of the whole dispatch's instructions is needed to go on.
    bool wants_expectation(const Progress& progress) const;

    // The last workgroup is much longer than those that were simulated: work grows through the dispatch, and what comes
    // after a gap would all start at once.
    void last_is_longer() { last_is_longer_ = true; }
    bool by_ends() const;
    // Whether gaps are such that all goes on functionally.
    bool passes() const { return all_run_ && dependence_ != Dependence::Waiting && !(steady_ && by_ends()); }

    // The rate found so far holds until the dispatch has run `until` instructions; what comes now is measured anew.
    void next_regime(const Progress& at, std::uint64_t until);

    // Workgroups of each die that need not be simulated: so many that all dies go on at their rates for the same
    // time, and that the end of the dispatch is simulated again, where units run dry.
    struct Gap {
        enum class Kind {
            Unknown,  // workgroups are too long to simulate some at the end, too
            None,     // the end is near: to be simulated
            Some,     // workgroups of each die
            Time,     // for which all that runs goes on functionally
        } kind;
        std::vector<std::uint64_t> groups;
        Cycle clocks = 0;
        std::uint64_t generations = 0;  // that end meanwhile, where that is known: as many for each place
    };
    Gap leave_out(const Progress& at, std::uint64_t expected);
    // What was done about it: all went on for a time; workgroups were run functionally; workgroups were left out, and
    // will be run later or never.
    void note_passed(const Progress& at, const Passed& passed);
    void note_skipped(const Progress& at, const Passed& passed);
    void note_left_out(const Progress& at, const std::vector<std::uint64_t>& groups);
    Usual usual(const Progress& at) const;
    // Whether caches are kept up with gaps of a dispatch of so many instructions: not where that would take too long.
    bool warms(std::uint64_t expected) const { return all_run_ && expected <= how_.warmed; }
    // Whether a gap is to end where memory is asked for something else: not for ever.
    bool careful(const Progress& at) const;
    // Once in each stretch that is simulated: what comes now decides about the pace in the next gap.
    bool half_way(const Progress& at, std::uint64_t expected);

    // Of those that wait for each other: whether so few are left to start that the end is simulated without a gap. And
    // the instructions it may have.
    bool end_is_near(const Progress& at) const;
    std::uint64_t longest_end() const { return 2 * how_.unsteady; }

    // Since how many instructions the rate counts.
    std::uint64_t steady_since(const Progress& at) const { return window(at).instructions; }

    // Clocks of what was not simulated: `total` instructions less those that were. `of_dies`: the same of the
    // workgroups of each die, where they are known.
    Cycle rest(const Progress& at, std::uint64_t total, const std::vector<std::uint64_t>& of_dies) const;

    // Until all workgroups before one have ended, with so many instructions.
    Cycle until(const Progress& at, std::uint64_t instructions, std::uint64_t group) const;

    // Workgroups that wait for each other, compared with those that all began at the same time.
    double slower_than_at_first(const Progress& at) const;

  private:
    struct Rate {
        std::uint64_t instructions = 1;
        Cycle clocks = 1;
        Cycle of(std::uint64_t work) const {
            return static_cast<Cycle>(static_cast<unsigned __int128>(work) * clocks / instructions);
        }
    };
    // What was left out at one place, guessed from the workgroups before it.
    struct Left {
        std::uint64_t instructions = 0;
        Cycle clocks = 0;
        std::uint64_t group = 0;    // instructions of a workgroup
        Progress window, at, half;  // before it; a while after it
        Rate before, after;
        bool passed = false, cut_short = false;
    };
    bool found_rate(const Progress& progress, std::uint64_t expected);
    std::uint64_t stretch(std::uint64_t expected) const;
    bool whole_generations(std::uint64_t expected) const;
    void end_stretch(const Progress& at);
    std::uint64_t budget(std::uint64_t expected) const;
    std::size_t generations_wanted() const;
    const Progress& window(const Progress& at) const;
    Rate rate_between(const Progress& from, const Progress& to) const;
    Rate rate(const Progress& at) const;
    void start_anew(const Progress& at);
    void note_after_gap(const Progress& progress);
    bool goes_on_too_long(const Progress& at) const;
    Gap leave_out_of_few(const Progress& at, std::uint64_t expected);
    Gap pass_time(const Progress& at) const;
    Cycle gap_clocks(const Progress& at) const;
    double imbalance(const Progress& from, const Progress& to, const Progress& at,
                     const std::vector<std::uint64_t>& of_dies) const;
    double uneven_units() const;
    bool have_waited(const Progress& at, std::uint64_t unseen, std::uint64_t groups) const;
    Cycle clocks_of_ends(const Progress& at, std::uint64_t groups) const;
    static std::uint64_t busiest_between(const Progress& from, const Progress& to);
    Cycle clocks_of(const Progress& at, std::uint64_t from, std::uint64_t to) const;

    std::uint64_t generation_, groups_;
    const std::uint64_t resident_, all_groups_;
    const double groups_of_a_unit_;  // 1 where all run at the same time
    Thoroughness how_;
    std::size_t dies_dealing_ = 0;       // that have workgroups to start
    std::vector<Progress> generations_;  // at the end of each
    std::vector<Progress> steps_;        // at regular numbers of instructions
    Progress began_;                     // this regime
    Progress first_;                     // the end of the first generation
    struct Regime {
        Rate rate;
        std::uint64_t until;
    };
    std::vector<Regime> earlier_;
    std::vector<Left> gaps_;
    const bool all_run_;
    const Dependence dependence_;
    bool last_is_longer_ = false, half_way_ = false, steady_ = false;
    double reach_;  // of the next gap in which everything goes on, in times of what was before it
    std::uint64_t instructions_passed_ = 0;
    std::uint64_t instructions_left_out_ = 0;  // guessed
};

}  // namespace vrocm::sim::timing
