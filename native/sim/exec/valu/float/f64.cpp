// Double-precision arithmetic.
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/table.h"
#include "sim/exec/valu/vector_math.h"

namespace vrocm::sim::VROCM_SIMD_NS {

void add_f64(Table& t) {
    using isa::Op;
    const auto add = [&t](Op op, auto function) -> Entry& {
        return t.add(op, f64(function)).with_signs(f64_signs(function));
    };
    add(Op::v_add_f64, [](VD a, VD b) { return a + b; });
    add(Op::v_mul_f64, [](VD a, VD b) { return a * b; });
    const auto fma = [](VD a, VD b, VD c) { return fused(a, b, c); };
    add(Op::v_fma_f64, fma);
    add(Op::v_fmac_f64, fma).reads_dst_as(2);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
