// Inside of the disassembler: the text under construction and the parts shared by the formats.
#pragma once

#include <string>
#include <string_view>

#include "isa/inst.h"
#include "isa/table.h"

namespace vrocm::isa {

class Printer {
  public:
    Printer(Arch arch, const Inst& inst) : arch_(arch), inst_(inst), row_(row(inst.op)) {}
    std::string print();

  private:
    // Operands are separated by ", ", the first one by a blank; modifiers by blanks.
    void operand(std::string_view text);
    void operand(const Operand& operand);
    void modifier(std::string_view text) { (text_ += ' ') += text; }
    void modifier_if(bool present, std::string_view text) {
        if (present) modifier(text);
    }
    void number_list(std::string_view name, unsigned mask, unsigned count);
    bool has(std::uint64_t flags) const { return (row_.info.flags & flags) != 0; }
    std::string text_of(const Operand& operand) const;
    std::string literal_text(const Operand& operand) const;
    std::string modified_source(unsigned index) const;

    void scalar();
    void sopk();
    void sopp();
    void smem();
    void valu();
    void valu_modifiers();
    void dpp_modifiers();
    void sdwa_modifiers();
    void packed();
    void matrix();
    void ds();
    void flat();
    void buffer();
    void cache_bits();

    Arch arch_;
    const Inst& inst_;
    const Row& row_;
    std::string text_;
    bool first_operand_ = true;
};

std::string hex(std::uint64_t value);
// Integers that fit an inline constant in decimal, others in hexadecimal.
std::string immediate(std::int64_t value);
std::string register_name(const Operand& operand);

// Immediates with a syntax of their own (immediate.cpp).
std::string hwreg_text(Arch arch, std::uint32_t immediate);
std::string sendmsg_text(std::uint32_t immediate);
std::string waitcnt_text(std::uint32_t immediate);
std::string gpr_index_text(std::uint32_t immediate);
std::string swizzle_text(std::uint32_t offset);
std::string dpp_control_text(std::uint32_t control);
std::string buffer_format_text(unsigned dfmt, unsigned nfmt);  // empty for the default format

}  // namespace vrocm::isa
