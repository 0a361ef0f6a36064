// In what architectures differ, beyond their instructions (tables/) and what a compute unit holds (gpus/): a row each.
#pragma once

#include "isa/inst.h"

namespace vrocm::isa {

struct Traits {
    // Encoding.
    bool scope_bits;             // memory instructions have sc0, sc1 and nt, else glc, scc and slc
    bool scratch_address_bit;    // scratch instructions say by a bit whether they have an address
    bool loads_to_lds_by_bit;    // ordinary loads have a bit for it, else there are instructions of their own
    bool dot2_selects_halves;    // v_dot2 has op_sel
    bool double_matrix_negates;  // matrix instructions in double precision have neg where others permute B
    bool snapshot_registers;     // hardware registers of performance snapshots
    // What instructions do.
    bool flushes_matrix_halves;   // matrix instructions take denormals of 16-bit elements, and of sums, as zero
    bool flushes_adds_in_memory;  // float additions in memory are without denormals
    // How a kernel begins.
    bool scratch_by_hardware;  // flat_scratch is set, and no descriptor is asked for
    bool skips_preload;        // firmware that preloads arguments begins behind the code that does it otherwise
};

inline constexpr Traits kTraits[] = {
    // gfx90a
    {
        .scope_bits = false,
        .scratch_address_bit = false,
        .loads_to_lds_by_bit = true,
        .dot2_selects_halves = true,
        .double_matrix_negates = false,
        .snapshot_registers = false,
        .flushes_matrix_halves = true,
        .flushes_adds_in_memory = true,
        .scratch_by_hardware = false,
        .skips_preload = false,
    },
    // gfx942
    {
        .scope_bits = true,
        .scratch_address_bit = true,
        .loads_to_lds_by_bit = false,
        .dot2_selects_halves = false,
        .double_matrix_negates = true,
        .snapshot_registers = true,
        .flushes_matrix_halves = false,
        .flushes_adds_in_memory = false,
        .scratch_by_hardware = true,
        .skips_preload = true,
    },
};

constexpr const Traits& traits(Arch arch) {
    return kTraits[static_cast<unsigned>(arch)];
}

}  // namespace vrocm::isa
