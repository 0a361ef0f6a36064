#include "sim/exec/scalar/operand.h"

namespace vrocm::sim {

// Each piece knows its own instructions; the order does not matter.
Handler lower_scalar(Op& op) {
    using namespace scalar;
    for (Handler (*lower)(Op&) : {lower_scalar_alu, lower_control, lower_hwreg, lower_gpr_index})
        if (Handler handler = lower(op)) return handler;
    return nullptr;
}

}  // namespace vrocm::sim
