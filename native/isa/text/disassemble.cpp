// Instructions as text: the syntax the LLVM assembler prints and accepts.
#include "isa/decoder.h"
#include "isa/text/printer.h"
#include "isa/traits.h"

namespace vrocm::isa {

void Printer::operand(std::string_view text) {
    text_ += first_operand_ ? " " : ", ";
    text_ += text;
    first_operand_ = false;
}

void Printer::operand(const Operand& operand) {
    this->operand(text_of(operand));
}

// name:[1,0,...] with one element per bit.
void Printer::number_list(std::string_view name, unsigned mask, unsigned count) {
    std::string list{name};
    list += ":[";
    for (unsigned i = 0; i < count; ++i) {
        if (i) list += ',';
        list += mask >> i & 1 ? '1' : '0';
    }
    modifier(list + ']');
}

void Printer::scalar() {
    if (row_.dst() != Type::None) operand(inst_.dst);
    for (unsigned i = 0; i < row_.sources(); ++i) operand(inst_.src[i]);
    if (inst_.op == Op::s_set_gpr_idx_on) operand(gpr_index_text(static_cast<std::uint32_t>(inst_.imm)));
}

void Printer::sopk() {
    auto immediate16 = static_cast<std::uint32_t>(inst_.imm) & 0xffff;
    switch (inst_.op) {
        case Op::s_setreg_b32:
            operand(hwreg_text(arch_, immediate16));
            operand(inst_.src[0]);
            return;
        case Op::s_setreg_imm32_b32:
            operand(hwreg_text(arch_, immediate16));
            operand(inst_.literal >= 0xfffffff0u ? std::to_string(static_cast<std::int32_t>(inst_.literal))
                                                 : immediate(inst_.literal));
            return;
        default:
            break;
    }
    operand(row_.dst() != Type::None ? inst_.dst : inst_.src[0]);
    if (inst_.op == Op::s_getreg_b32) {
        operand(hwreg_text(arch_, immediate16));
    } else {
        operand(has(flag::Branch) ? std::to_string(immediate16) : hex(immediate16));
    }
}

void Printer::sopp() {
    auto immediate16 = static_cast<std::uint32_t>(inst_.imm) & 0xffff;
    switch (inst_.op) {
        case Op::s_waitcnt:
            return operand(waitcnt_text(immediate16));
        case Op::s_sendmsg:
        case Op::s_sendmsghalt:
            return operand(sendmsg_text(immediate16));
        case Op::s_set_gpr_idx_mode:
            return operand(gpr_index_text(immediate16));
        case Op::s_endpgm:
            if (immediate16 != 0) operand(std::to_string(immediate16));
            return;
        case Op::s_wakeup:
        case Op::s_barrier:
        case Op::s_icache_inv:
        case Op::s_ttracedata:
        case Op::s_endpgm_saved:
        case Op::s_set_gpr_idx_off:
        case Op::s_endpgm_ordered_ps_done:
            return;
        default:
            break;
    }
    operand(has(flag::Branch) ? std::to_string(immediate16) : immediate(immediate16));
}

void Printer::smem() {
    if (inst_.op == Op::s_atc_probe || inst_.op == Op::s_atc_probe_buffer) {
        operand(immediate(inst_.imm));
    } else if (inst_.src[2].kind != Operand::Kind::None) {
        operand(inst_.src[2]);
    } else if (inst_.dst.kind != Operand::Kind::None) {
        operand(inst_.dst);
    }
    if (row_.src(0) == Type::None) return;
    operand(inst_.src[0]);
    std::int64_t offset = inst_.offset;
    std::string offset_text =
        offset < 0 ? '-' + hex(static_cast<std::uint64_t>(-offset)) : hex(static_cast<std::uint64_t>(offset));
    if (inst_.src[1].kind == Operand::Kind::None) {
        operand(offset_text);
    } else {
        operand(inst_.src[1]);
        modifier_if(offset != 0, "offset:" + offset_text);
    }
    modifier_if(inst_.sc0, "glc");
}

void Printer::cache_bits() {
    bool scopes = traits(arch_).scope_bits;
    modifier_if(inst_.sc0, scopes ? "sc0" : "glc");
    modifier_if(inst_.nt, scopes ? "nt" : "slc");
    modifier_if(inst_.sc1, scopes ? "sc1" : "scc");
}

void Printer::ds() {
    if (inst_.dst.kind != Operand::Kind::None) operand(inst_.dst);
    for (unsigned i = 0; i < 3; ++i) {
        if (inst_.src[i].kind != Operand::Kind::None) operand(inst_.src[i]);
    }
    if (has(flag::TwoOffsets)) {
        modifier_if(inst_.offset != 0, "offset0:" + std::to_string(inst_.offset));
        modifier_if(inst_.offset1 != 0, "offset1:" + std::to_string(inst_.offset1));
    } else if (inst_.op == Op::ds_swizzle_b32) {
        modifier_if(inst_.offset != 0, "offset:" + swizzle_text(static_cast<std::uint32_t>(inst_.offset)));
    } else {
        modifier_if(inst_.offset != 0, "offset:" + std::to_string(inst_.offset));
    }
    modifier_if(inst_.gds, "gds");
}

void Printer::flat() {
    if (inst_.dst.kind != Operand::Kind::None) operand(inst_.dst);
    operand(inst_.src[0]);
    if (inst_.src[1].kind != Operand::Kind::None) operand(inst_.src[1]);
    if (inst_.format != Format::FLAT) operand(inst_.src[2]);
    modifier_if(inst_.offset != 0, "offset:" + std::to_string(inst_.offset));
    cache_bits();
    modifier_if(inst_.lds && !has(flag::ToLds), "lds");
}

void Printer::buffer() {
    if (!has(flag::CacheControl)) {
        const Operand& data = inst_.src[1].kind != Operand::Kind::None ? inst_.src[1] : inst_.dst;
        if (data.kind != Operand::Kind::None) operand(data);
        if (!has(flag::FromLds)) operand(inst_.src[0]);
        operand(inst_.src[2]);
        operand(inst_.src[3]);
    }
    if (inst_.format == Format::MTBUF) {
        std::string format = buffer_format_text(inst_.dfmt, inst_.nfmt);
        modifier_if(!format.empty(), format);
    }
    modifier_if(inst_.idxen, "idxen");
    modifier_if(inst_.offen, "offen");
    modifier_if(inst_.offset != 0, "offset:" + std::to_string(inst_.offset));
    bool store_from_lds = has(flag::FromLds);
    modifier_if(store_from_lds, "lds");
    cache_bits();
    modifier_if(inst_.lds && !store_from_lds, "lds");
}

std::string Printer::print() {
    text_ = mnemonic(arch_, inst_.op);
    switch (inst_.format) {
        case Format::SOP1:
        case Format::SOP2:
        case Format::SOPC:
            scalar();
            break;
        case Format::SOPK:
            sopk();
            break;
        case Format::SOPP:
            sopp();
            break;
        case Format::SMEM:
            smem();
            break;
        case Format::VOP1:
        case Format::VOP2:
        case Format::VOPC:
        case Format::VOP3:
            valu();
            break;
        case Format::VOP3P:
            packed();
            break;
        case Format::MFMA:
            matrix();
            break;
        case Format::DS:
            ds();
            break;
        case Format::FLAT:
        case Format::GLOBAL:
        case Format::SCRATCH:
            flat();
            break;
        case Format::MUBUF:
        case Format::MTBUF:
            buffer();
            break;
    }
    return std::move(text_);
}

std::string disassemble(Arch arch, const Inst& inst) {
    return Printer(arch, inst).print();
}

}  // namespace vrocm::isa
