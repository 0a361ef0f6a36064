#include "hsa/agent/isa.h"

#include <algorithm>
#include <vector>

#include "codeobj/target.h"
#include "sim/gpu_model.h"

namespace vrocm::hsa {

namespace {

// Processors and generic targets of all GPUs.
std::vector<std::string_view> processors() {
    std::vector<std::string_view> found;
    for (const sim::GpuModel& model : sim::gpu_models())
        for (const std::string_view name : {model.gfx, model.generic})
            if (!name.empty() && std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
    return found;
}

// All names that mean something, made once: every processor in every setting of its features.
const std::vector<std::string>& names() {
    static const auto* all = [] {
        auto* list = new std::vector<std::string>;
        for (const std::string_view processor : processors())
            for (const char* sramecc : {"", ":sramecc+", ":sramecc-"})
                for (const char* xnack : {"", ":xnack+", ":xnack-"})
                    list->push_back(std::string(codeobj::kTriple).append(processor) + sramecc + xnack);
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
