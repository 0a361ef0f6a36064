// Floating-point behaviour that MODE asks for beyond the default (round to nearest even, denormals kept).
#pragma once

#include "sim/exec/valu/lanes.h"

namespace vrocm::sim::VROCM_SIMD_NS {

// Which of the two sets of MODE fields rules an instruction.
enum class Precision { Single, DoubleHalf };

inline bool default_mode(const Wave& wave, Precision precision) {
    return precision == Precision::Single ? wave.mode.f32_default() : wave.mode.f64_f16_default();
}

// Runs op->fn again with the host's rounding and denormal control set as the wave's MODE says, and with a MODE
// that looks like the default so that the handler takes its ordinary path.
const Op* run_in_mode(Wave& wave, const Op* op, Precision precision);

// A bit of Wave::mode that run_in_mode sets while the host is not in its usual state; MODE has no such bit.
inline constexpr std::uint32_t kHostModeChanged = 1u << 31;

// True unless run_in_mode has selected another rounding.
inline bool host_rounds_to_nearest(const Wave& wave) {
    return !(wave.mode.bits & kHostModeChanged) || (_mm_getcsr() & _MM_ROUND_MASK) == _MM_ROUND_NEAREST;
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
