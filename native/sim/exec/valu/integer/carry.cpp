// Addition and subtraction that write a mask of carries and may read one.
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/table.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

enum class Kind { Add, Sub, SubReversed };

struct Sum {
    VU value;
    VU carry;  // all ones where there is one
};

// `in`: all ones where a carry comes in.
template <Kind kind>
Sum add_with_carry(VU a, VU b, VU in) {
    if constexpr (kind == Kind::Add) {
        const VU partial = a + b, value = partial - in;
        return {value, (VU)(partial < a) | (VU)(value < partial)};
    } else {
        const VU from = kind == Kind::Sub ? a : b, what = kind == Kind::Sub ? b : a;
        return {from - what + in, (VU)(what > from) | ((VU)(what == from) & in)};
    }
}

template <Kind kind, bool carry_in, bool saturating>
const Op* carry(Wave& wave, const Op* op) {
    VReg in[2], carries;
    const VReg* a = source(wave, op->src[0], &in[0]);
    const VReg* b = source(wave, op->src[1], &in[1]);
    if (carry_in) lanes_of(read_scalar64(wave, op->src[2]), carries);
    std::uint64_t mask = 0;
    VReg& dst = wave.v[op->dst];
    under_exec(wave, [&](auto write) {
#pragma GCC unroll 4
        for (unsigned k = 0; k < kBlocks; ++k) {
            Sum sum = add_with_carry<kind>(load<VU>(*a, k), load<VU>(*b, k), carry_in ? load<VU>(carries, k) : VU{});
            if (saturating) sum.value = kind == Kind::Add ? sum.value | sum.carry : sum.value & ~sum.carry;
            write(dst, k, sum.value);
            mask |= mask_bits((VI)sum.carry) << (k * kWidth);
        }
    });
    wave.write_s64(op->sdst, mask & wave.exec());
    return op + 1;
}

template <Kind kind, bool carry_in>
void add_rows(Table& table, isa::Op op) {
    table.add(op, carry<kind, carry_in, false>, carry<kind, carry_in, true>);
}

}  // namespace

void add_carry(Table& table) {
    using isa::Op;
    add_rows<Kind::Add, false>(table, Op::v_add_co_u32);
    add_rows<Kind::Sub, false>(table, Op::v_sub_co_u32);
    add_rows<Kind::SubReversed, false>(table, Op::v_subrev_co_u32);
    add_rows<Kind::Add, true>(table, Op::v_addc_co_u32);
    add_rows<Kind::Sub, true>(table, Op::v_subb_co_u32);
    add_rows<Kind::SubReversed, true>(table, Op::v_subbrev_co_u32);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
