// DS, FLAT with GLOBAL and SCRATCH, MUBUF and MTBUF.
#include "isa/decoder.h"
#include "isa/traits.h"

namespace vrocm::isa {
namespace {

constexpr unsigned kNoSaddr = 0x7f;  // saddr field: "off"

Operand off_operand() {
    return {Operand::Kind::Off};
}

// A vector operand, or a zero field where the instruction has none.
bool vector_field(unsigned field, Type type, bool accumulation, Operand& out) {
    return type == Type::None ? field == 0 : vgpr_operand(field, type, accumulation, out);
}

}  // namespace

bool decode_ds(const Code& code, Inst& inst) {
    std::uint64_t word = code.word;
    if (!begin(code, inst, Format::DS, bits(word, 24, 17))) return false;
    const Row& r = row(inst.op);
    bool accumulation = bit(word, 25), gws = r.info.flags & flag::Gws;
    inst.gds = bit(word, 16);
    if (inst.gds != gws) return false;  // these architectures have no GDS; its bit means global wave sync
    if (r.info.flags & flag::TwoOffsets) {
        inst.offset = static_cast<std::int32_t>(bits(word, 7, 0));
        inst.offset1 = static_cast<std::uint8_t>(bits(word, 15, 8));
    } else {
        inst.offset = static_cast<std::int32_t>(bits(word, 15, 0));
    }
    if (inst.op == Op::ds_nop && inst.offset != 0) return false;
    bool any_data = r.dst() != Type::None || r.src(1) != Type::None || (gws && r.src(0) != Type::None);
    if (accumulation && !any_data) return false;
    if (!vector_field(bits(word, 39, 32), r.src(0), accumulation && gws, inst.src[0]) ||
        !vector_field(bits(word, 47, 40), r.src(1), accumulation, inst.src[1]) ||
        !vector_field(bits(word, 55, 48), r.src(2), accumulation, inst.src[2]) ||
        !vector_field(bits(word, 63, 56), r.dst(), accumulation, inst.dst)) {
        return false;
    }
    return !gws || inst.src[0].kind == Operand::Kind::None || inst.src[0].reg % 2 == 0;
}

namespace {

bool loads_to_lds_by_bit(Op op) {
    switch (op) {
        case Op::global_load_ubyte:
        case Op::global_load_sbyte:
        case Op::global_load_ushort:
        case Op::global_load_sshort:
        case Op::global_load_dword:
        case Op::scratch_load_ubyte:
        case Op::scratch_load_sbyte:
        case Op::scratch_load_ushort:
        case Op::scratch_load_sshort:
        case Op::scratch_load_dword:
            return true;
        default:
            return false;
    }
}

bool flat_address(const Code& code, const Row& r, Inst& inst) {
    std::uint64_t word = code.word;
    unsigned vaddr = bits(word, 39, 32), saddr = bits(word, 54, 48);
    inst.src[2] = off_operand();
    switch (inst.format) {
        case Format::FLAT:
            return saddr == 0 && vgpr_operand(vaddr, Type::B64, false, inst.src[0]);
        case Format::GLOBAL:
            if (saddr == kNoSaddr) return vgpr_operand(vaddr, Type::B64, false, inst.src[0]);
            return saddr != sreg::exec_lo && vgpr_operand(vaddr, Type::B32, false, inst.src[0]) &&
                   sgpr_operand(saddr, r.src(2), inst.src[2]);
        default:
            break;
    }
    bool uses_vaddr = traits(code.arch).scratch_address_bit ? bit(word, 13) : saddr == kNoSaddr;
    if (saddr != kNoSaddr && !sgpr_operand(saddr, r.src(2), inst.src[2])) return false;
    if (uses_vaddr) return vgpr_operand(vaddr, Type::B32, false, inst.src[0]);
    inst.src[0] = off_operand();
    return vaddr == 0;
}

}  // namespace

bool decode_flat(const Code& code, Inst& inst) {
    std::uint64_t word = code.word;
    constexpr Format segments[] = {Format::FLAT, Format::SCRATCH, Format::GLOBAL};
    unsigned segment = bits(word, 15, 14);
    if (segment > 2 || !begin(code, inst, segments[segment], bits(word, 24, 18))) return false;
    const Row& r = row(inst.op);
    bool accumulation = bit(word, 55);
    inst.offset = segment == 0 ? static_cast<std::int32_t>(bits(word, 12, 0)) : sign_extend(bits(word, 12, 0), 13);
    if (segment == 0 && inst.offset >= 4096) return false;
    inst.sc0 = bit(word, 16);
    inst.nt = bit(word, 17);
    inst.sc1 = bit(word, 25);
    inst.lds = r.info.flags & flag::ToLds;
    bool sve = traits(code.arch).scratch_address_bit && inst.format == Format::SCRATCH;
    if (bit(word, 13) && !sve) {
        inst.lds = traits(code.arch).loads_to_lds_by_bit && loads_to_lds_by_bit(inst.op);
        if (!inst.lds) return false;
    }
    if (!flat_address(code, r, inst)) return false;
    bool returns = r.dst() != Type::None && !inst.lds && (!(r.info.flags & flag::Atomic) || inst.sc0);
    if (accumulation && !returns && r.src(1) == Type::None) return false;
    return vector_field(bits(word, 47, 40), r.src(1), accumulation, inst.src[1]) &&
           vector_field(bits(word, 63, 56), returns ? r.dst() : Type::None, accumulation, inst.dst);
}

namespace {

bool has_lds_form(Op op, Arch arch) {
    switch (op) {
        case Op::buffer_load_ubyte:
        case Op::buffer_load_sbyte:
        case Op::buffer_load_ushort:
        case Op::buffer_load_sshort:
        case Op::buffer_load_dword:
            return true;
        case Op::buffer_load_format_x:
            return arch == Arch::gfx90a || arch == Arch::gfx942;
        default:
            return false;
    }
}

// Address, resource and data fields that MUBUF and MTBUF share.
bool buffer_operands(const Code& code, const Row& r, bool no_data, Inst& inst) {
    std::uint64_t word = code.word;
    inst.offset = static_cast<std::int32_t>(bits(word, 11, 0));
    inst.offen = bit(word, 12);
    inst.idxen = bit(word, 13);
    inst.sc0 = bit(word, 14);
    unsigned vaddr = bits(word, 39, 32), vdata = bits(word, 47, 40);
    bool accumulation = bit(word, 55);
    if (inst.offen || inst.idxen) {
        Type type = inst.offen && inst.idxen ? Type::B64 : Type::B32;
        if (!vgpr_operand(vaddr, type, false, inst.src[0])) return false;
    } else {
        inst.src[0] = off_operand();
        if (vaddr != 0) return false;
    }
    if (!sgpr_operand(bits(word, 52, 48) * 4, Type::B128, inst.src[2]) ||
        !source_operand(bits(word, 63, 56), Type::B32, Allow{.vgpr = false}, inst.src[3])) {
        return false;
    }
    if (no_data) return vdata == 0 && !accumulation;
    bool atomic = r.info.flags & flag::Atomic;
    if (r.src(1) != Type::None && !vgpr_operand(vdata, r.src(1), accumulation, inst.src[1])) return false;
    if (r.dst() == Type::None || (atomic && !inst.sc0)) return true;
    return vgpr_operand(vdata, r.dst(), accumulation, inst.dst);
}

// Cache maintenance has no operands; on gfx942 its scope bits are sc0 and sc1. On gfx90a they mean nothing, but
// the compiler sets them in buffer_wbl2.
bool decode_cache_control(const Code& code, Inst& inst) {
    const bool scoped = traits(code.arch).scope_bits;
    const std::uint64_t scope = scoped || inst.op == Op::buffer_wbl2 ? std::uint64_t{0b11} << 14 : 0;
    const std::uint64_t fixed = std::uint64_t{0xfffc0000};
    inst.sc0 = scoped && bit(code.word, 14);
    inst.sc1 = scoped && bit(code.word, 15);
    return (code.word & ~fixed & ~scope) == 0 && !bit(code.word, 25);
}

}  // namespace

bool decode_mubuf(const Code& code, Inst& inst) {
    std::uint64_t word = code.word;
    if (!begin(code, inst, Format::MUBUF, bits(word, 24, 18)) || bit(word, 25)) return false;
    const Row& r = row(inst.op);
    if (r.info.flags & flag::CacheControl) return decode_cache_control(code, inst);
    bool lds_store = r.info.flags & flag::FromLds;
    inst.lds = bit(word, 16);
    if (inst.lds != lds_store && !has_lds_form(inst.op, code.arch)) return false;
    inst.sc1 = bit(word, 15);
    inst.nt = bit(word, 17);
    if (bits(word, 54, 53) != 0 || !buffer_operands(code, r, inst.lds, inst)) return false;
    return !lds_store || (!inst.offen && !inst.idxen);
}

bool decode_mtbuf(const Code& code, Inst& inst) {
    std::uint64_t word = code.word;
    if (!begin(code, inst, Format::MTBUF, bits(word, 18, 15))) return false;
    inst.dfmt = static_cast<std::uint8_t>(bits(word, 22, 19));
    inst.nfmt = static_cast<std::uint8_t>(bits(word, 25, 23));
    inst.sc1 = bit(word, 53);
    inst.nt = bit(word, 54);
    return buffer_operands(code, row(inst.op), false, inst);
}

}  // namespace vrocm::isa
