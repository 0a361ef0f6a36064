#include "sim/checkers/variables.h"

#include <elf.h>

#include <algorithm>

#include "sim/code.h"
#include "sim/elf.h"

namespace vrocm::sim::checkers {

namespace {

// __device__ and __constant__ variables are here, and nothing else is.
bool holds_variables(std::string_view section) {
    return section == ".data" || section == ".bss" || section.starts_with(".data.") || section.starts_with(".bss.");
}

// A mark that clang puts into each code object; no kernel touches it.
bool is_compilers(std::string_view variable) {
    return variable.starts_with("__hip_cuid_");
}

}  // namespace

std::vector<Allocation> parts_of_code(const Allocation& code) {
    const auto region = CodeMap::process().find(code.base);
    if (!region) return {code};
    const auto& file = region->loaded().elf;
    const Elf elf({file.data(), file.size()});
    if (!elf.valid() || !elf.has_all_symbols()) return {code};
    const std::uint64_t base = region->loaded().load_base;
    const auto symbols = elf.symbols();
    std::vector<Allocation> parts;
    const auto add = [&](std::uint64_t vaddr, std::uint64_t size, std::string_view name) {
        Allocation part = code;
        part.base = base + vaddr;
        part.size = part.accessible = size;
        part.kind = "variable " + demangle(name);
        parts.push_back(std::move(part));
    };
    // Headers at the beginning belong to no section.
    std::uint64_t first = ~0ull;
    for (const Elf::LoadedSection& section : elf.loaded_sections()) {
        first = std::min(first, section.vaddr);
        if (!holds_variables(section.name)) {
            add(section.vaddr, section.size, section.name);
            parts.back().kind = "code";
            continue;
        }
        for (const Elf::Symbol& symbol : symbols)
            if (symbol.type == STT_OBJECT && symbol.value - section.vaddr < section.size && !is_compilers(symbol.name))
                add(symbol.value, symbol.size, symbol.name);
    }
    if (parts.empty()) return {code};
    add(0, first, "");
    parts.back().kind = "code";
    std::sort(parts.begin(), parts.end(), [](const Allocation& a, const Allocation& b) { return a.base < b.base; });
    return parts;
}

std::optional<Allocation> variable_near(std::uint64_t address) {
    const auto code = AddressSpace::process().find(address);
    if (!code || code->kind != "code") return std::nullopt;
    std::optional<Allocation> before;
    for (const Allocation& part : parts_of_code(*code))
        if (part.base <= address && part.kind != "code") before = part;
    return before;
}

}  // namespace vrocm::sim::checkers
