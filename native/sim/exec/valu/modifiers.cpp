#include "sim/exec/valu/modifiers.h"

#include <algorithm>
#include <deque>
#include <mutex>

#include "isa/flags.h"
#include "sim/exec/valu/results.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using isa::Encoding;
using isa::Format;
using isa::Inst;
using isa::Type;

bool is_16_bit(Type type) {
    return type == Type::F16 || type == Type::I16 || type == Type::U16 || type == Type::B16 || type == Type::BF16;
}
bool is_float(Type type) {
    return type == Type::F16 || type == Type::F32 || type == Type::F64 || type == Type::PkF16 || type == Type::PkF32;
}
bool is_pair_of_singles(const Inst& inst) {
    return inst.format == Format::VOP3P && (inst.dst.type == Type::PkF32 || inst.dst.type == Type::PkB32);
}
// These read op_sel themselves, as the number of a byte.
bool selects_byte(const Inst& inst) {
    return inst.op == isa::Op::v_cvt_sr_fp8_f32 || inst.op == isa::Op::v_cvt_sr_bf8_f32;
}
bool is_mix(const Inst& inst) {
    return isa::has(inst.op, isa::flag::MixPrecision);
}
// src[2] of carry and select instructions is a mask of lanes, not a value.
bool is_lane_mask(const Inst& inst, unsigned i) {
    return i == 2 && isa::has(inst.op, isa::flag::ReadsVcc);
}

std::uint8_t sign_bit(const Inst& inst, Type type) {
    if (type == Type::F64) return 63;
    return is_16_bit(type) && !is_mix(inst) ? 15 : 31;
}

SourceChange packed_change(const Inst& inst, unsigned i) {
    SourceChange c;
    c.neg = inst.neg >> i & 1;
    if (is_mix(inst)) {
        c.abs = inst.abs >> i & 1;
        c.widen = inst.op_sel_hi >> i & 1;
        c.low_from_high = inst.op_sel >> i & 1;
        return c;
    }
    const Type type = inst.src[i].type;
    if (type == Type::F32) return c;  // the sum of a dot product
    if (type != Type::PkF16 && type != Type::PkI16 && type != Type::PkU16) return {};
    c.low_from_high = inst.op_sel >> i & 1;
    c.high_from_high = inst.op_sel_hi >> i & 1;
    c.swizzle = c.low_from_high || !c.high_from_high;
    c.neg_high = inst.neg_hi >> i & 1;
    c.sign_bit = 15;
    return c;
}

SourceChange change_of(const Inst& inst, unsigned i) {
    if (inst.src[i].kind == isa::Operand::Kind::None || is_lane_mask(inst, i)) return {};
    if (inst.format == Format::VOP3P) return packed_change(inst, i);
    SourceChange c;
    if (inst.encoding == Encoding::Sdwa && i < 2) {
        c.sdwa_select = inst.sdwa.src_sel[i];
        c.sdwa_extend_sign = inst.sdwa.src_sext[i];
    }
    c.dpp = inst.encoding == Encoding::Dpp && i == 0;
    c.high_half = inst.op_sel >> i & 1 && is_16_bit(inst.src[i].type) && !selects_byte(inst);
    c.abs = inst.abs >> i & 1;
    c.neg = inst.neg >> i & 1;
    c.sign_bit = sign_bit(inst, inst.src[i].type);
    return c;
}

VectorModifiers::Result result_change(const Inst& inst) {
    const bool vector = inst.dst.kind == isa::Operand::Kind::Vgpr;
    VectorModifiers::Result r;
    r.scale_or_clamp = vector && (inst.omod || inst.clamp) && is_float(inst.dst.type);
    r.sdwa = vector && inst.encoding == Encoding::Sdwa && inst.sdwa.dst_sel != 6;
    r.high_half = vector && inst.format != Format::VOP3P && (inst.op_sel & 8) && !selects_byte(inst);
    return r;
}

// One copy of each combination that occurs, kept for good: there are few.
const VectorModifiers* modifiers_of(const Inst& inst) {
    static std::mutex mutex;
    static std::deque<VectorModifiers> known;
    VectorModifiers m;
    for (unsigned i = 0; i < 3; ++i) {
        m.source[i] = change_of(inst, i);
        m.wide[i] = inst.src[i].dwords == 2;
    }
    m.result = result_change(inst);
    if (inst.encoding == Encoding::Dpp) m.dpp = dpp_lanes(inst.dpp);
    const std::lock_guard lock(mutex);
    const auto found = std::find(known.begin(), known.end(), m);
    return found != known.end() ? &*found : &known.emplace_back(m);
}

Src in_place(const VReg* reg) {
    Src src;
    src.kind = Src::Kind::Const;
    src.splat = reg;
    return src;
}

// Applies the changes of all sources: `inner` reads copies instead.
void change_sources(Wave& wave, const Op* op, Op& inner, std::uint64_t valid, VReg (*copies)[2]) {
    const VectorModifiers& m = *op->modifiers;
    for (unsigned i = 0; i < 3; ++i) {
        const SourceChange& c = m.source[i];
        if (!c.any()) continue;
        VReg space[2];
        const VReg* from = m.wide[i] ? source64(wave, op->src[i], space) : source(wave, op->src[i], space);
        for (unsigned n = 0; n <= unsigned{m.wide[i]}; ++n) {
            if (c.dpp)
                permute_lanes(copies[i][n], from[n], *m.dpp, valid);
            else if (c.sdwa_select != 6)
                select_part(copies[i][n], from[n], c.sdwa_select, c.sdwa_extend_sign);
            else
                copies[i][n] = from[n];
        }
        change_bits(copies[i], c);
        inner.src[i] = in_place(copies[i]);
    }
}

