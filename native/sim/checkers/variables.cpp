#include "sim/checkers/variables.h"

#include <elf.h>

#include <algorithm>

#include "codeobj/demangle.h"
#include "codeobj/elf.h"
#include "sim/code/code_map.h"

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
    const codeobj::Elf elf(file);
    if (!elf.valid() || !elf.has_all_symbols()) return {code};
    const std::uint64_t base = region->loaded().load_base;
    const auto symbols = elf.symbols();
    std::vector<Allocation> parts;
    const auto add = [&](std::uint64_t vaddr, std::uint64_t size, std::string_view name) {
        Allocation part = code;
        part.base = base + vaddr;
        part.size = part.accessible = size;
        part.kind = "variable " + codeobj::demangle(name);
        parts.push_back(std::move(part));
    };
    // Section headers are not checked when code is loaded: they may lead outside of it.
    const std::uint64_t loaded = region->loaded().load_size;
    const auto inside = [loaded](std::uint64_t vaddr, std::uint64_t size) {
        return size && vaddr < loaded && size <= loaded - vaddr;
    };
    // Headers at the beginning belong to no section.
    std::uint64_t first = ~0ull;
    for (const Elf64_Shdr& section : elf.sections()) {
        if (!(section.sh_flags & SHF_ALLOC) || !inside(section.sh_addr, section.sh_size)) continue;
        first = std::min(first, section.sh_addr);
        const std::string_view name = elf.name_of(section);
        if (!holds_variables(name)) {
            add(section.sh_addr, section.sh_size, name);
            parts.back().kind = "code";
            continue;
        }
        for (const codeobj::Elf::Symbol& symbol : symbols)
            if (symbol.type == STT_OBJECT && symbol.value - section.sh_addr < section.sh_size &&
                inside(symbol.value, symbol.size) && !is_compilers(symbol.name))
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
