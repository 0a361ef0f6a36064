#include <atomic>

#include "sim/exec/buffer/access.h"

namespace vrocm::sim {
namespace {

// Host memory is coherent. What remains of writing back and invalidating caches is their order: loads after it
// must not be older than stores before it, which the host's own memory model would allow.
const Op* cache_control(Wave&, const Op* op) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return op + 1;
}

}  // namespace

Handler lower_buffer(Op& op) {
    using namespace memory;
    switch (op.inst->op) {
        case isa::Op::buffer_wbl2:
        case isa::Op::buffer_inv:
        case isa::Op::buffer_invl2:
        case isa::Op::buffer_wbinvl1:
        case isa::Op::buffer_wbinvl1_vol:
            return cache_control;
        default:
            break;
    }
    op.sdst = static_cast<std::uint16_t>(op.inst->offset);  // where buffer/access.h expects it
    for (Handler (*lower)(const Op&) : {lower_buffer_move, lower_buffer_atomic, lower_buffer_format})
        if (Handler handler = lower(op)) return handler;
    return nullptr;
}

}  // namespace vrocm::sim
