// Modifiers of results: output multiplier, clamp, and where in the destination the value goes.
#pragma once

#include "sim/exec/valu/lanes.h"

namespace vrocm::sim::VROCM_SIMD_NS {

// Multiplies by 2, 4 or 1/2 and clamps to [0, 1], by the type of the destination. Output multipliers are ignored
// where MODE keeps denormal results or asks for IEEE behaviour (CDNA3 ISA, "Output Modifiers").
void scale_and_clamp(const Wave& wave, const isa::Inst& inst, VReg* result);

// SDWA: puts `result` into the selected part of each lane; `old` is the destination before.
void place_part(VReg& result, const VReg& old, const isa::Sdwa& sdwa);

// op_sel[3]: the low half of `result` becomes the high half; the low half of the destination stays.
void place_high(VReg& result, const VReg& old);

}  // namespace vrocm::sim::VROCM_SIMD_NS