// Runs the operation so that its result lands in `result` instead of in the register file.
void run_into(Wave& wave, const Op* op, Op& inner, VReg* result, unsigned registers) {
    VReg* const file = wave.v;
    for (Src& src : inner.src)
        if (src.kind == Src::Kind::Vgpr) src = in_place(file + src.reg);
    for (unsigned n = 0; n < registers; ++n) result[n] = file[op->dst + n];
    wave.v = result;
    inner.dst = 0;
    inner.fn(wave, &inner);
    wave.v = file;
}

const Op* modified(Wave& wave, const Op* op) {
    const Inst& inst = *op->inst;
    const VectorModifiers& m = *op->modifiers;
    Op inner = *op;
    inner.fn = op->base;
    VReg copies[3][2];
    const std::uint64_t exec = wave.exec();
    std::uint64_t valid = 0;
    if (m.dpp) {
        valid = m.dpp->valid_under(exec);
        // Lanes whose source is invalid are not written, unless bound_ctrl gives them 0.
        wave.set_exec(exec & m.dpp->enabled & (inst.dpp.bound_ctrl ? kAllLanes : valid));
    }
    change_sources(wave, op, inner, valid, copies);
    if (m.result.any()) {
        const unsigned registers = inst.dst.dwords;
        VReg result[2];
        run_into(wave, op, inner, result, registers);
        if (m.result.scale_or_clamp) scale_and_clamp(wave, inst, result);
        if (m.result.sdwa) place_part(result[0], wave.v[op->dst], inst.sdwa);
        if (m.result.high_half) place_high(result[0], wave.v[op->dst]);
        blend(wave, op->dst, result, registers);
    } else {
        inner.fn(wave, &inner);
    }
    if (m.dpp) wave.set_exec(exec);
    return op + 1;
}

// The common case: only the signs of single- or double-precision sources change.
const Op* with_signs(Wave& wave, const Op* op) {
    const Inst& inst = *op->inst;
    Op inner = *op;
    inner.fn = op->base;
    VReg copies[3][2];
    for (unsigned i = 0; i < 3; ++i) {
        const bool abs = inst.abs >> i & 1, neg = inst.neg >> i & 1;
        if (!abs && !neg) continue;
        const bool wide = inst.src[i].dwords == 2;
        VReg space[2];
        const VReg* from = wide ? source64(wave, op->src[i], space) : source(wave, op->src[i], space);
        const std::uint32_t keep = abs ? 0x7fffffffu : ~0u, flip = neg ? 0x80000000u : 0;
        if (wide) copies[i][0] = from[0];
#pragma GCC unroll 8
        for (unsigned k = 0; k < kBlocks; ++k) store(copies[i][wide], k, (load<VU>(from[wide], k) & keep) ^ flip);
        inner.src[i] = in_place(copies[i]);
    }
    inner.fn(wave, &inner);
    return op + 1;
}

// v_pk_*_f32: neg and neg_hi belong to whichever register op_sel chose for the low and high result.
const Op* with_pair_signs(Wave& wave, const Op* op) {
    const Inst& inst = *op->inst;
    Op inner = *op;
    inner.fn = op->base;
    VReg copies[3][2];
    for (unsigned i = 0; i < 3; ++i) {
        if (op->src[i].kind == Src::Kind::None) continue;
        VReg space[2];
        const VReg* from = source64(wave, op->src[i], space);
        const std::uint32_t flips[2] = {inst.neg >> i & 1 ? 0x80000000u : 0, inst.neg_hi >> i & 1 ? 0x80000000u : 0};
        const unsigned select[2] = {inst.op_sel >> i & 1u, inst.op_sel_hi >> i & 1u};
        for (unsigned half = 0; half < 2; ++half)
            for (unsigned k = 0; k < kBlocks; ++k)
                store(copies[i][half], k, load<VU>(from[select[half]], k) ^ flips[half]);
        inner.src[i] = in_place(copies[i]);
    }
    inner.sdst = 0x70;  // op_sel as if nothing had been selected
    if (!result_change(inst).any()) {
        inner.fn(wave, &inner);
        return op + 1;
    }
    VReg result[2];
    run_into(wave, op, inner, result, 2);
    scale_and_clamp(wave, inst, result);
    blend(wave, op->dst, result, 2);
    return op + 1;
}

}  // namespace

bool only_signs(const Inst& inst) {
    if (inst.format == isa::Format::VOP3P || inst.encoding == Encoding::Dpp || inst.encoding == Encoding::Sdwa)
        return false;
    if (inst.op_sel || result_change(inst).any()) return false;
    for (unsigned i = 0; i < 3; ++i)
        if ((inst.neg | inst.abs) >> i & 1 && is_16_bit(inst.src[i].type)) return false;
    return (inst.neg | inst.abs) != 0;
}

Handler with_modifiers(Op& op) {
    const Inst& inst = *op.inst;
    if (is_pair_of_singles(inst))
        return inst.neg || inst.neg_hi || result_change(inst).any() ? with_pair_signs : op.base;
    if (only_signs(inst)) return with_signs;
    op.modifiers = modifiers_of(inst);
    const VectorModifiers& m = *op.modifiers;
    const bool any = m.dpp || m.result.any() || m.source[0].any() || m.source[1].any() || m.source[2].any();
    return any ? modified : op.base;
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
