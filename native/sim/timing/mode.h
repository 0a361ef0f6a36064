// How much of a dispatch is simulated in detail, and what is computed at all.
#pragma once

#include <cstdint>

namespace vrocm::sim::timing {

enum class Mode : std::uint8_t {
    Off,      // functional only
    Sampled,  // in detail until the rate is steady; the rest follows from it
    Full,     // every workgroup in detail
};

// VROCM_TIMING: off, sampled (default), full. Anything else counts as the default; the runtime complains about it.
Mode mode_from_environment();
bool mode_is_valid();

// VROCM_RESULTS=sampled: workgroups that are not simulated in detail are not run, and what they would have computed is
// missing. For studies of time alone.
bool results_wanted();

// VROCM_TIMING_BUDGET: how many times the usual is simulated for a program before new kernels get less (default 1);
// with 0 they get least from the first on.
double budget();

}  // namespace vrocm::sim::timing
