// DS reads and writes.
#include "sim/exec/lds_address.h"
#include "sim/exec/lds_lower.h"

namespace vrocm::sim::memory {
namespace {

template <class Data>
[[gnu::noinline]] void read_scattered(Wave& wave, const VReg& address, std::uint32_t offset, VReg* to,
                                      std::uint64_t lanes) {
    const LdsOffsets at(wave, address, offset);
    if (!at.all_inside(wave, Data::bytes))
        for_each_lane(lanes, [&](unsigned lane) { load_lds_lane<Data>(wave, to, at.lane[lane], lane); });
    else if (lanes == kAllLanes)
        for (unsigned lane = 0; lane < kLanes; ++lane) Data::load(to, lane, wave.lds + at.lane[lane]);
    else
        for_each_lane(lanes, [&](unsigned lane) { Data::load(to, lane, wave.lds + at.lane[lane]); });
}

template <class Data>
[[gnu::noinline]] void write_scattered(Wave& wave, const VReg& address, std::uint32_t offset, const VReg* from,
                                       std::uint64_t lanes) {
    const LdsOffsets at(wave, address, offset);
    if (!at.all_inside(wave, Data::bytes))
        for_each_lane(lanes, [&](unsigned lane) { store_lds_lane<Data>(wave, from, at.lane[lane], lane); });
    else
        for_each_lane(lanes, [&](unsigned lane) { Data::store(from, lane, wave.lds + at.lane[lane]); });
}

// The pattern of the registers serves only if adding the offset did not wrap.
template <class Data>
inline Pattern pattern_of(Wave& wave, const VReg& address, std::uint64_t lanes) {
    return pattern32<Data::bytes>(wave, address, lanes);
}

template <class Data>
inline void read_at(Wave& wave, const Pattern& pattern, const VReg& address, std::uint32_t offset, VReg* to,
                    std::uint64_t lanes) {
    const Pattern moved{pattern.kind, pattern.address + offset};
    if (!load_lds_pattern<Data>(wave, moved, 0, to, lanes)) read_scattered<Data>(wave, address, offset, to, lanes);
}
template <class Data>
inline void write_at(Wave& wave, const Pattern& pattern, const VReg& address, std::uint32_t offset, const VReg* from,
                     std::uint64_t lanes) {
    const Pattern moved{pattern.kind, pattern.address + offset};
    if (!store_lds_pattern<Data>(wave, moved, 0, from, lanes))
        write_scattered<Data>(wave, address, offset, from, lanes);
}

template <class Data>
const Op* read(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    const VReg& address = wave.v[op->src[0].reg];
    const std::uint32_t offset = lds_offset(op);
    if (wave.access) [[unlikely]]
        observe_lds(wave, &address, offset, Data::bytes);
    if (lanes == 0) return op + 1;
    read_at<Data>(wave, pattern_of<Data>(wave, address, lanes), address, offset, wave.v + op->dst, lanes);
    return op + 1;
}

template <class Data>
const Op* write(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    const VReg& address = wave.v[op->src[0].reg];
    const std::uint32_t offset = lds_offset(op);
    if (wave.access) [[unlikely]]
        observe_lds(wave, &address, offset, Data::bytes);
    if (lanes == 0) return op + 1;
    write_at<Data>(wave, pattern_of<Data>(wave, address, lanes), address, offset, wave.v + op->src[1].reg, lanes);
    return op + 1;
}

// Two places per lane, offsets in units of the data (64 of them in the st64 forms).
template <class Data, unsigned unit>
const Op* read_two(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    const VReg address = wave.v[op->src[0].reg];  // a copy: the first result may land on the address
    const std::uint32_t first = first_unit(op) * unit * Data::bytes;
    const std::uint32_t second = second_unit(op) * unit * Data::bytes;
    if (wave.access) [[unlikely]]
        observe_lds(wave, &address, first, 2 * Data::bytes);
    if (lanes == 0) return op + 1;
    VReg* to = wave.v + op->dst;
    const Pattern pattern = pattern_of<Data>(wave, address, lanes);
    read_at<Data>(wave, pattern, address, first, to, lanes);
    read_at<Data>(wave, pattern, address, second, to + Data::registers, lanes);
    return op + 1;
}

template <class Data, unsigned unit>
const Op* write_two(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    const VReg& address = wave.v[op->src[0].reg];
    const std::uint32_t first = first_unit(op) * unit * Data::bytes;
    const std::uint32_t second = second_unit(op) * unit * Data::bytes;
    if (wave.access) [[unlikely]]
        observe_lds(wave, &address, first, 2 * Data::bytes);
    if (lanes == 0) return op + 1;
    const Pattern pattern = pattern_of<Data>(wave, address, lanes);
    write_at<Data>(wave, pattern, address, first, wave.v + op->src[1].reg, lanes);
    write_at<Data>(wave, pattern, address, second, wave.v + op->src[2].reg, lanes);
    return op + 1;
}

// The address is the lane's number: M0[15:0] + offset + 4 * lane.
std::uint32_t by_lane_base(const Wave& wave, const Op* op) {
    return (wave.s[isa::sreg::m0] & 0xffff) + lds_offset(op);
}
const Op* read_by_lane(Wave& wave, const Op* op) {
    const std::uint32_t base = by_lane_base(wave, op);
    if (wave.access) [[unlikely]]
        observe_lds(wave, nullptr, base, 4);
    for_each_lane(wave.exec(),
                  [&](unsigned lane) { load_lds_lane<Dwords<1>>(wave, wave.v + op->dst, base + 4 * lane, lane); });
    return op + 1;
}
const Op* write_by_lane(Wave& wave, const Op* op) {
    const std::uint32_t base = by_lane_base(wave, op);
    if (wave.access) [[unlikely]]
        observe_lds(wave, nullptr, base, 4);
    for_each_lane(wave.exec(), [&](unsigned lane) {
        store_lds_lane<Dwords<1>>(wave, wave.v + op->src[1].reg, base + 4 * lane, lane);
    });
    return op + 1;
}

Handler lower_read(const Op& op) {
    switch (op.inst->op) {
        case isa::Op::ds_read_b32:
            return read<Dwords<1>>;
        case isa::Op::ds_read_b64:
            return read<Dwords<2>>;
        case isa::Op::ds_read_b96:
            return read<Dwords<3>>;
        case isa::Op::ds_read_b128:
            return read<Dwords<4>>;
        case isa::Op::ds_read_u8:
            return read<LoadU8>;
        case isa::Op::ds_read_i8:
            return read<LoadI8>;
        case isa::Op::ds_read_u16:
            return read<LoadU16>;
        case isa::Op::ds_read_i16:
            return read<LoadI16>;
        case isa::Op::ds_read_u8_d16:
            return read<HalfLoad<std::uint8_t, false>>;
        case isa::Op::ds_read_u8_d16_hi:
            return read<HalfLoad<std::uint8_t, true>>;
        case isa::Op::ds_read_i8_d16:
            return read<HalfLoad<std::int8_t, false>>;
        case isa::Op::ds_read_i8_d16_hi:
            return read<HalfLoad<std::int8_t, true>>;
        case isa::Op::ds_read_u16_d16:
            return read<HalfLoad<std::uint16_t, false>>;
        case isa::Op::ds_read_u16_d16_hi:
            return read<HalfLoad<std::uint16_t, true>>;
        case isa::Op::ds_read2_b32:
            return read_two<Dwords<1>, 1>;
        case isa::Op::ds_read2st64_b32:
            return read_two<Dwords<1>, 64>;
        case isa::Op::ds_read2_b64:
            return read_two<Dwords<2>, 1>;
        case isa::Op::ds_read2st64_b64:
            return read_two<Dwords<2>, 64>;
        case isa::Op::ds_read_addtid_b32:
            return read_by_lane;
        default:
            return nullptr;
    }
}

Handler lower_write(const Op& op) {
    switch (op.inst->op) {
        case isa::Op::ds_write_b8:
            return write<Narrowed<std::uint8_t, false>>;
        case isa::Op::ds_write_b8_d16_hi:
            return write<Narrowed<std::uint8_t, true>>;
        case isa::Op::ds_write_b16:
            return write<Narrowed<std::uint16_t, false>>;
        case isa::Op::ds_write_b16_d16_hi:
            return write<Narrowed<std::uint16_t, true>>;
        case isa::Op::ds_write_b32:
            return write<Dwords<1>>;
        case isa::Op::ds_write_b64:
            return write<Dwords<2>>;
        case isa::Op::ds_write_b96:
            return write<Dwords<3>>;
        case isa::Op::ds_write_b128:
            return write<Dwords<4>>;
        case isa::Op::ds_write2_b32:
            return write_two<Dwords<1>, 1>;
        case isa::Op::ds_write2st64_b32:
            return write_two<Dwords<1>, 64>;
        case isa::Op::ds_write2_b64:
            return write_two<Dwords<2>, 1>;
        case isa::Op::ds_write2st64_b64:
            return write_two<Dwords<2>, 64>;
        case isa::Op::ds_write_addtid_b32:
            return write_by_lane;
        default:
            return nullptr;
    }
}

}  // namespace

Handler lower_lds_move(const Op& op) {
    if (Handler handler = lower_read(op)) return handler;
    return lower_write(op);
}

}  // namespace vrocm::sim::memory
