// Vector ALU and matrix instructions as text.
#include "isa/decoder.h"
#include "isa/text/printer.h"
#include "isa/traits.h"

namespace vrocm::isa {
namespace {

// Instructions with a single encoding are written without a suffix.
std::string_view encoding_suffix(const Inst& inst, const Row& r) {
    switch (inst.encoding) {
        case Encoding::E64:
            return "_e64";
        case Encoding::Dpp:
            return "_dpp";
        case Encoding::Sdwa:
            return "_sdwa";
        default:
            break;
    }
    bool single = inst.format == Format::VOP3 || (r.info.flags & (flag::NoE64 | flag::LiteralK));
    return single ? "" : "_e32";
}

}  // namespace

void Printer::valu() {
    text_ += encoding_suffix(inst_, row_);
    if (inst_.dst.kind != Operand::Kind::None) operand(inst_.dst);
    if (inst_.sdst.kind != Operand::Kind::None) operand(inst_.sdst);
    for (unsigned i = 0; i < row_.sources(); ++i) operand(modified_source(i));
    valu_modifiers();
}

void Printer::valu_modifiers() {
    static constexpr std::string_view output[4] = {"", "mul:2", "mul:4", "div:2"};
    if (inst_.encoding == Encoding::Dpp) return dpp_modifiers();
    if (inst_.op_sel) {
        bool byte_select = inst_.op == Op::v_cvt_sr_fp8_f32 || inst_.op == Op::v_cvt_sr_bf8_f32;
        unsigned sources = byte_select ? 3 : row_.sources();
        unsigned low = inst_.op_sel & ((1u << sources) - 1);
        number_list("op_sel", low | (inst_.op_sel >> 3 & 1u) << sources, sources + 1);
    }
    modifier_if(inst_.clamp, "clamp");
    modifier_if(inst_.omod != 0, output[inst_.omod]);
    if (inst_.encoding == Encoding::Sdwa) sdwa_modifiers();
}

void Printer::dpp_modifiers() {
    modifier(dpp_control_text(inst_.dpp.ctrl));
    modifier("row_mask:" + hex(inst_.dpp.row_mask));
    modifier("bank_mask:" + hex(inst_.dpp.bank_mask));
    modifier_if(inst_.dpp.bound_ctrl, "bound_ctrl:1");
}

void Printer::sdwa_modifiers() {
    static constexpr std::string_view selects[7] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                                    "WORD_0", "WORD_1", "DWORD"};
    static constexpr std::string_view unused[3] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
    auto select = [&](std::string_view name, unsigned value) {
        modifier(std::string{name} + ':' + std::string{selects[value]});
    };
    bool from_8_bit_float = inst_.op == Op::v_cvt_f32_fp8 || inst_.op == Op::v_cvt_f32_bf8 ||
                            inst_.op == Op::v_cvt_pk_f32_fp8 || inst_.op == Op::v_cvt_pk_f32_bf8;
    if (inst_.format != Format::VOPC && !from_8_bit_float) {
        select("dst_sel", inst_.sdwa.dst_sel);
        modifier("dst_unused:" + std::string{unused[inst_.sdwa.dst_unused]});
    }
    select("src0_sel", inst_.sdwa.src_sel[0]);
    if (inst_.format != Format::VOP1) select("src1_sel", inst_.sdwa.src_sel[1]);
}

void Printer::packed() {
    unsigned count = row_.sources(), all = (1u << count) - 1;
    bool mix = has(flag::MixPrecision);
    operand(inst_.dst);
    for (unsigned i = 0; i < count; ++i) operand(mix ? modified_source(i) : text_of(inst_.src[i]));
    if (inst_.op_sel) number_list("op_sel", inst_.op_sel, count);
    if (inst_.op_sel_hi != (mix ? 0 : all)) number_list("op_sel_hi", inst_.op_sel_hi, count);
    if (!mix && inst_.neg) number_list("neg_lo", inst_.neg, count);
    if (inst_.neg_hi) number_list("neg_hi", inst_.neg_hi, count);
    modifier_if(inst_.clamp, "clamp");
}

void Printer::matrix() {
    operand(inst_.dst);
    for (unsigned i = 0; i < row_.sources(); ++i) operand(inst_.src[i]);
    if (has(flag::AccMove)) return;
    modifier_if(inst_.cbsz != 0, "cbsz:" + std::to_string(inst_.cbsz));
    modifier_if(inst_.abid != 0, "abid:" + std::to_string(inst_.abid));
    if (!inst_.blgp) return;
    // Double-precision matrices negate their inputs with the field that others permute B with.
    if (has(flag::Double) && traits(arch_).double_matrix_negates) {
        number_list("neg", inst_.blgp, 3);
    } else {
        modifier("blgp:" + std::to_string(inst_.blgp));
    }
}

}  // namespace vrocm::isa
