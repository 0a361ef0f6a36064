#include "codeobj/target.h"

#include <cstdio>
#include <utility>

#include "abi/hsa/amd_hsa_elf.h"

namespace vrocm::codeobj {

namespace {

// LLVM AMDGPUUsage, "ELF Code Object", EF_AMDGPU_MACH.
constexpr std::pair<unsigned, const char*> kProcessors[] = {
    {0x20, "gfx600"},          {0x21, "gfx601"},        {0x22, "gfx700"},        {0x23, "gfx701"},
    {0x24, "gfx702"},          {0x25, "gfx703"},        {0x26, "gfx704"},        {0x28, "gfx801"},
    {0x29, "gfx802"},          {0x2a, "gfx803"},        {0x2b, "gfx810"},        {0x2c, "gfx900"},
    {0x2d, "gfx902"},          {0x2e, "gfx904"},        {0x2f, "gfx906"},        {0x30, "gfx908"},
    {0x31, "gfx909"},          {0x32, "gfx90c"},        {0x33, "gfx1010"},       {0x34, "gfx1011"},
    {0x35, "gfx1012"},         {0x36, "gfx1030"},       {0x37, "gfx1031"},       {0x38, "gfx1032"},
    {0x39, "gfx1033"},         {0x3a, "gfx602"},        {0x3b, "gfx705"},        {0x3c, "gfx805"},
    {0x3d, "gfx1035"},         {0x3e, "gfx1034"},       {0x3f, "gfx90a"},        {0x40, "gfx940"},
    {0x41, "gfx1100"},         {0x42, "gfx1013"},       {0x43, "gfx1150"},       {0x44, "gfx1103"},
    {0x45, "gfx1036"},         {0x46, "gfx1101"},       {0x47, "gfx1102"},       {0x48, "gfx1200"},
    {0x49, "gfx1250"},         {0x4a, "gfx1151"},       {0x4b, "gfx941"},        {0x4c, "gfx942"},
    {0x4e, "gfx1201"},         {0x4f, "gfx950"},        {0x51, "gfx9-generic"},  {0x52, "gfx10-1-generic"},
    {0x53, "gfx10-3-generic"}, {0x54, "gfx11-generic"}, {0x55, "gfx1152"},       {0x58, "gfx1153"},
    {0x59, "gfx12-generic"},   {0x5a, "gfx1251"},       {0x5f, "gfx9-4-generic"}};

std::string processor_of(unsigned number) {
    for (const auto& [known, name] : kProcessors)
        if (known == number) return name;
    char text[32];
    std::snprintf(text, sizeof text, "processor-0x%x", number);
    return text;
}

struct Target {
    std::string_view processor;
    char sramecc = 0, xnack = 0;  // '+', '-' or 0: any
};

Target parse(std::string_view name) {
    Target target;
    if (name.starts_with(kTriple)) name.remove_prefix(kTriple.size());
    target.processor = name.substr(0, name.find(':'));
    for (auto colon = name.find(':'); colon != name.npos; colon = name.find(':')) {
        name.remove_prefix(colon + 1);
        const std::string_view feature = name.substr(0, name.find(':'));
        if (feature.starts_with("sramecc")) target.sramecc = feature.back();
        if (feature.starts_with("xnack")) target.xnack = feature.back();
    }
    return target;
}

bool agree(char code, char device) {
    return !code || !device || code == device;
}

}  // namespace

std::string target_of(const Elf64_Ehdr& header) {
    const unsigned flags = header.e_flags;
    std::string name = processor_of(flags & ELF::EF_AMDGPU_MACH);
    if (header.e_ident[EI_ABIVERSION] < ELF::ELFABIVERSION_AMDGPU_HSA_V4) {  // on or nothing
        if (flags & ELF::EF_AMDGPU_FEATURE_SRAMECC_V3) name += ":sramecc+";
        if (flags & ELF::EF_AMDGPU_FEATURE_XNACK_V3) name += ":xnack+";
        return name;
    }
    const unsigned sramecc = flags & ELF::EF_AMDGPU_FEATURE_SRAMECC_V4, xnack = flags & ELF::EF_AMDGPU_FEATURE_XNACK_V4;
    if (sramecc == ELF::EF_AMDGPU_FEATURE_SRAMECC_ON_V4) name += ":sramecc+";
    if (sramecc == ELF::EF_AMDGPU_FEATURE_SRAMECC_OFF_V4) name += ":sramecc-";
    if (xnack == ELF::EF_AMDGPU_FEATURE_XNACK_ON_V4) name += ":xnack+";
    if (xnack == ELF::EF_AMDGPU_FEATURE_XNACK_OFF_V4) name += ":xnack-";
    return name;
}

bool runs_on(std::string_view code, std::string_view device) {
    const Target wanted = parse(code), here = parse(device);
    const bool generic = wanted.processor == "gfx9-4-generic" && here.processor == "gfx942";
    return (wanted.processor == here.processor || generic) && agree(wanted.sramecc, here.sramecc) &&
           agree(wanted.xnack, here.xnack);
}

}  // namespace vrocm::codeobj
