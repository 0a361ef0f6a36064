// How far the detailed simulation of a dispatch has come.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/timing/parameters.h"

namespace vrocm::sim::timing {

// Workgroups of one die, and what was asked of its shared units, in clocks of each of their channels.
struct DieProgress {
    std::uint64_t waiting = 0, running = 0, ended = 0;  // workgroups
    std::uint64_t completed = 0;                        // instructions of those that have ended
    std::uint64_t executed = 0;                         // instructions of all
    std::uint64_t l2 = 0;                               // the channels of the L2
    std::uint64_t reads = 0, writes = 0;                // the ports to the fabric
    std::uint64_t owed = 0;  // the same for all that was written into the L2, at once or later
    bool l2_full = false;    // what is written now, drives out as much
};

struct Progress {
    Cycle now = 0;
    std::uint64_t instructions = 0, groups_ended = 0;
    std::uint64_t completed = 0;  // instructions of workgroups that have ended
    std::uint64_t memory = 0;     // asked of the memory channels, clocks of each
    std::uint64_t accesses = 0;   // instructions for vector memory
    std::vector<DieProgress> dies;
};

// Instructions of workgroups, and by how much they differ.
struct Lengths {
    double count = 0, sum = 0, squares = 0;
    void add(double length) {
        ++count;
        sum += length;
        squares += length * length;
    }
    // The standard deviation is at most a share of the mean.
    bool alike(double share) const {
        const double mean = sum / count;
        return count > 0 && squares / count - mean * mean <= share * mean * share * mean;
    }
};

// A while for which everything went on functionally.
struct Passed {
    std::uint64_t instructions = 0, groups_ended = 0;
    std::uint64_t beside = 0;  // instructions of workgroups that are so long that they do not count in the clocks
    bool cut_short = false;    // something happened that had not happened before
};

// What instructions asked of memory while they ran functionally and the caches were kept up with them.
struct Demand {
    std::uint64_t instructions = 0, accesses = 0;  // all, and those for vector memory
    std::uint64_t lines = 0;                       // that came into L2s
    std::uint64_t far_lines = 0, written = 0;      // that came into the Infinity Cache, that it wrote to make room
    Demand since(const Demand& earlier) const {
        return {instructions - earlier.instructions, accesses - earlier.accesses, lines - earlier.lines,
                far_lines - earlier.far_lines, written - earlier.written};
    }
    double share() const {
        return instructions ? static_cast<double>(accesses) / static_cast<double>(instructions) : 0;
    }
};

// What workgroups are like before a gap.
struct Usual {
    double group = 0;     // instructions of a workgroup
    double clocks = 0;    // for an instruction
    double accesses = 0;  // instructions for vector memory, of all
};

}  // namespace vrocm::sim::timing
