// MUBUF loads and stores. Three kinds of buffers are fast: scratch (gfx90a keeps private memory there), plain
// ones whose lanes read one block or one place, and plain ones in general.
#include <algorithm>

#include "sim/exec/buffer/access.h"
#include "sim/exec/flat/private.h"
#include "sim/exec/lds/access.h"

namespace vrocm::sim::memory {
namespace {

// The pattern of a buffer that is_plain(), provided that every lane is inside; Scattered otherwise.
template <unsigned bytes>
inline Pattern plain_pattern(Wave& wave, const BufferAddress& where, std::uint64_t lanes) {
    if (!where.offsets()) {
        if (!where.inside(0, where.immediate, bytes)) return {};
        return {Pattern::Kind::Uniform, where.start + where.immediate};
    }
    Pattern pattern = pattern32<bytes>(wave, *where.offsets(), lanes);
    const std::uint64_t span = pattern.kind == Pattern::Kind::Linear ? kLanes * bytes : bytes;
    if (!where.inside(0, pattern.address + where.immediate, static_cast<unsigned>(span))) return {};
    pattern.address += where.start + where.immediate;
    return pattern;
}

// The offset into private memory if it is the same in all lanes.
inline bool uniform_offset(Wave& wave, const BufferAddress& where, std::uint64_t lanes, std::uint64_t& offset) {
    offset = where.immediate;
    if (!where.offsets()) return true;
    const Pattern pattern = pattern32<1>(wave, *where.offsets(), lanes);
    offset += pattern.address;
    return pattern.kind == Pattern::Kind::Uniform;
}

// Addresses of a buffer that is_plain(); false when a lane is outside.
inline bool plain_list(const BufferAddress& where, std::uint64_t lanes, unsigned bytes, std::uint64_t* address) {
    std::uint64_t farthest = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        const std::uint64_t offset = where.offset(lane);
        address[lane] = where.start + offset;
        farthest = std::max(farthest, lanes >> lane & 1 ? offset : 0);
    }
    return where.inside(0, farthest, bytes);
}

template <class Data>
[[gnu::noinline]] const Op* load_each(Wave& wave, const Op* op, const BufferAddress& where, VReg* to,
                                      std::uint64_t lanes) {
    std::uint64_t address[kLanes], private_base;
    if (where.is_plain() && plain_list(where, lanes, Data::bytes, address))
        return gather<Data>(wave, op, to, address, extent(address, lanes), lanes);
    const bool scratch = where.is_scratch(wave, private_base);
    VReg result[Data::registers];  // the address may be in the registers that are loaded
    for (unsigned r = 0; r < Data::registers; ++r) result[r] = to[r];
    for (std::uint64_t left = lanes; left; left &= left - 1) {
        std::uint8_t bytes[Data::bytes];
        const unsigned lane = first_lane(left);
        if (scratch && in_scratch(wave, private_base + where.offset(lane), Data::bytes)) {
            load_private_lane<Data>(wave, result, private_base + where.offset(lane), lane);
            continue;
        }
        if (!read_lane<Data::bytes>(wave, op, where, lane, bytes)) return nullptr;
        Data::load(result, lane, bytes);
    }
    for (unsigned r = 0; r < Data::registers; ++r) to[r] = result[r];
    return op + 1;
}

template <class Data>
[[gnu::noinline]] const Op* store_each(Wave& wave, const Op* op, const BufferAddress& where, std::uint64_t lanes) {
    const VReg* from = wave.v + op->src[1].reg;
    std::uint64_t address[kLanes], private_base;
    if (where.is_plain() && plain_list(where, lanes, Data::bytes, address))
        return scatter<Data>(wave, op, from, address, extent(address, lanes), lanes);
    const bool scratch = where.is_scratch(wave, private_base);
    for (std::uint64_t left = lanes; left; left &= left - 1) {
        std::uint8_t bytes[Data::bytes];
        const unsigned lane = first_lane(left);
        if (scratch && in_scratch(wave, private_base + where.offset(lane), Data::bytes)) {
            store_private_lane<Data>(wave, from, private_base + where.offset(lane), lane);
            continue;
        }
        Data::store(from, lane, bytes);
        if (!write_lane<Data::bytes>(wave, op, where, lane, bytes)) return nullptr;
    }
    return op + 1;
}

template <class Data>
inline const Op* load_into(Wave& wave, const Op* op, VReg* to) {
    const std::uint64_t lanes = wave.exec();
    const BufferAddress where(wave, op);
    if (wave.access) [[unlikely]]
        observe_buffer(wave, where, Data::bytes);
    if (lanes == 0) return op + 1;
    std::uint64_t private_base, offset;
    if (where.is_plain()) {
        const Pattern pattern = plain_pattern<Data::bytes>(wave, where, lanes);
        if (load_pattern<Data>(wave, pattern, to, lanes)) return op + 1;
    } else if (where.is_scratch(wave, private_base) && uniform_offset(wave, where, lanes, offset)) {
        if (load_private_uniform<Data>(wave, to, private_base + offset, lanes)) return op + 1;
    }
    return load_each<Data>(wave, op, where, to, lanes);
}

template <class Data>
const Op* load(Wave& wave, const Op* op) {
    return load_into<Data>(wave, op, wave.v + op->dst);
}

template <class Data>
const Op* store(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    const BufferAddress where(wave, op);
    if (wave.access) [[unlikely]]
        observe_buffer(wave, where, Data::bytes);
    if (lanes == 0) return op + 1;
    const VReg* from = wave.v + op->src[1].reg;
    std::uint64_t private_base, offset;
    if (where.is_plain()) {
        const Pattern pattern = plain_pattern<Data::bytes>(wave, where, lanes);
        if (store_pattern<Data>(wave, pattern, from, lanes)) return op + 1;
    } else if (where.is_scratch(wave, private_base) && uniform_offset(wave, where, lanes, offset)) {
        if (store_private_uniform<Data>(wave, from, private_base + offset, lanes)) return op + 1;
    }
    return store_each<Data>(wave, op, where, lanes);
}

// Between memory and LDS: lane n has the dword at M0[15:0] + offset + 4 * n.
std::uint64_t lds_place(const Wave& wave, const Op* op, unsigned lane) {
    return (wave.s[isa::sreg::m0] & 0xffff) + std::uint64_t{op->sdst} + 4 * lane;
}

template <class Data>
const Op* load_to_lds(Wave& wave, const Op* op) {
    VReg values = {};
    if (!load_into<Data>(wave, op, &values)) return nullptr;
    for_each_lane(wave.exec(),
                  [&](unsigned lane) { store_lds_lane<Dwords<1>>(wave, &values, lds_place(wave, op, lane), lane); });
    return op + 1;
}

const Op* store_from_lds(Wave& wave, const Op* op) {
    const BufferAddress where(wave, op);
    if (wave.access) [[unlikely]]
        observe_buffer(wave, where, 4);
    for (std::uint64_t left = wave.exec(); left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        VReg value;
        load_lds_lane<Dwords<1>>(wave, &value, lds_place(wave, op, lane), lane);
        std::uint8_t bytes[4];
        put(bytes, value.lane[lane]);
        if (!write_lane<4>(wave, op, where, lane, bytes)) return nullptr;
    }
    return op + 1;
}

Handler lower_to_lds(const Op& op) {
    switch (op.inst->op) {
        case isa::Op::buffer_load_ubyte:
            return load_to_lds<LoadU8>;
        case isa::Op::buffer_load_sbyte:
            return load_to_lds<LoadI8>;
        case isa::Op::buffer_load_ushort:
            return load_to_lds<LoadU16>;
        case isa::Op::buffer_load_sshort:
            return load_to_lds<LoadI16>;
        case isa::Op::buffer_load_dword:
            return load_to_lds<Dwords<1>>;
        case isa::Op::buffer_store_lds_dword:
            return store_from_lds;
        default:
            return nullptr;
    }
}

}  // namespace

Handler lower_buffer_move(const Op& op) {
    if (op.inst->lds) return lower_to_lds(op);
    switch (op.inst->op) {
#define LOAD(suffix, ...)          \
    case isa::Op::buffer_##suffix: \
        return load<__VA_ARGS__>;
#define STORE(suffix, ...)         \
    case isa::Op::buffer_##suffix: \
        return store<__VA_ARGS__>;
        VROCM_MEMORY_LOADS(LOAD)
        VROCM_MEMORY_STORES(STORE)
#undef LOAD
#undef STORE
        default:
            return nullptr;
    }
}

}  // namespace vrocm::sim::memory
