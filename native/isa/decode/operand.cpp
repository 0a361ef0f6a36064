// Operand encodings shared by all formats: registers, inline constants, literals, special values.
#include "isa/decoder.h"

namespace vrocm::isa {
namespace {

// Registers 0..101 are general; above them are pairs and blocks that tuples must not cross.
bool scalar_tuple_ok(unsigned number, unsigned count) {
    if (number == sreg::m0) return count == 1;
    if (number > sreg::exec_hi || number == sreg::m0 + 1) return false;
    if (count > 1 && number % (count == 2 ? 2 : 4) != 0) return false;
    unsigned last = number + count - 1;
    if (number < sreg::flat_scratch_lo) return last < sreg::flat_scratch_lo;
    if (number >= sreg::ttmp0 && number < sreg::m0) return last < sreg::m0;
    return count <= 2;
}

bool is_special(unsigned encoding) {
    return (encoding >= Operand::SharedBase && encoding <= Operand::PopsExitingWaveId) ||
           (encoding >= Operand::Vccz && encoding <= Operand::Scc);
}

enum class Width { Half, Single, Double };

Width float_width(Type type) {
    switch (type) {
        case Type::F16:
        case Type::BF16:
        case Type::PkF16:
        case Type::PkBF16:
            return Width::Half;
        case Type::B64:
        case Type::I64:
        case Type::U64:
        case Type::F64:
            return Width::Double;
        default:
            return Width::Single;
    }
}

// 0.5, -0.5, 1, -1, 2, -2, 4, -4, 1/(2*pi) in each precision.
constexpr std::uint64_t kHalf[9] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
constexpr std::uint64_t kSingle[9] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                      0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
constexpr std::uint64_t kDouble[9] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                      0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                      0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};

bool is_16_bit(Type type) {
    return type == Type::F16 || type == Type::BF16 || type == Type::I16 || type == Type::U16 || type == Type::B16;
}

bool is_64_bit(Type type) {
    return type == Type::B64 || type == Type::I64 || type == Type::U64 || type == Type::F64;
}

std::uint64_t narrowed(std::uint64_t value, Type type) {
    if (is_64_bit(type)) return value;
    return value & (is_16_bit(type) ? 0xffffu : 0xffffffffu);
}

std::uint64_t literal_value(std::uint32_t literal, Type type) {
    switch (type) {
        case Type::F64:  // a literal is the high half of a double
            return std::uint64_t{literal} << 32;
        case Type::I64:
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(literal)));
        default:
            return narrowed(literal, type);
    }
}

}  // namespace

bool is_float(Type type) {
    return type == Type::F16 || type == Type::F32 || type == Type::F64 || type == Type::PkF16;
}

std::uint64_t inline_constant(unsigned encoding, Type type) {
    if (encoding <= enc::int_last) {
        int value = encoding <= enc::int_last_positive ? static_cast<int>(encoding - enc::int_zero)
                                                       : static_cast<int>(enc::int_last_positive - encoding);
        return narrowed(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), type);
    }
    unsigned index = encoding - enc::float_first;
    switch (float_width(type)) {
        case Width::Half:
            return kHalf[index];
        case Width::Double:
            return kDouble[index];
        default:
            return narrowed(kSingle[index], type);
    }
}

bool vgpr_operand(unsigned number, Type type, bool accumulation, Operand& out) {
    unsigned count = dwords(type);
    // gfx90a and gfx942 require tuples to start at an even register.
    if (number + count > 256 || (count > 1 && number % 2 != 0)) return false;
    out = {accumulation ? Operand::Kind::Agpr : Operand::Kind::Vgpr, type, static_cast<std::uint8_t>(count),
           static_cast<std::uint16_t>(number)};
    return true;
}

bool sgpr_operand(unsigned number, Type type, Operand& out) {
    unsigned count = dwords(type);
    if (!scalar_tuple_ok(number, count)) return false;
    out = {Operand::Kind::Sgpr, type, static_cast<std::uint8_t>(count), static_cast<std::uint16_t>(number)};
    return true;
}

bool source_operand(unsigned encoding, Type type, Allow allow, Operand& out) {
    if (encoding >= enc::vgpr) return allow.vgpr && vgpr_operand(encoding - enc::vgpr, type, false, out);
    if (encoding <= sreg::exec_hi) return allow.sgpr && sgpr_operand(encoding, type, out);
    out = {Operand::Kind::None, type, static_cast<std::uint8_t>(dwords(type)), static_cast<std::uint16_t>(encoding)};
    if (encoding <= enc::int_last || (encoding >= enc::float_first && encoding <= enc::float_last)) {
        out.kind = Operand::Kind::Constant;
        out.value = inline_constant(encoding, type);
        return allow.constant;
    }
    if (is_special(encoding)) {
        out.kind = Operand::Kind::Special;
        return allow.special;
    }
    if (encoding == enc::literal) {
        out.kind = Operand::Kind::Literal;
        return allow.literal;
    }
    return false;
}

bool take_literal(const Code& code, unsigned size, Inst& inst) {
    bool used = false;
    for (Operand& operand : inst.src) {
        if (operand.kind != Operand::Kind::Literal) continue;
        used = true;
        if (code.dwords * 4 < size + 4) return false;
        inst.literal = size == 4 ? code.high() : code.third;
        operand.value = literal_value(inst.literal, operand.type);
        operand.reg = 0;
    }
    if (used) {
        inst.has_literal = true;
        inst.size = static_cast<std::uint8_t>(size + 4);
    }
    return true;
}

bool constant_bus_ok(const Inst& inst, bool implicit_vcc) {
    constexpr int none = -1;
    int first = implicit_vcc ? static_cast<int>(sreg::vcc_lo) : none;
    int first_dwords = implicit_vcc ? 2 : 0;
    for (const Operand& operand : inst.src) {
        bool scalar = operand.kind == Operand::Kind::Sgpr || operand.kind == Operand::Kind::Special ||
                      operand.kind == Operand::Kind::Literal;
        if (!scalar) continue;
        int number = operand.kind == Operand::Kind::Literal ? enc::literal : operand.reg;
        if (first == none) {
            first = number;
            first_dwords = operand.dwords;
        } else if (first != number || first_dwords != operand.dwords) {
            return false;
        }
    }
    return true;
}

Operand vcc_operand() {
    return {Operand::Kind::Sgpr, Type::B64, 2, sreg::vcc_lo};
}

}  // namespace vrocm::isa
