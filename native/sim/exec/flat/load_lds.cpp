// Loads from global memory or scratch straight into LDS: lane n writes one dword at M0[15:0] + offset + 4 * n.
#include "sim/exec/flat/address.h"
#include "sim/exec/flat/private.h"
#include "sim/exec/lds/access.h"

namespace vrocm::sim::memory {
namespace {

// The values go through a register of our own, so the moves are those of ordinary loads.
void to_lds(Wave& wave, const Op* op, const VReg& values, std::uint64_t lanes) {
    const std::uint64_t base = (wave.s[isa::sreg::m0] & 0xffff) + static_cast<std::uint64_t>(byte_offset(op));
    for_each_lane(lanes, [&](unsigned lane) { store_lds_lane<Dwords<1>>(wave, &values, base + 4 * lane, lane); });
}

template <class Address, class Data>
const Op* from_global(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    std::uint64_t address[kLanes];
    Address::list(wave, op, address);
    if (wave.access) [[unlikely]]
        record(wave, address, lanes, Data::bytes);
    if (lanes == 0) return op + 1;
    VReg values;
    if (!gather<Data>(wave, op, &values, address, extent(address, lanes), lanes)) return nullptr;
    to_lds(wave, op, values, lanes);
    return op + 1;
}

template <class Data>
const Op* from_scratch(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    std::uint64_t offset[kLanes];
    ScratchOffset::list(wave, op, offset);
    if (wave.access) [[unlikely]] {
        std::uint64_t address[kLanes];
        for (unsigned lane = 0; lane < kLanes; ++lane) address[lane] = offset[lane] + kPrivateAperture;
        record(wave, address, lanes, Data::bytes);
    }
    VReg values;
    for (std::uint64_t left = lanes; left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        if (!in_scratch(wave, offset[lane], Data::bytes))
            return violation(wave, op, kPrivateAperture + offset[lane], Data::bytes, false, lane);
        load_private_lane<Data>(wave, &values, offset[lane], lane);
    }
    to_lds(wave, op, values, lanes);
    return op + 1;
}

template <class Data>
Handler global(const Op& op) {
    return op.src[2].kind == Src::Kind::Sgpr ? from_global<ScalarBase, Data> : from_global<VectorAddress, Data>;
}

}  // namespace

// gfx90a has no instructions of its own for this: its ordinary loads have a bit.
Handler lower_load_to_lds(const Op& op) {
    if (!op.inst->lds) return nullptr;
    switch (op.inst->op) {
#define TO_LDS(suffix, ...)                  \
    case isa::Op::global_load_##suffix:      \
    case isa::Op::global_load_lds_##suffix:  \
        return global<__VA_ARGS__>(op);      \
    case isa::Op::scratch_load_##suffix:     \
    case isa::Op::scratch_load_lds_##suffix: \
        return from_scratch<__VA_ARGS__>;
        TO_LDS(ubyte, LoadU8)
        TO_LDS(sbyte, LoadI8)
        TO_LDS(ushort, LoadU16)
        TO_LDS(sshort, LoadI16)
        TO_LDS(dword, Dwords<1>)
#undef TO_LDS
        default:
            return nullptr;
    }
}

}  // namespace vrocm::sim::memory
