// SOP1, SOP2, SOPK, SOPC, SOPP and SMEM.
#include "isa/decoder.h"

namespace vrocm::isa {
namespace {

// A field an instruction may lack: absent operands must be encoded as zero.
bool scalar_destination(unsigned field, Type type, Operand& out) {
    return type == Type::None ? field == 0 : sgpr_operand(field, type, out);
}

// Jumps to an address and relative moves name a register, nothing else.
Allow allowed_sources(Op op) {
    switch (op) {
        case Op::s_setpc_b64:
        case Op::s_rfe_b64:
        case Op::s_cbranch_join:
        case Op::s_movrels_b32:
        case Op::s_movrels_b64:
            return kSgprOnly;
        case Op::s_cbranch_g_fork:
            return Allow{.vgpr = false};
        default:
            return kScalarSource;
    }
}

bool scalar_source(unsigned field, const Row& r, unsigned index, Inst& inst) {
    Type type = r.src(index);
    return type == Type::None ? field == 0 : source_operand(field, type, allowed_sources(inst.op), inst.src[index]);
}

bool has_immediate(Op op) {
    switch (op) {
        case Op::s_wakeup:
        case Op::s_barrier:
        case Op::s_icache_inv:
        case Op::s_ttracedata:
        case Op::s_endpgm_saved:
        case Op::s_set_gpr_idx_off:
        case Op::s_endpgm_ordered_ps_done:
            return false;
        default:
            return true;
    }
}

}  // namespace

bool decode_sop1(const Code& code, Inst& inst) {
    std::uint32_t word = code.low();
    if (!begin(code, inst, Format::SOP1, bits(word, 15, 8))) return false;
    const Row& r = row(inst.op);
    return scalar_destination(bits(word, 22, 16), r.dst(), inst.dst) && scalar_source(bits(word, 7, 0), r, 0, inst) &&
           take_literal(code, 4, inst);
}

bool decode_sop2(const Code& code, Inst& inst) {
    std::uint32_t word = code.low();
    if (!begin(code, inst, Format::SOP2, bits(word, 29, 23))) return false;
    const Row& r = row(inst.op);
    return scalar_destination(bits(word, 22, 16), r.dst(), inst.dst) && scalar_source(bits(word, 7, 0), r, 0, inst) &&
           scalar_source(bits(word, 15, 8), r, 1, inst) && take_literal(code, 4, inst);
}

bool decode_sopc(const Code& code, Inst& inst) {
    std::uint32_t word = code.low();
    if (!begin(code, inst, Format::SOPC, bits(word, 22, 16))) return false;
    const Row& r = row(inst.op);
    if (!scalar_source(bits(word, 7, 0), r, 0, inst)) return false;
    if (inst.op == Op::s_set_gpr_idx_on) {  // the second source is a mask of four mode bits
        inst.imm = static_cast<std::int32_t>(bits(word, 15, 8));
        return inst.imm < 16 && take_literal(code, 4, inst);
    }
    return scalar_source(bits(word, 15, 8), r, 1, inst) && take_literal(code, 4, inst);
}

bool decode_sopk(const Code& code, Inst& inst) {
    std::uint32_t word = code.low();
    if (!begin(code, inst, Format::SOPK, bits(word, 27, 23))) return false;
    const Row& r = row(inst.op);
    unsigned field = bits(word, 22, 16);
    std::uint32_t immediate = bits(word, 15, 0);
    // Register fields, comparisons of unsigned values and register selectors are not sign-extended.
    bool is_unsigned = r.src(0) == Type::U32 || inst.op == Op::s_getreg_b32 || inst.op == Op::s_setreg_b32 ||
                       inst.op == Op::s_setreg_imm32_b32;
    inst.imm = is_unsigned ? static_cast<std::int32_t>(immediate) : sign_extend(immediate, 16);
    if (inst.op == Op::s_setreg_imm32_b32) {
        return field == 0 && source_operand(enc::literal, Type::B32, kScalarSource, inst.src[0]) &&
               take_literal(code, 4, inst);
    }
    return r.src(0) == Type::None ? scalar_destination(field, r.dst(), inst.dst)
                                  : sgpr_operand(field, r.src(0), inst.src[0]);
}

bool decode_sopp(const Code& code, Inst& inst) {
    std::uint32_t word = code.low();
    if (!begin(code, inst, Format::SOPP, bits(word, 22, 16))) return false;
    std::uint32_t immediate = bits(word, 15, 0);
    inst.imm = has(inst.op, flag::Branch) ? sign_extend(immediate, 16) : static_cast<std::int32_t>(immediate);
    if (inst.op == Op::s_set_gpr_idx_mode) return immediate < 16;
    return has_immediate(inst.op) || immediate == 0;
}

namespace {

// Scalar memory transfers neither EXEC nor M0.
bool smem_data(unsigned field, Type type, Operand& out) {
    return field < sreg::m0 && sgpr_operand(field, type, out);
}

// The address part of SMEM: an immediate, a register, or both.
bool smem_offset(const Code& code, Inst& inst, bool buffer) {
    bool soffset_enable = bit(code.word, 14), immediate = bit(code.word, 17);
    if (!immediate) {
        return !soffset_enable && bits(code.word, 63, 39) == 0 &&
               sgpr_operand(bits(code.word, 38, 32), Type::B32, inst.src[1]);
    }
    inst.offset = sign_extend(bits(code.word, 52, 32), 21);
    inst.imm = inst.offset;
    if (bits(code.word, 56, 53) != 0 || (buffer && inst.offset < 0)) return false;
    if (!soffset_enable) return bits(code.word, 63, 57) == 0;
    return sgpr_operand(bits(code.word, 63, 57), Type::B32, inst.src[1]);
}

// The register an atomic returns the old value in: the data register, one half of it for cmpswap.
Type returned(Op op, Type data) {
    AtomicKind kind = atomic_kind(op);
    if (kind != AtomicKind::CmpSwap) return data;
    return data == Type::B128 ? Type::B64 : Type::B32;
}

}  // namespace

bool decode_smem(const Code& code, Inst& inst) {
    if (!begin(code, inst, Format::SMEM, bits(code.word, 25, 18))) return false;
    const Row& r = row(inst.op);
    unsigned data = bits(code.word, 12, 6), base = bits(code.word, 5, 0) * 2;
    inst.sc0 = bit(code.word, 16);
    if (bit(code.word, 13) || bit(code.word, 15)) return false;
    if (r.dst() != Type::None && !smem_data(data, r.dst(), inst.dst)) return false;
    if (r.src(0) == Type::None) {  // clocks and cache control
        return code.high() == 0 && base == 0 && bits(code.word, 17, 14) == 0 && (r.dst() != Type::None || data == 0);
    }
    if (!sgpr_operand(base, r.src(0), inst.src[0])) return false;
    if (!smem_offset(code, inst, r.src(0) == Type::B128)) return false;
    if (inst.op == Op::s_atc_probe || inst.op == Op::s_atc_probe_buffer) {
        inst.imm = static_cast<std::int32_t>(data);
        return !inst.sc0;
    }
    if (r.src(2) == Type::None) return r.dst() != Type::None || (data == 0 && !inst.sc0);
    if (!smem_data(data, r.src(2), inst.src[2])) return false;
    if (has(inst.op, flag::Atomic) && inst.sc0) return smem_data(data, returned(inst.op, r.src(2)), inst.dst);
    return true;
}

}  // namespace vrocm::isa
