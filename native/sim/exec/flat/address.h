// How FLAT, GLOBAL and SCRATCH instructions say where. Lowering leaves the byte offset in src[3].imm.
#pragma once

#include <cstdint>

#include "sim/code/op.h"
#include "sim/exec/memory/lanes.h"

namespace vrocm::sim::memory {

// The windows of the flat address space (apertures) that are not process memory.
enum class Window : std::uint8_t { Global, Shared, Private };

inline Window window_of(std::uint64_t address) {
    if (address < kSharedAperture) return Window::Global;
    if (address - kSharedAperture < kApertureSize) return Window::Shared;
    if (address - kPrivateAperture < kApertureSize) return Window::Private;
    return Window::Global;
}

inline std::int64_t byte_offset(const Op* op) {
    return static_cast<std::int64_t>(op->src[3].imm);
}

// A 64-bit address per lane.
struct VectorAddress {
    template <unsigned step>
    static Pattern pattern(Wave& wave, const Op* op, std::uint64_t lanes) {
        const VReg* address = wave.v + op->src[0].reg;
        Pattern found = pattern64<step>(wave, address[0], address[1], lanes);
        found.address += static_cast<std::uint64_t>(byte_offset(op));
        return found;
    }
    static void list(const Wave& wave, const Op* op, std::uint64_t* out) {
        const VReg* address = wave.v + op->src[0].reg;
        const std::uint64_t offset = static_cast<std::uint64_t>(byte_offset(op));
        for (unsigned i = 0; i < kLanes; ++i) out[i] = lane64(address, i) + offset;
    }
};

// A 64-bit base in scalar registers and an unsigned 32-bit offset per lane.
struct ScalarBase {
    static std::uint64_t base(const Wave& wave, const Op* op) {
        return wave.read_s64(op->src[2].reg) + static_cast<std::uint64_t>(byte_offset(op));
    }
    template <unsigned step>
    static Pattern pattern(Wave& wave, const Op* op, std::uint64_t lanes) {
        Pattern found = pattern32<step>(wave, wave.v[op->src[0].reg], lanes);
        found.address += base(wave, op);
        return found;
    }
    static void list(const Wave& wave, const Op* op, std::uint64_t* out) {
        const VReg& offset = wave.v[op->src[0].reg];
        const std::uint64_t start = base(wave, op);
        for (unsigned i = 0; i < kLanes; ++i) out[i] = start + offset.lane[i];
    }
};

// Offsets into the lane's own scratch: any of a scalar and a vector register, 32-bit wrapping sums.
struct ScratchOffset {
    static std::uint32_t base(const Wave& wave, const Op* op) {
        const std::uint32_t scalar = op->src[2].kind == Src::Kind::None ? 0 : read_scalar32(wave, op->src[2]);
        return scalar + static_cast<std::uint32_t>(byte_offset(op));
    }
    static bool has_vector(const Op* op) { return op->src[0].kind == Src::Kind::Vgpr; }
    static Pattern pattern(Wave& wave, const Op* op, std::uint64_t lanes) {
        if (!has_vector(op)) return {Pattern::Kind::Uniform, base(wave, op)};
        // Only equal offsets are worth finding: scratch interleaves lanes.
        Pattern found = pattern32<1>(wave, wave.v[op->src[0].reg], lanes);
        if (found.kind != Pattern::Kind::Uniform) return {};
        found.address = static_cast<std::uint32_t>(found.address + base(wave, op));
        return found;
    }
    static void list(const Wave& wave, const Op* op, std::uint64_t* out) {
        const std::uint32_t start = base(wave, op);
        for (unsigned i = 0; i < kLanes; ++i) out[i] = has_vector(op) ? start + wave.v[op->src[0].reg].lane[i] : start;
    }
};

// Pieces of lower_flat, one per file; each gives null for instructions that are not its own.
Handler lower_global(const Op& op);       // GLOBAL loads and stores
Handler lower_generic(const Op& op);      // FLAT loads and stores
Handler lower_scratch(const Op& op);      // SCRATCH loads and stores
Handler lower_flat_atomic(const Op& op);  // FLAT and GLOBAL
Handler lower_load_to_lds(const Op& op);  // GLOBAL and SCRATCH

}  // namespace vrocm::sim::memory
