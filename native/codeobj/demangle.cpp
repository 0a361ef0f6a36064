#include "codeobj/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace vrocm::codeobj {

std::string demangle(std::string_view name) {
    const std::string text(name);
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain(
        abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && plain ? plain.get() : text;
}

}  // namespace vrocm::codeobj
