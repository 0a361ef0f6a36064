#include "sim/exec/flat/address.h"

namespace vrocm::sim {

Handler lower_flat(Op& op) {
    using namespace memory;
    op.src[3].imm = static_cast<std::uint64_t>(std::int64_t{op.inst->offset});  // where flat/address.h expects it
    for (Handler (*lower)(const Op&) :
         {lower_load_to_lds, lower_global, lower_generic, lower_scratch, lower_flat_atomic})
        if (Handler handler = lower(op)) return handler;
    return nullptr;
}

}  // namespace vrocm::sim
