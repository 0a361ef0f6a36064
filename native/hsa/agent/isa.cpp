#include "hsa/agent/isa.h"

#include <array>
#include <vector>

#include "codeobj/target.h"

namespace vrocm::hsa {

namespace {

// All names that mean something, made once: every processor in every setting of its features.
const std::vector<std::string>& names() {
    static const auto* all = [] {
        auto* list = new std::vector<std::string>;
        for (const char* processor : {"gfx942", "gfx9-4-generic", "gfx90a"})
            for (const char* sramecc : {"", ":sramecc+", ":sramecc-"})
                for (const char* xnack : {"", ":xnack+", ":xnack-"})
                    list->push_back(std::string(codeobj::kTriple) + processor + sramecc + xnack);
        return list;
    }();
    return *all;
}

}  // namespace

hsa_isa_t isa_from_name(std::string_view name) {
    for (const std::string& known : names())
        if (known == name) return {reinterpret_cast<std::uint64_t>(&known)};
    return {0};
}

std::string_view isa_name(hsa_isa_t isa) {
    for (const std::string& known : names())
        if (isa.handle == reinterpret_cast<std::uint64_t>(&known)) return known;
    return {};
}

}  // namespace vrocm::hsa
