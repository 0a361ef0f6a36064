// How scalar instructions read and write their operands.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/code/op.h"

namespace vrocm::sim::scalar {

// What lowering knows about a source. Any covers Special and every combination not worth a handler of its own.
enum class Read : std::uint8_t { Sgpr, Const, Any };

template <Read how, class T>
inline T read(const Wave& wave, const Src& src) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    if constexpr (how == Read::Const) return static_cast<T>(src.imm);
    if constexpr (how == Read::Sgpr) {
        if constexpr (sizeof(T) == 8) return static_cast<T>(wave.read_s64(src.reg));
        return static_cast<T>(wave.s[src.reg]);
    }
    if constexpr (sizeof(T) == 8) return static_cast<T>(read_scalar64(wave, src));
    return static_cast<T>(read_scalar32(wave, src));
}

template <class T>
inline T read_sgpr(const Wave& wave, unsigned reg) {
    if constexpr (sizeof(T) == 8) return static_cast<T>(wave.read_s64(reg));
    return static_cast<T>(wave.s[reg]);
}

template <class T>
inline void write_sgpr(Wave& wave, unsigned reg, T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    if constexpr (sizeof(T) == 8)
        wave.write_s64(reg, static_cast<std::uint64_t>(value));
    else
        wave.s[reg] = static_cast<std::uint32_t>(value);
}

// Pieces of lower_scalar, one per file; each gives null for instructions that are not its own.
Handler lower_control(Op& op);     // branches, barriers, traps, messages, program end
Handler lower_hwreg(Op& op);       // s_getreg, s_setreg
Handler lower_gpr_index(Op& op);   // s_set_gpr_idx_*, s_movrel*
Handler lower_scalar_alu(Op& op);  // everything that computes

}  // namespace vrocm::sim::scalar
