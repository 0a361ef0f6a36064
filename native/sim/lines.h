// Source lines of addresses, from the DWARF 2 to 5 line tables of a code object.
#pragma once

#include <cstdint>
#include <string>

#include "sim/elf.h"

namespace vrocm::sim {

// "path/file.hip:42" for an address as the code object numbers them; empty when there is no line for it.
// Damaged tables give an empty answer.
std::string source_line(const Elf& elf, std::uint64_t address);

}  // namespace vrocm::sim
