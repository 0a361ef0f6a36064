// VOP1, VOP2 and VOPC in their short forms, with DPP and SDWA, and VOP3.
#include "isa/decoder.h"

namespace vrocm::isa {
namespace {

struct ShortFields {
    unsigned src0;  // 9 bits; 249 and 250 announce SDWA and DPP
    unsigned src1;  // VGPR number, VOP2 and VOPC only
    unsigned vdst;  // zero for VOPC
};

bool wide(Type type) {
    return dwords(type) > 1;
}

// Is any vector operand wider than a dword? (src[2] of carry-in instructions is a lane mask.)
bool has_wide_operand(const Row& r) {
    unsigned n = r.info.flags & flag::ReadsVcc ? 2 : 3;
    bool result = wide(r.dst());
    for (unsigned i = 0; i < n; ++i) result = result || wide(r.src(i));
    return result;
}

// Which sources take neg and abs: floating-point ones, and the values v_cndmask_b32 selects from.
unsigned modifiable_sources(const Row& r, Op op) {
    unsigned mask = op == Op::v_cndmask_b32 ? 3 : 0;
    for (unsigned i = 0; i < 3; ++i) mask |= static_cast<unsigned>(is_float(r.src(i))) << i;
    return mask;
}

bool vector_destination(const Row& r, unsigned field, Inst& inst) {
    if (r.dst() == Type::None) return field == 0;
    if (r.info.flags & flag::ScalarDst) return field != sreg::m0 && sgpr_operand(field, r.dst(), inst.dst);
    return vgpr_operand(field, r.dst(), inst.op == Op::v_accvgpr_mov_b32, inst.dst);
}

bool valid_dpp_control(unsigned ctrl) {
    unsigned low = ctrl & 0xf;
    switch (ctrl >> 4) {
        case 0x10:  // row_shl
        case 0x11:  // row_shr
        case 0x12:  // row_ror
            return low != 0;
        case 0x13:  // wave_shl, wave_rol, wave_shr, wave_ror
            return low % 4 == 0;
        case 0x14:  // row_mirror, row_half_mirror, row_bcast:15, row_bcast:31
            return low <= 3;
        case 0x15:  // row_newbcast
            return true;
        default:  // quad_perm
            return ctrl < 0x100;
    }
}

bool is_newbcast(unsigned ctrl) {
    return ctrl >> 4 == 0x15;
}

bool decode_dpp(const Code& code, const Row& r, Inst& inst) {
    std::uint32_t word = code.high();
    inst.dpp.ctrl = static_cast<std::uint16_t>(bits(word, 16, 8));
    inst.dpp.bound_ctrl = bit(word, 19);
    inst.dpp.bank_mask = static_cast<std::uint8_t>(bits(word, 27, 24));
    inst.dpp.row_mask = static_cast<std::uint8_t>(bits(word, 31, 28));
    inst.neg = static_cast<std::uint8_t>(bit(word, 20) | bit(word, 22) << 1);
    inst.abs = static_cast<std::uint8_t>(bit(word, 21) | bit(word, 23) << 1);
    if (bits(word, 18, 17) != 0 || !valid_dpp_control(inst.dpp.ctrl)) return false;
    if (has_wide_operand(r) && !is_newbcast(inst.dpp.ctrl)) return false;
    return vgpr_operand(bits(word, 7, 0), r.src(0), false, inst.src[0]);
}

bool sdwa_source(unsigned field, bool scalar, Type type, Operand& out) {
    // The assembler has no spelling for 1/(2*pi) as a 16-bit integer here.
    bool integer_16 = type == Type::I16 || type == Type::U16 || type == Type::B16;
    if (scalar && field == enc::float_last && integer_16) return false;
    return scalar ? source_operand(field, type, Allow{.vgpr = false}, out) : vgpr_operand(field, type, false, out);
}

bool valid_select(unsigned select) {
    return select <= 6;
}

// Conversions from 8-bit floats have no destination select: the bits hold its default.
bool has_destination_select(const Row& r, Op op) {
    return r.info.format != Format::VOPC && op != Op::v_cvt_f32_fp8 && op != Op::v_cvt_f32_bf8 &&
           op != Op::v_cvt_pk_f32_fp8 && op != Op::v_cvt_pk_f32_bf8;
}

bool decode_sdwa(const Code& code, const Row& r, Inst& inst) {
    std::uint32_t word = code.high();
    bool compare = inst.format == Format::VOPC;
    Sdwa& sdwa = inst.sdwa;
    if (compare) {
        if (bit(word, 15)) {
            if (!sgpr_operand(bits(word, 14, 8), Type::B64, inst.sdst)) return false;
            if (inst.sdst.reg == sreg::vcc_lo) return false;  // written as the default instead
        } else if (bits(word, 14, 8) != 0) {
            return false;
        }
    } else {
        sdwa.dst_sel = static_cast<std::uint8_t>(bits(word, 10, 8));
        sdwa.dst_unused = static_cast<std::uint8_t>(bits(word, 12, 11));
        inst.clamp = bit(word, 13);
        inst.omod = static_cast<std::uint8_t>(bits(word, 15, 14));
        if (!valid_select(sdwa.dst_sel) || sdwa.dst_unused > 2) return false;
        if (!has_destination_select(r, inst.op) && (sdwa.dst_sel != 6 || sdwa.dst_unused != 0)) return false;
        if (inst.omod && !((r.info.flags & flag::Omod) && (is_float(r.dst()) || r.dst() == Type::PkF32))) return false;
    }
    bool integer_sext = has_destination_select(r, inst.op) || compare;
    unsigned sources = inst.format == Format::VOP1 ? 1 : 2;
    for (unsigned i = 0; i < 2; ++i) {
        unsigned shift = i * 8;
        sdwa.src_sel[i] = static_cast<std::uint8_t>(bits(word >> shift, 18, 16));
        sdwa.src_sext[i] = bit(word >> shift, 19);
        inst.neg |= static_cast<std::uint8_t>(bit(word >> shift, 20) << i);
        inst.abs |= static_cast<std::uint8_t>(bit(word >> shift, 21) << i);
        if (bit(word >> shift, 22)) return false;
        if (i >= sources) {  // the second half of the fields is unused, its select zero
            if (bits(word, 31, 24) != 0) return false;
            sdwa.src_sel[i] = 6;
            continue;
        }
        // A pair of halves has no modifiers here: LLVM neither prints nor documents any.
        bool changed = sdwa.src_sext[i] || (inst.neg | inst.abs) >> i & 1;
        if (r.src(i) == Type::PkF16 && changed) return false;
        bool modifiable = modifiable_sources(r, inst.op) >> i & 1;
        if (!valid_select(sdwa.src_sel[i]) || (sdwa.src_sext[i] && (modifiable || !integer_sext))) return false;
    }
    if (!sdwa_source(bits(word, 7, 0), bit(word, 23), r.src(0), inst.src[0])) return false;
    return sources == 1 || sdwa_source(bits(code.low(), 16, 9), bit(word, 31), r.src(1), inst.src[1]);
}

bool plain_sources(const Code& code, const Row& r, ShortFields f, Inst& inst) {
    if (inst.op == Op::v_accvgpr_mov_b32) {
        return f.src0 >= enc::vgpr && vgpr_operand(f.src0 - enc::vgpr, r.src(0), true, inst.src[0]);
    }
    bool vgpr_only = inst.op == Op::v_swap_b32 || inst.op == Op::v_readfirstlane_b32;
    bool constant_k = r.info.flags & flag::LiteralK;
    if (r.src(0) == Type::None) return f.src0 == 0;
    if (!source_operand(f.src0, r.src(0), vgpr_only ? kVgprOnly : kSourceOrLiteral, inst.src[0])) return false;
    if (inst.format == Format::VOP1) return take_literal(code, 4, inst);
    if (!constant_k) {
        return vgpr_operand(f.src1, r.src(1), false, inst.src[1]) && take_literal(code, 4, inst);
    }
    bool literal_last = inst.op == Op::v_fmaak_f32 || inst.op == Op::v_madak_f32 || inst.op == Op::v_madak_f16;
    return vgpr_operand(f.src1, r.src(1), false, inst.src[literal_last ? 1 : 2]) &&
           source_operand(enc::literal, r.src(2), kSourceOrLiteral, inst.src[literal_last ? 2 : 1]) &&
           take_literal(code, 4, inst);
}

bool decode_short(const Code& code, Inst& inst, ShortFields f) {
    const Row& r = row(inst.op);
    std::uint64_t flags = r.info.flags;
    if (!vector_destination(r, f.vdst, inst)) return false;
    if (flags & flag::WritesVcc) inst.sdst = vcc_operand();
    if (f.src0 == enc::sdwa || f.src0 == enc::dpp) {
        bool dpp = f.src0 == enc::dpp;
        inst.encoding = dpp ? Encoding::Dpp : Encoding::Sdwa;
        inst.size = 8;
        if (code.dwords < 2 || (flags & flag::LiteralK)) return false;
        if (dpp) {
            if ((flags & flag::NoDpp) || inst.format == Format::VOPC || !decode_dpp(code, r, inst)) return false;
            if (inst.format != Format::VOP1 && !vgpr_operand(f.src1, r.src(1), false, inst.src[1])) return false;
        } else {
            bool too_wide = has_wide_operand(r) && r.dst() != Type::PkF32;
            if ((flags & flag::NoSdwa) || too_wide || !decode_sdwa(code, r, inst)) return false;
        }
        if ((inst.neg | inst.abs) & ~modifiable_sources(r, inst.op)) return false;
    } else if (!plain_sources(code, r, f, inst)) {
        return false;
    }
    if (inst.format == Format::VOP2 && (flags & flag::ReadsVcc)) inst.src[2] = vcc_operand();
    return constant_bus_ok(inst, false);
}

}  // namespace

bool decode_vop1(const Code& code, Inst& inst) {
    std::uint32_t word = code.low();
    return begin(code, inst, Format::VOP1, bits(word, 16, 9)) &&
           decode_short(code, inst, {bits(word, 8, 0), 0, bits(word, 24, 17)});
}

bool decode_vop2(const Code& code, Inst& inst) {
    std::uint32_t word = code.low();
    return begin(code, inst, Format::VOP2, bits(word, 30, 25)) &&
           decode_short(code, inst, {bits(word, 8, 0), bits(word, 16, 9), bits(word, 24, 17)});
}

bool decode_vopc(const Code& code, Inst& inst) {
    std::uint32_t word = code.low();
    return begin(code, inst, Format::VOPC, bits(word, 24, 17)) &&
           decode_short(code, inst, {bits(word, 8, 0), bits(word, 16, 9), 0});
}

namespace {

// Finds the instruction of a VOP3 opcode: its own, or that of a short format in its long form.
bool begin_vop3(const Code& code, Inst& inst, unsigned opcode) {
    if (opcode >= 0x1c0) return begin(code, inst, Format::VOP3, opcode);
    inst.encoding = Encoding::E64;
    bool found = opcode < 0x100   ? begin(code, inst, Format::VOPC, opcode)
                 : opcode < 0x140 ? begin(code, inst, Format::VOP2, opcode - 0x100)
                                  : begin(code, inst, Format::VOP1, opcode - 0x140);
    return found && !has(inst.op, flag::NoE64 | flag::LiteralK);
}

bool vop3_source(const Row& r, Op op, unsigned index, unsigned field, Operand& out) {
    Type type = r.src(index);
    if (type == Type::None) return field == 0;
    if (index == 2 && (r.info.flags & flag::ReadsVcc)) return source_operand(field, type, kSgprOnly, out);
    Allow allow = kAnySource;
    if (op == Op::v_readlane_b32) {
        allow = index == 0 ? kVgprOnly : Allow{.vgpr = false, .special = false};
    } else if (op == Op::v_writelane_b32) {
        allow = Allow{.vgpr = false, .special = index == 0};
    } else if (op == Op::v_mqsad_u32_u8 && index == 2) {
        allow = kVgprOnly;
    }
    return source_operand(field, type, allow, out);
}

bool vop3_modifiers_ok(const Row& r, const Inst& inst) {
    std::uint64_t flags = r.info.flags;
    if (inst.clamp && !(flags & flag::Clamp)) return false;
    if (inst.omod && !(flags & flag::Omod)) return false;
    if ((inst.neg | inst.abs) & ~modifiable_sources(r, inst.op)) return false;
    if (!inst.op_sel) return true;
    // v_cvt_sr_* name a destination byte with the bits of the third source and of the destination.
    bool byte_select = inst.op == Op::v_cvt_sr_fp8_f32 || inst.op == Op::v_cvt_sr_bf8_f32;
    bool third = r.sources() > 2 || byte_select;
    return (flags & flag::OpSel) && (third || !(inst.op_sel & 4));
}

}  // namespace

bool decode_vop3(const Code& code, Inst& inst) {
    std::uint64_t word = code.word;
    if (!begin_vop3(code, inst, bits(word, 25, 16))) return false;
    const Row& r = row(inst.op);
    std::uint64_t flags = r.info.flags;
    unsigned vdst = bits(word, 7, 0);
    if (inst.format == Format::VOPC) {
        if (!sgpr_operand(vdst, Type::B64, inst.sdst)) return false;
    } else if (!vector_destination(r, vdst, inst)) {
        return false;
    }
    if ((flags & flag::WritesVcc) && inst.format != Format::VOPC) {  // VOP3B: a scalar destination, no abs
        if (!sgpr_operand(bits(word, 14, 8), Type::B64, inst.sdst)) return false;
    } else {
        inst.abs = static_cast<std::uint8_t>(bits(word, 10, 8));
        inst.op_sel = static_cast<std::uint8_t>(bits(word, 14, 11));
    }
    inst.clamp = bit(word, 15);
    inst.omod = static_cast<std::uint8_t>(bits(word, 60, 59));
    inst.neg = static_cast<std::uint8_t>(bits(word, 63, 61));
    for (unsigned i = 0; i < 3; ++i) {
        if (!vop3_source(r, inst.op, i, bits(word, 40 + 9 * i, 32 + 9 * i), inst.src[i])) return false;
    }
    if (!vop3_modifiers_ok(r, inst)) return false;
    if (inst.op == Op::v_writelane_b32 && inst.src[1].reg == sreg::m0 && inst.src[1].kind == Operand::Kind::Sgpr) {
        return true;  // the lane number in M0 does not use the constant bus
    }
    bool implicit_vcc = flags & flag::ImplicitVcc;
    if (!constant_bus_ok(inst, implicit_vcc)) return false;
    if (implicit_vcc) inst.src[3] = vcc_operand();
    return true;
}

}  // namespace vrocm::isa
