// What a compute unit of each architecture holds, from src/vrocm/data/architectures.
#pragma once

#include <string_view>

namespace vrocm::gpus {

struct Architecture {
    std::string_view name;  // processor
    unsigned simds_per_cu, waves_per_simd;
    unsigned registers, register_granule;  // vector registers of a lane in both files together, for all waves of a SIMD
    unsigned scalar_registers;             // of a SIMD
    unsigned scalars_for_all_waves;        // a wave with more keeps a SIMD from holding as many waves as it has slots
    unsigned barriers;                     // workgroups of more than one wave on a compute unit
    unsigned lds_granule;
};

inline constexpr Architecture kArchitectures[] = {
#include "gpus/architectures.inc"
};

// The architecture of a processor; a name that is not in the table does not come up.
constexpr const Architecture& architecture(std::string_view name) {
    for (const Architecture& one : kArchitectures)
        if (one.name == name) return one;
    return kArchitectures[0];
}

}  // namespace vrocm::gpus
