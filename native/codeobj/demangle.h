#pragma once

#include <string>
#include <string_view>

namespace vrocm::codeobj {

// "vectorAdd(float*, int)" for a mangled name; the name itself when it is not one.
std::string demangle(std::string_view name);

}  // namespace vrocm::codeobj
