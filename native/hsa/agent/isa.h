// Instruction sets by name, and what is common to all GPUs that can be had.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "abi/hsa/hsa.h"

namespace vrocm::hsa {

constexpr std::uint32_t kWavefrontSize = 64;
constexpr std::uint16_t kMaxWorkgroupSize = 1024;
constexpr hsa_dim3_t kMaxGrid = {0x7fffffff, 0xffff, 0xffff};
constexpr std::uint32_t kMaxFbarriers = 32;
constexpr std::uint32_t kWavesPerCu = 40;  // what HSA_ISA_INFO_CALL_CONVENTION_... has always said for gfx9

// The handle of a name such as "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"; 0 when it is not known.
// A name without a feature means any setting of it.
hsa_isa_t isa_from_name(std::string_view name);
// The name behind a handle; empty when it is not one.
std::string_view isa_name(hsa_isa_t isa);

}  // namespace vrocm::hsa
