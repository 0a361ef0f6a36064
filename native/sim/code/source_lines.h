// Source lines of addresses, from the DWARF 2 to 5 line tables of a code object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codeobj/elf.h"

namespace vrocm::sim {

// "path/file.hip:42" for an address as the code object numbers them; empty when there is no line for it.
// Damaged tables give an empty answer.
std::string source_line(const codeobj::Elf& elf, std::uint64_t address);

// All addresses that have a line, in their order.
struct SourceRange {
    std::uint64_t begin = 0, end = 0;
    std::string place;
};
std::vector<SourceRange> source_ranges(const codeobj::Elf& elf);

}  // namespace vrocm::sim
