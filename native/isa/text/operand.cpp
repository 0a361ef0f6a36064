// Operands as the assembler writes them: register names, constants, literals, source modifiers.
#include <cstdio>

#include "isa/decoder.h"
#include "isa/text/printer.h"

namespace vrocm::isa {
namespace {

std::string tuple(std::string_view file, unsigned first, unsigned count) {
    std::string text{file};
    if (count <= 1) return text + std::to_string(first);
    return text + '[' + std::to_string(first) + ':' + std::to_string(first + count - 1) + ']';
}

std::string scalar_register(unsigned number, unsigned count) {
    static constexpr std::string_view pairs[3] = {"flat_scratch", "xnack_mask", "vcc"};
    if (number < sreg::flat_scratch_lo) return tuple("s", number, count);
    if (number >= sreg::ttmp0 && number < sreg::m0) return tuple("ttmp", number - sreg::ttmp0, count);
    if (number == sreg::m0) return "m0";
    std::string name{number >= sreg::exec_lo ? "exec" : pairs[(number - sreg::flat_scratch_lo) / 2]};
    if (count == 2) return name;
    return name + (number % 2 ? "_hi" : "_lo");
}

std::string_view special_name(unsigned encoding) {
    switch (encoding) {
        case Operand::SharedBase:
            return "src_shared_base";
        case Operand::SharedLimit:
            return "src_shared_limit";
        case Operand::PrivateBase:
            return "src_private_base";
        case Operand::PrivateLimit:
            return "src_private_limit";
        case Operand::PopsExitingWaveId:
            return "src_pops_exiting_wave_id";
        case Operand::Vccz:
            return "src_vccz";
        case Operand::Execz:
            return "src_execz";
        default:
            return "src_scc";
    }
}

bool is_double(Type type) {
    return type == Type::F64 || type == Type::B64 || type == Type::I64 || type == Type::U64;
}

std::string constant_text(unsigned encoding, bool double_precision) {
    static constexpr std::string_view floats[8] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};
    if (encoding <= enc::int_last_positive) return std::to_string(encoding - enc::int_zero);
    if (encoding <= enc::int_last) return '-' + std::to_string(encoding - enc::int_last_positive);
    if (encoding < enc::float_last) return std::string{floats[encoding - enc::float_first]};
    return double_precision ? "0.15915494309189532" : "0.15915494";
}

bool is_16_bit_integer(Type type) {
    return type == Type::I16 || type == Type::U16 || type == Type::B16;
}

constexpr unsigned kNotInlinable = 0;

// The encoding of the inline constant that the assembler would use for this value.
unsigned inline_encoding(std::uint64_t value, Type type) {
    for (unsigned encoding = enc::int_zero; encoding <= enc::int_last; ++encoding) {
        if (inline_constant(encoding, type) == value) return encoding;
    }
    if (is_16_bit_integer(type)) return kNotInlinable;
    for (unsigned encoding = enc::float_first; encoding <= enc::float_last; ++encoding) {
        if (inline_constant(encoding, type) == value) return encoding;
    }
    return kNotInlinable;
}

}  // namespace

std::string hex(std::uint64_t value) {
    char buffer[24];
    std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(value));
    return buffer;
}

std::string immediate(std::int64_t value) {
    return value >= -16 && value <= 64 ? std::to_string(value) : hex(static_cast<std::uint64_t>(value));
}

std::string register_name(const Operand& operand) {
    switch (operand.kind) {
        case Operand::Kind::Vgpr:
            return tuple("v", operand.reg, operand.dwords);
        case Operand::Kind::Agpr:
            return tuple("a", operand.reg, operand.dwords);
        default:
            return scalar_register(operand.reg, operand.dwords);
    }
}

std::string Printer::literal_text(const Operand& operand) const {
    std::uint64_t shown = dwords(operand.type) == 2 ? inst_.literal : operand.value;
    bool constant_k = has(flag::LiteralK) && &operand != &inst_.src[0];
    // A small number means that integer, whatever the operand's type.
    bool keep = !constant_k && (inline_encoding(operand.value, operand.type) != kNotInlinable || shown <= 64);
    return keep ? "lit(" + hex(shown) + ')' : hex(shown);
}

std::string Printer::text_of(const Operand& operand) const {
    switch (operand.kind) {
        case Operand::Kind::Constant:
            return constant_text(operand.reg, is_double(operand.type) || (has(flag::Matrix) && has(flag::Double)));
        case Operand::Kind::Literal:
            return literal_text(operand);
        case Operand::Kind::Special:
            return std::string{special_name(operand.reg)};
        case Operand::Kind::Off:
        case Operand::Kind::None:
            return "off";
        default:
            return register_name(operand);
    }
}

// neg(1) is not the same as -1, so constants are negated with a word.
std::string Printer::modified_source(unsigned index) const {
    const Operand& operand = inst_.src[index];
    std::string text = text_of(operand);
    bool neg = inst_.neg >> index & 1, abs = inst_.abs >> index & 1;
    if (inst_.encoding == Encoding::Sdwa && index < 2 && inst_.sdwa.src_sext[index]) return "sext(" + text + ')';
    if (abs) text = '|' + text + '|';
    if (!neg) return text;
    bool word = !abs && (operand.kind == Operand::Kind::Constant || operand.kind == Operand::Kind::Literal);
    return word ? "neg(" + text + ')' : '-' + text;
}

}  // namespace vrocm::isa
