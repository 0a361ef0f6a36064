#include "hip/rtc/lowered_names.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "codeobj/elf.h"

namespace vrocm::rtc {

namespace {

constexpr std::string_view kProbe = "__vrocm_lowered_name_";
constexpr unsigned kRelocationRelative64 = 13;  // R_AMDGPU_RELATIVE64, LLVM AMDGPUUsage "Relocation Records"
constexpr unsigned kRelocationAbs64 = 3;        // R_AMDGPU_ABS64

using codeobj::Elf;

std::string_view symbol_at(const std::vector<Elf::Symbol>& symbols, std::uint64_t address) {
    for (const Elf::Symbol& symbol : symbols)
        if (symbol.value == address && (symbol.type == STT_FUNC || symbol.type == STT_OBJECT)) return symbol.name;
    return {};
}

}  // namespace

std::string name_probes(const std::vector<std::string>& expressions) {
    std::string made;
    for (std::size_t i = 0; i < expressions.size(); ++i)
        made += "\nextern \"C\" __attribute__((device, used)) const void* const volatile " + std::string(kProbe) +
                std::to_string(i) + " = (const void*)(" + expressions[i] + ");";
    return made + "\n";
}

std::map<std::size_t, std::string> read_lowered_names(const std::string& elf) {
    const Elf file({reinterpret_cast<const std::uint8_t*>(elf.data()), elf.size()});
    const std::vector<Elf::Symbol> symbols = file.dynamic_symbols();

    std::map<std::uint64_t, std::size_t> probes;  // address of the probe variable -> index
    for (const Elf::Symbol& symbol : symbols)
        if (symbol.name.starts_with(kProbe))
            probes[symbol.value] = std::stoul(std::string(symbol.name.substr(kProbe.size())));

    std::map<std::size_t, std::string> lowered;
    auto note = [&](std::size_t index, std::string_view name) {
        if (!name.empty() && !name.starts_with(kProbe)) lowered[index] = name;
    };
    for (const Elf64_Rela& relocation : file.dynamic_relocations()) {
        const auto probe = probes.find(relocation.r_offset);
        if (probe == probes.end()) continue;
        const auto type = ELF64_R_TYPE(relocation.r_info);
        const auto index = ELF64_R_SYM(relocation.r_info);
        if (type == kRelocationRelative64)
            note(probe->second, symbol_at(symbols, static_cast<std::uint64_t>(relocation.r_addend)));
        else if (type == kRelocationAbs64 && index < symbols.size())
            note(probe->second, symbols[index].name);
    }
    // Without a relocation the address stands in the variable itself.
    for (const auto& [address, index] : probes) {
        std::uint64_t value = 0;
        const codeobj::Bytes content = file.loaded(address, sizeof value);
        if (lowered.count(index) || content.empty()) continue;
        std::memcpy(&value, content.data(), sizeof value);
        if (value) note(index, symbol_at(symbols, value));
    }
    return lowered;
}

}  // namespace vrocm::rtc
