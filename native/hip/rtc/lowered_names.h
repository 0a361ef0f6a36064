// Name expressions: what the mangled name of "my_kernel<int>" is, asked of the compiler itself.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace vrocm::rtc {

// Source appended to the program: it instantiates every expression and stores its address in a
// variable whose name carries the expression's index.
std::string name_probes(const std::vector<std::string>& expressions);

// Reads the probes from the compiled code object (an ELF): index -> symbol. Expressions whose address
// matches no symbol are left out.
std::map<std::size_t, std::string> read_lowered_names(const std::string& elf);

}  // namespace vrocm::rtc
