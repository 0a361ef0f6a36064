// Moves, selection by a mask, and access to single lanes.
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/table.h"
#include "sim/exec/valu/vector_math.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

const Op* nop(Wave&, const Op* op) {
    return op + 1;
}

const Op* mov_b32(Wave& wave, const Op* op) {
    const Src& src = op->src[0];
    VReg space;
    const VReg* from = &space;
    if (src.kind == Src::Kind::Vgpr) {
        from = wave.v + src.reg;
    } else if (src.kind == Src::Kind::Const) {
        from = src.splat;
    } else {
        const u32 value = read_scalar32(wave, src);
        if (wave.exec() == kAllLanes) {
            splat(wave.v[op->dst], value);
            return op + 1;
        }
        splat(space, value);
    }
    if (wave.exec() == kAllLanes) {
        VU r[kBlocks];
#pragma GCC unroll 8
        for (unsigned k = 0; k < kBlocks; ++k) r[k] = load<VU>(*from, k);
#pragma GCC unroll 8
        for (unsigned k = 0; k < kBlocks; ++k) store(wave.v[op->dst], k, r[k]);
    } else {
        blend(wave, op->dst, from, 1);
    }
    return op + 1;
}

const Op* mov_b64(Wave& wave, const Op* op) {
    VReg space[2];
    const VReg* from = source64(wave, op->src[0], space);
    VReg* dst = wave.v + op->dst;
    under_exec(wave, [&](auto write) {
#pragma GCC unroll 8
        for (unsigned k = 0; k < kBlocks; ++k) {
            const VU low = load<VU>(from[0], k), high = load<VU>(from[1], k);
            write(dst[0], k, low);
            write(dst[1], k, high);
        }
    });
    return op + 1;
}

const Op* swap_b32(Wave& wave, const Op* op) {
    const VReg dst = wave.v[op->dst], src = wave.v[op->src[0].reg];
    blend(wave, op->dst, &src, 1);
    blend(wave, op->src[0].reg, &dst, 1);
    return op + 1;
}

const Op* cndmask_b32(Wave& wave, const Op* op) {
    VReg in[2];
    const VReg* no = source(wave, op->src[0], &in[0]);
    const VReg* yes = source(wave, op->src[1], &in[1]);
    const u64 mask = read_scalar64(wave, op->src[2]);
    VReg& dst = wave.v[op->dst];
    under_exec(wave, [&](auto write) {
#pragma GCC unroll 8
        for (unsigned k = 0; k < kBlocks; ++k)
            write(dst, k, select(block_of(mask, k), load<VU>(*yes, k), load<VU>(*no, k)));
    });
    return op + 1;
}

// The value of one lane of a source that may also be uniform.
u32 lane_of(const Wave& wave, const Src& src, unsigned lane) {
    return src.kind == Src::Kind::Vgpr ? wave.v[src.reg].lane[lane] : read_scalar32(wave, src);
}

const Op* readfirstlane_b32(Wave& wave, const Op* op) {
    const u64 exec = wave.exec();
    wave.s[op->dst] = lane_of(wave, op->src[0], exec ? static_cast<unsigned>(std::countr_zero(exec)) : 0);
    return op + 1;
}

const Op* readlane_b32(Wave& wave, const Op* op) {
    wave.s[op->dst] = lane_of(wave, op->src[0], read_scalar32(wave, op->src[1]) & 63);
    return op + 1;
}

const Op* writelane_b32(Wave& wave, const Op* op) {
    wave.v[op->dst].lane[read_scalar32(wave, op->src[1]) & 63] = read_scalar32(wave, op->src[0]);
    return op + 1;
}

// For each lane, the positions below it in one half of the wave.
template <unsigned half>
constexpr VReg bits_below() {
    VReg below{};
    for (unsigned i = 0; i < kLanes; ++i) below.lane[i] = static_cast<u32>(((u64{1} << i) - 1) >> (32 * half));
    return below;
}
template <unsigned half>
constexpr VReg kBelow = bits_below<half>();

// v_mbcnt: bits of src0 below this lane's position in one half of the wave, added to src1.
template <unsigned half>
const Op* mbcnt(Wave& wave, const Op* op) {
    VReg in[2];
    const VReg* bits = source(wave, op->src[0], &in[0]);
    const VReg* base = source(wave, op->src[1], &in[1]);
    VReg& dst = wave.v[op->dst];
    under_exec(wave, [&](auto write) {
        for (unsigned k = 0; k < kBlocks; ++k)
            write(dst, k, load<VU>(*base, k) + count_ones(load<VU>(*bits, k) & load<VU>(kBelow<half>, k)));
    });
    return op + 1;
}

}  // namespace

void add_moves(Table& table) {
    using isa::Op;
    table.add(Op::v_nop, nop);
    table.add(Op::v_clrexcp, nop);  // no exceptions are recorded
    table.add(Op::v_mov_b32, mov_b32);
    table.add(Op::v_mov_b64, mov_b64);
    table.add(Op::v_swap_b32, swap_b32);
    table.add(Op::v_cndmask_b32, cndmask_b32);
    table.add(Op::v_readfirstlane_b32, readfirstlane_b32);
    table.add(Op::v_readlane_b32, readlane_b32);
    table.add(Op::v_writelane_b32, writelane_b32);
    table.add(Op::v_mbcnt_lo_u32_b32, mbcnt<0>);
    table.add(Op::v_mbcnt_hi_u32_b32, mbcnt<1>);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
