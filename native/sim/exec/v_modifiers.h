// What an encoding adds to an instruction: DPP, SDWA, neg, abs, op_sel, output multipliers and clamp.
#pragma once

#include "sim/exec/v_table.h"

namespace vrocm::sim::VROCM_SIMD_NS {

// The handler that applies the modifiers of op.inst around op.base, or op.base itself when there are none.
Handler with_modifiers(Op& op);

// True when neg and abs of single- or double-precision sources are all there is.
bool only_signs(const isa::Inst& inst);

}  // namespace vrocm::sim::VROCM_SIMD_NS
