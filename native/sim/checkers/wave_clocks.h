// What the waves of a workgroup know of each other: vector clocks. A barrier tells every wave all that the others have
// done; an atomic operation tells the next wave that comes to the same place.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

#include "sim/wave/workgroup.h"

namespace vrocm::sim::checkers {

class WaveClocks {
  public:
    static constexpr unsigned kWaves = 16;  // 1024 work-items

    void begin() {
        for (unsigned i = 0; i < kWaves; ++i) {
            known_[i].fill(0);
            known_[i][i] = 1;
        }
        released_.clear();
    }
    // When something happens that a wave does now.
    std::uint32_t now(unsigned wave) const { return known_[wave][wave]; }
    // Whether what `other` did at that time comes before what `wave` does now.
    bool knows(unsigned wave, unsigned other, std::uint32_t time) const {
        return wave == other || time <= known_[wave][other];
    }
    void barrier(unsigned waves) {
        Clock all{};
        for (unsigned i = 0; i < waves; ++i) join(all, known_[i]);
        for (unsigned i = 0; i < waves; ++i) {
            known_[i] = all;
            ++known_[i][i];
        }
    }
    // An atomic operation: hears from those that were here before, and tells those that come.
    void synchronise(unsigned wave, std::uint64_t address) {
        Clock& here = released_[address];
        join(known_[wave], here);
        here = known_[wave];
    }
    void step(unsigned wave) { ++known_[wave][wave]; }  // after all places of one atomic instruction

  private:
    using Clock = std::array<std::uint32_t, kWaves>;
    static void join(Clock& to, const Clock& from) {
        for (unsigned i = 0; i < kWaves; ++i) to[i] = std::max(to[i], from[i]);
    }
    std::array<Clock, kWaves> known_;
    std::unordered_map<std::uint64_t, Clock> released_;  // by address
};

}  // namespace vrocm::sim::checkers
