// Chooses handlers for vector ALU instructions.
#include "sim/exec/valu/modifiers.h"
#include "sim/exec/valu/table.h"

namespace vrocm::sim::VROCM_SIMD_NS {

const Table& table() {
    static const Table all = [] {
        Table t;
        add_moves(t);
        add_integer(t);
        add_integer16(t);
        add_integer64(t);
        add_carry(t);
        add_bytes(t);
        add_packed(t);
        add_dot(t);
        add_f32(t);
        add_f64(t);
        add_f16(t);
        add_minmax(t);
        add_rounding(t);
        add_convert(t);
        add_convert_fp8(t);
        add_transcendental(t);
        add_trig_preop(t);
        add_division(t);
        add_compare_float(t);
        add_compare_integer(t);
        return t;
    }();
    return all;
}

namespace {

bool is_float(isa::Type type) {
    using isa::Type;
    return type == Type::F16 || type == Type::F32 || type == Type::F64 || type == Type::PkF16 || type == Type::PkF32;
}

Handler lower(Op& op) {
    const isa::Inst& inst = *op.inst;
    const Entry& entry = table()[inst.op];
    op.base = entry.plain;
    if (inst.clamp && !is_float(inst.dst.type) && !entry.clamp_has_no_effect) op.base = entry.saturating;
    if (!op.base) return nullptr;
    if (entry.old_dst < 4) {
        op.src[entry.old_dst] = Src{};
        op.src[entry.old_dst].kind = Src::Kind::Vgpr;
        op.src[entry.old_dst].reg = op.dst;
    }
    if (entry.signs && op.base == entry.plain && only_signs(inst)) {
        const auto bits = static_cast<std::uint16_t>(inst.neg | inst.abs << 4);
        (inst.sdst.kind == isa::Operand::Kind::None ? op.sdst : op.dst) = bits;
        return entry.signs;
    }
    // Instructions without a scalar destination whose handlers look at op_sel find it in its place.
    if (inst.sdst.kind == isa::Operand::Kind::None)
        op.sdst = static_cast<std::uint16_t>(inst.op_sel | inst.op_sel_hi << 4);
    return with_modifiers(op);
}

}  // namespace
}  // namespace vrocm::sim::VROCM_SIMD_NS

namespace vrocm::sim {

Handler lower_valu(Op& op) {
    return VROCM_SIMD_NS::lower(op);
}

}  // namespace vrocm::sim
