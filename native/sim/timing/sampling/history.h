// What earlier dispatches of a kernel took, so that a program that launches it a thousand times need not wait for a
// thousand simulations.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "sim/machine.h"

namespace vrocm::sim::timing {

class History {
  public:
    struct Launch {
        std::uint64_t kernel = 0;  // entry address
        std::uint32_t grid[3] = {};
        std::uint16_t workgroup[3] = {};
        std::uint32_t lds = 0;
        std::uint64_t arguments = 0;  // hash of the kernel arguments
    };
    // The time and instructions of a launch like this one, when it is known well enough not to be simulated again.
    struct Known {
        DispatchTime time;
        std::uint64_t instructions = 0;
    };
    // `spent`: instructions that were simulated so far.
    const Known* find(const Launch& launch, std::uint64_t spent);
    // `once`: a launch with the same arguments need not be simulated again.
    void add(const Launch& launch, const DispatchTime& time, std::uint64_t instructions, bool once);
    // Scaled to the instructions that a dispatch turned out to have.
    static DispatchTime scaled(const Known& known, std::uint64_t instructions, std::uint32_t clock_mhz);

  private:
    using Shape = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint16_t, std::uint16_t,
                             std::uint16_t, std::uint32_t>;
    using Exact = std::pair<Shape, std::uint64_t>;
    static Shape shape_of(const Launch& launch);
    struct Entry {
        Known last;
        unsigned alike = 0;   // simulations in a row that agreed
        unsigned reused = 0;  // launches that were not simulated
    };
    static void note(Entry& entry, const DispatchTime& time, std::uint64_t instructions);
    std::map<Exact, Entry> exact_;
    std::map<Shape, Entry> shapes_;
};

}  // namespace vrocm::sim::timing
