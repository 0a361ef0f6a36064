// VOP3P: packed, mixed-precision and dot-product instructions; matrix instructions (VOP3P-MAI).
#include "isa/decoder.h"
#include "isa/traits.h"

namespace vrocm::isa {
namespace {

bool has_op_sel(const Row& r, Op op, Arch arch) {
    if (!(r.info.flags & flag::Dot)) return true;
    bool dot2 = op == Op::v_dot2_f32_f16 || op == Op::v_dot2_i32_i16 || op == Op::v_dot2_u32_u16;
    return dot2 && traits(arch).dot2_selects_halves;
}

}  // namespace

bool decode_vop3p(const Code& code, Inst& inst) {
    std::uint64_t word = code.word;
    if (!begin(code, inst, Format::VOP3P, bits(word, 22, 16))) return false;
    if (inst.format == Format::MFMA) return decode_mfma(code, inst);
    const Row& r = row(inst.op);
    unsigned count = r.sources(), used = (1u << count) - 1;
    bool mix = r.info.flags & flag::MixPrecision;

    unsigned neg_hi = bits(word, 10, 8), neg = bits(word, 63, 61), op_sel = bits(word, 13, 11);
    unsigned op_sel_hi = bits(word, 60, 59) | static_cast<unsigned>(bit(word, 14)) << 2;
    // Unused sources have their op_sel_hi bit set, the default, and every other bit clear.
    if (((neg_hi | neg | op_sel) & ~used) || (~op_sel_hi & 7 & ~used)) return false;
    if (!has_op_sel(r, inst.op, code.arch) && (op_sel != 0 || op_sel_hi != 7)) return false;
    inst.clamp = bit(word, 15);
    inst.neg = static_cast<std::uint8_t>(neg);
    (mix ? inst.abs : inst.neg_hi) = static_cast<std::uint8_t>(neg_hi);
    inst.op_sel = static_cast<std::uint8_t>(op_sel);
    inst.op_sel_hi = static_cast<std::uint8_t>(op_sel_hi & used);

    if (!vgpr_operand(bits(word, 7, 0), r.dst(), false, inst.dst)) return false;
    for (unsigned i = 0; i < 3; ++i) {
        unsigned field = bits(word, 40 + 9 * i, 32 + 9 * i);
        if (i >= count) {
            if (field != 0) return false;
            continue;
        }
        Type type = mix && (op_sel_hi >> i & 1) ? Type::F16 : r.src(i);
        if (!source_operand(field, type, kAnySource, inst.src[i])) return false;
    }
    return constant_bus_ok(inst, false);
}

namespace {

// v_accvgpr_read_b32 and v_accvgpr_write_b32 carry the VOP3P default of op_sel_hi.
bool decode_accumulation_move(const Code& code, const Row& r, Inst& inst) {
    std::uint64_t word = code.word;
    if (bits(word, 15, 8) != 0x40 || bits(word, 63, 41) != 0b11 << 18) return false;
    unsigned src = bits(word, 40, 32);
    bool write = inst.op == Op::v_accvgpr_write_b32;
    if (!vgpr_operand(bits(word, 7, 0), r.dst(), write, inst.dst)) return false;
    if (write) return source_operand(src, r.src(0), kAnySource, inst.src[0]);
    return src >= enc::vgpr && vgpr_operand(src - enc::vgpr, r.src(0), true, inst.src[0]);
}

bool overlaps_partially(const Operand& a, const Operand& b) {
    if (!b.is_register() || a.kind != b.kind || a.reg == b.reg) return false;
    return a.reg < b.reg + b.dwords && b.reg < a.reg + a.dwords;
}

bool matrix_addend(unsigned field, const Row& r, bool accumulation, Operand& out) {
    if (field >= enc::vgpr) return vgpr_operand(field - enc::vgpr, r.src(2), accumulation, out);
    if (!source_operand(field, r.src(2), Allow{.vgpr = false, .sgpr = false, .special = false}, out)) return false;
    if (r.info.flags & flag::Double) out.value = inline_constant(field, Type::F64);
    return true;
}

}  // namespace

bool decode_mfma(const Code& code, Inst& inst) {
    std::uint64_t word = code.word;
    const Row& r = row(inst.op);
    if (r.info.flags & flag::AccMove) return decode_accumulation_move(code, r, inst);
    bool sparse = r.info.flags & flag::Sparse;
    bool accumulation = bit(word, 15);
    inst.cbsz = static_cast<std::uint8_t>(bits(word, 10, 8));
    inst.abid = static_cast<std::uint8_t>(bits(word, 14, 11));
    inst.blgp = static_cast<std::uint8_t>(bits(word, 63, 61));
    unsigned a = bits(word, 40, 32), b = bits(word, 49, 41), c = bits(word, 58, 50);
    if (a < enc::vgpr || b < enc::vgpr || (sparse && (c < enc::vgpr || inst.blgp))) return false;
    if (!vgpr_operand(bits(word, 7, 0), r.dst(), accumulation, inst.dst) ||
        !vgpr_operand(a - enc::vgpr, r.src(0), bit(word, 59), inst.src[0]) ||
        !vgpr_operand(b - enc::vgpr, r.src(1), bit(word, 60), inst.src[1]) ||
        !matrix_addend(c, r, accumulation && !sparse, inst.src[2])) {
        return false;
    }
    // Results are written while larger matrices are still being read: the addend must be the
    // destination itself or apart from it.
    return sparse || inst.dst.dwords <= 4 || !overlaps_partially(inst.dst, inst.src[2]);
}

}  // namespace vrocm::isa
