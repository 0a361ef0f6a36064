#include "hsa/isa.h"

#include <array>
#include <vector>

namespace vrocm::hsa {

namespace {

constexpr std::string_view kTriple = "amdgcn-amd-amdhsa--";

struct Target {
    std::string processor;
    char sramecc = 0, xnack = 0;  // '+', '-' or 0: any
};

// All names that mean something, made once: every processor in every setting of its features.
const std::vector<std::string>& names() {
    static const auto* all = [] {
        auto* list = new std::vector<std::string>;
        for (const char* processor : {"gfx942", "gfx9-4-generic", "gfx90a"})
            for (const char* sramecc : {"", ":sramecc+", ":sramecc-"})
                for (const char* xnack : {"", ":xnack+", ":xnack-"})
                    list->push_back(std::string(kTriple) + processor + sramecc + xnack);
        return list;
    }();
    return *all;
}

Target parse(std::string_view name) {
    Target target;
    if (name.substr(0, kTriple.size()) == kTriple) name.remove_prefix(kTriple.size());
    const auto colon = name.find(':');
    target.processor = name.substr(0, colon);
    while (!name.empty()) {
        const auto next = name.find(':');
        const auto feature = name.substr(0, next);
        if (feature.starts_with("sramecc")) target.sramecc = feature.back();
        if (feature.starts_with("xnack")) target.xnack = feature.back();
        name = next == name.npos ? std::string_view() : name.substr(next + 1);
    }
    return target;
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

bool isa_compatible(std::string_view code, std::string_view agent) {
    const Target c = parse(code), a = parse(agent);
    const bool processor = c.processor == a.processor || (c.processor == "gfx9-4-generic" && a.processor == "gfx942");
    return processor && (!c.sramecc || !a.sramecc || c.sramecc == a.sramecc) &&
           (!c.xnack || !a.xnack || c.xnack == a.xnack);
}

}  // namespace vrocm::hsa
