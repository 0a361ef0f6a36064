#include "sim/exec/lds/address.h"

namespace vrocm::sim {

// Global wave sync (ds_gws_*) and GDS have no counterpart: a kernel that reaches them is told so.
Handler lower_lds(Op& op) {
    using namespace memory;
    if (op.inst->gds) return nullptr;
    place_offsets(op);
    for (Handler (*lower)(const Op&) : {lower_lds_move, lower_lds_atomic, lower_lds_lanes})
        if (Handler handler = lower(op)) return handler;
    return nullptr;
}

}  // namespace vrocm::sim
