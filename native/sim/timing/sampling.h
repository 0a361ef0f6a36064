// When enough of a dispatch has been simulated, and what the whole takes then.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/timing/parameters.h"

namespace vrocm::sim::timing {

// How far a detailed simulation has come.
struct Progress {
    Cycle now = 0;
    std::uint64_t instructions = 0, groups_ended = 0;
    std::uint64_t completed = 0;  // instructions of workgroups that have ended
};

struct Thoroughness {
    std::uint64_t spent;      // as long as less than this was simulated before
    std::size_t generations;  // of workgroups that must have ended
    std::uint64_t always;     // instructions that are simulated before anything is guessed
    std::uint64_t most;       // instructions of a dispatch that does not become steady
};

class Sampling {
  public:
    // `resident`: workgroups that run at the same time, `groups`: all of them.
    // `spent`: instructions that were simulated for earlier dispatches. A program that launches many different kernels
    // gets less for each, so that the wait for its results stays bounded.
    Sampling(std::uint64_t resident, std::uint64_t groups, std::uint64_t spent);

    // True when the rate is known well enough to leave the rest to it. Instructions of the whole dispatch are known
    // only after it (`expected` 0: not yet known).
    bool enough(const Progress& progress, std::uint64_t expected);
    // True when a guess of the whole dispatch's instructions is needed to go on.
    bool wants_expectation(const Progress& progress) const;

    // The rate found so far holds until the dispatch has run `until` instructions; what comes now is measured anew.
    void next_regime(const Progress& at, std::uint64_t until);

    // Clocks of what was not simulated: `total` instructions less those that were.
    Cycle rest(const Progress& at, std::uint64_t total) const;

  private:
    struct Rate {
        std::uint64_t instructions = 1;
        Cycle clocks = 1;
    };
    std::uint64_t budget(std::uint64_t expected) const;
    Rate rate(const Progress& at) const;
    bool by_ends() const;
    std::uint64_t generation_, groups_;
    Thoroughness how_;
    std::vector<Progress> generations_;  // at the end of each
    std::vector<Progress> steps_;        // at regular numbers of instructions
    Progress began_;                     // this regime
    struct Regime {
        Rate rate;
        std::uint64_t until;
    };
    std::vector<Regime> earlier_;
};

}  // namespace vrocm::sim::timing
