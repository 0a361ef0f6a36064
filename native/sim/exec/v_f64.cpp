// Double-precision arithmetic.
#include "sim/exec/v_handlers.h"
#include "sim/exec/v_table.h"
#include "sim/exec/v_vector_math.h"

namespace vrocm::sim::VROCM_SIMD_NS {

void add_f64(Table& t) {
    using isa::Op;
    t.add(Op::v_add_f64, f64([](VD a, VD b) { return a + b; }));
    t.add(Op::v_mul_f64, f64([](VD a, VD b) { return a * b; }));
    const Handler fma = f64([](VD a, VD b, VD c) { return fused(a, b, c); });
    t.add(Op::v_fma_f64, fma);
    t.add(Op::v_fmac_f64, fma).reads_dst_as(2);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
