// What an encoding adds to an instruction: DPP, SDWA, neg, abs, op_sel, output multipliers and clamp.
#pragma once

#include "sim/exec/valu/sources.h"
#include "sim/exec/valu/table.h"

namespace vrocm::sim::VROCM_SIMD_NS {

// The handler that applies the modifiers of op.inst around op.base, or op.base itself when there are none.
Handler with_modifiers(Op& op);

// True when neg and abs of single- or double-precision sources are all there is.
bool only_signs(const isa::Inst& inst);

}  // namespace vrocm::sim::VROCM_SIMD_NS

namespace vrocm::sim {

// The modifiers of an instruction, sorted out when it is lowered.
struct VectorModifiers {
    struct Result {
        bool scale_or_clamp = false, sdwa = false, high_half = false;
        bool any() const { return scale_or_clamp || sdwa || high_half; }
        bool operator==(const Result&) const = default;
    };
    VROCM_SIMD_NS::SourceChange source[3];
    bool wide[3] = {};  // sources of two registers
    Result result;
    const VROCM_SIMD_NS::DppLanes* dpp = nullptr;
    bool operator==(const VectorModifiers&) const = default;
};

}  // namespace vrocm::sim
